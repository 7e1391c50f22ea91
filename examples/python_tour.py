"""A tour of the Python package, as cells of a notebook (`# %%`). Runs in a few seconds; `make test` runs it."""

# %% A problem: two classes, 30 features of which 5 matter.
import numpy as np

import seesaw

rng = np.random.RandomState(0)
X = rng.randn(2000, 30)
X[:, 5:] *= rng.uniform(0.5, 2, 25)
truth = np.r_[2.0, -1.5, 1.0, -0.7, 0.4, np.zeros(25)]
y = np.where(X @ truth + rng.logistic(size=len(X)) > 0, "buys", "leaves")

# %% A fit, and what is proved about it.
fitted = seesaw.LogisticRegression(C=0.5).fit(X, y)
print(f"accuracy {fitted.score(X, y):.3f}, by {fitted.solver_}")
print(f"P = {fitted.primal_objective_:.10f}; the minimum is at most {fitted.dual_gap_:.1e} below")
print(f"the weights are within {fitted.distance_bound_:.1e} of the optimal ones")
print("verified:", fitted.certificate_.verify(X, y).holds)

# %% A sparse model: which features have weight 0 at the optimum is proved, not guessed.
lasso = seesaw.train(X, y == "buys", loss="logistic", l1=0.02, gap=1e-8)
print(f"{np.count_nonzero(lasso.coef)} of {X.shape[1]} weights are not 0; {lasso.proved_zero} are proved to be 0 at the optimum")

# %% A path of penalties, each fit starting from the last.
data = seesaw.Data(X, y == "buys")
start = None
for l1 in np.geomspace(0.2, 0.002, 8):
    start = seesaw.train(data, loss="logistic", penalty="l1", l1=l1, gap=1e-6, warm_start=start)
    print(f"l1 = {l1:.4f}: {np.count_nonzero(start.coef):2d} weights, gap {start.certificate.gap:.1e}, {start.passes:g} passes")

# %% Methods compared; in a notebook this shows curves.
comparison = seesaw.compare(data, loss="logistic", C=1, solvers=["auto", "sdca", "saga"])
print(comparison)

# %% A fit that is stopped has a certificate all the same.
stopped = seesaw.train(data, loss="hinge", C=1000, gap=1e-10, solver="sdca", callback=lambda progress: progress.passes < 5)
print(f"{stopped.status}: at most {stopped.certificate.gap:.2g} above the minimum")
assert stopped.verify(data).holds

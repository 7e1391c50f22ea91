"""That the prepared sets are read as the program wrote them: the layout of .ssw is known in two places. usage: sets_test.py PROGRAM"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
try:
    import numpy as np

    import sets
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(0)

CASES = {"sparse": "1 2:0.5 7:-3\n-1 1:1 3:2.25\n-1\n", "dense": "1 1:0.1 2:2\n-1 1:3 2:4\n1 1:5 2:0.7\n", "exact in single precision": "1 1:1 2:2\n-1 1:3 2:4\n"}
with tempfile.TemporaryDirectory() as folder:
    for name, text in CASES.items():
        with open(f"{folder}/data.svm", "w") as stream:
            stream.write(text)
        subprocess.run([sys.argv[1], "convert", f"{folder}/data.svm", f"{folder}/data.ssw"], check=True, stdout=subprocess.DEVNULL)
        rows = [line.split() for line in text.splitlines()]
        expected = np.zeros((len(rows), max(int(entry.split(":")[0]) for row in rows for entry in row[1:])))
        for i, row in enumerate(rows):
            for entry in row[1:]:
                expected[i, int(entry.split(":")[0]) - 1] = float(entry.split(":")[1])
        data = sets.Loaded(f"{folder}/data.ssw")
        found = data.A if data.dense else data.A.toarray()
        assert np.array_equal(found, expected) and np.array_equal(data.b, [float(row[0]) for row in rows]) and data.nnz == np.count_nonzero(expected), name

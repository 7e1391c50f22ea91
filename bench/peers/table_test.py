"""Tests of everything that is not measured: targets, ratios, regimes, regret, resuming, sweeps. Needs only Python."""
import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ours as our_side  # noqa: E402
import rounds  # noqa: E402
import table  # noqa: E402
from cells import COSTS, FRACTIONS, LOSSES, Cell, matrix  # noqa: E402
from results import Results  # noqa: E402
from sweep import Rival, sweep  # noqa: E402

CELL = Cell("a9a", "hinge", 1.0)
FACTS = {"kind": "set", "set": "a9a", "n": 32561, "d": 123, "nnz": 451592}


def line(who, solver, tolerance, cpu, cell=CELL, **more):
    return {"kind": "run", **cell.as_json(), "who": who, "solver": solver, "tolerance": tolerance, "cpu": cpu, "cap": 2.0, **more}


def ours(solver, gap, cpu, cell=CELL, arrived=True):
    return line("ours", solver, gap, cpu, cell, primal=1.0, dual=1.0 - gap / 2, arrived=arrived, build="x")


def filled(*lines):
    results = Results()
    for one in [FACTS, line("reference", "sdca", 1e-9, 9.0, primal=1.0, dual=1.0), *lines]:
        results.add(one)
    return results


class CellResults(unittest.TestCase):
    def test_the_fastest_rival_within_the_target_counts(self):
        results = filled(line("liblinear", "-s 3", 0.1, 0.1, primal=1.01), line("liblinear", "-s 3", 0.01, 0.4, primal=1.0 + 9e-7),
                         line("liblinear", "-s 3", 0.001, 0.9, primal=1.0), line("scikit-learn", "LinearSVC", 1e-3, 0.3, primal=1.0 + 5e-4))
        self.assertEqual(table.cell_result(results, CELL, 1e-6).rival, ("liblinear -s 3", 0.4))
        self.assertEqual(table.cell_result(results, CELL, 1e-3).rival, ("scikit-learn LinearSVC", 0.3))

    def test_accuracy_depends_on_the_best_bound_of_all_lines(self):
        results = Results()
        results.add(line("reference", "sdca", 1e-9, 9.0, primal=1.0, dual=0.99))
        results.add(line("liblinear", "-s 3", 0.1, 0.1, primal=1.0))
        self.assertIsNone(table.cell_result(results, CELL, 1e-6).rival)
        results.add(ours("newton", 1e-6, 0.2))
        self.assertIsNotNone(table.cell_result(results, CELL, 1e-6).rival)

    def test_a_capped_run_does_not_count(self):
        results = filled(line("liblinear", "-s 3", 0.1, 2.0, capped=True), ours("sdca", 1e-6, 2.0, arrived=False))
        result = table.cell_result(results, CELL, 1e-6)
        self.assertIsNone(result.rival)
        self.assertIsNone(result.best_own)
        self.assertEqual(table.versus(result, False), "both fail")

    def test_a_certificate_of_1e_6_is_one_of_1e_3(self):
        results = filled(ours("sdca", 1e-6, 0.2), ours("sdca", 1e-3, 0.5))
        self.assertEqual(table.cell_result(results, CELL, 1e-3).own, ("sdca", 0.2))
        self.assertEqual(table.cell_result(results, CELL, 1e-6).own, ("sdca", 0.2))

    def test_ratio_and_regret(self):
        results = filled(line("liblinear", "-s 3", 0.1, 0.8, primal=1.0), ours("auto", 1e-6, 0.2), ours("ssn", 1e-6, 0.1))
        result = table.cell_result(results, CELL, 1e-6)
        self.assertAlmostEqual(result.ratio(False), 4)
        self.assertAlmostEqual(result.ratio(True), 8)
        self.assertAlmostEqual(result.regret, 2)

    def test_auto_that_is_fastest_has_no_regret(self):
        result = table.cell_result(filled(ours("auto", 1e-6, 0.1), ours("ssn", 1e-6, 0.2)), CELL, 1e-6)
        self.assertEqual(result.regret, 1)


class Tables(unittest.TestCase):
    def row(self, text, name):
        return next([part.strip() for part in one.strip("|").split("|")] for one in text.split("\n") if one.startswith(f"| {name} |"))

    def test_a_regime_has_the_geometric_mean_and_the_lowest_cell(self):
        lines = []
        for name, rival in (("a9a", 0.2), ("w8a", 0.8)):
            cell = Cell(name, "hinge", 1.0)
            lines += [{**FACTS, "set": name}, line("reference", "sdca", 1e-9, 9.0, cell, primal=1.0, dual=1.0), ours("auto", 1e-6, 0.1, cell),
                      line("liblinear", "-s 3", 0.1, rival, cell, primal=1.0)]
        row = self.row(table.render(filled(*lines)), "hinge, d <= 800, C = 1")
        self.assertEqual(row[1:4], ["2", "0", "0"])
        self.assertEqual(row[4], "4")  # sqrt(2 * 8): 15 % below the goal, within the allowance
        self.assertEqual(row[5], "2 **short** (a9a hinge C 1)")
        self.assertEqual(row[6], "4.7; 2.8")

    def test_rivals_and_ours_that_fail_are_counted(self):
        text = table.render(filled(line("liblinear", "-s 3", 0.1, 2.0, primal=1.5), ours("auto", 1e-6, 2.0, arrived=False)))
        self.assertEqual(self.row(text, "hinge, d <= 800, C = 1")[1:5], ["1", "1", "1", "-"])
        self.assertIn("both fail", text)

    def test_a_cell_that_one_side_did_not_run_is_in_no_regime(self):
        text = table.render(filled(line("liblinear", "-s 3", 0.1, 0.2, primal=1.0)))
        self.assertEqual(self.row(text, "hinge, d <= 800, C = 1")[1], "0")

    def test_our_fastest_method_is_used_if_there_is_no_auto(self):
        text = table.render(filled(line("liblinear", "-s 3", 0.1, 0.8, primal=1.0), ours("ssn", 1e-6, 0.1)))
        self.assertIn("our fastest method is used instead", text)
        self.assertEqual(self.row(text, "hinge, d <= 800, C = 1")[4], "8")

    def test_a_loose_bound_is_shown(self):
        results = Results()
        for one in (FACTS, line("reference", "sdca", 1e-9, 9.0, primal=1.0, dual=0.9), line("liblinear", "-s 3", 0.1, 0.8, primal=1.0)):
            results.add(one)
        self.assertIn("| 1e-01 |", table.render(results))

    def test_commands_are_compared_by_wall_seconds_and_one_thread_by_cpu_seconds(self):
        command = {"kind": "end-to-end", "set": "a9a", "loss": "hinge", "bytes": 2e6, "liblinear_accuracy": 1e-4}
        for name, wall in (("liblinear", 0.8), ("default", 0.1), ("default_one_thread", 0.16), ("matching", 0.2)):
            command.update({name: wall, f"{name}_cpu": wall / 2})
        text = table.render(filled({**command, "liblinear": 99.0}, command))  # measured twice: the later line counts
        self.assertIn("| a9a | 2.0 | hinge | 0.8 | 1e-04 | 0.1 | 8 | 0.16 | 5 | 0.2 | 4 |", text)
        self.assertIn("default gap: 8 (wanted 5, stretch 10); lowest 8.", text)

    def test_every_cell_with_a_goal_is_in_one_regime(self):
        shape = {"a9a": (32561, 123, 451592), "text200k": (200000, 50000, 15000000), "colon-cancer": (62, 2000, 124000), "usps": (7291, 256, 1866151), "abalone": (4177, 9, 37593)}
        from regimes import REGIMES
        for cell in matrix(list(shape), [loss.name for loss in LOSSES], COSTS, FRACTIONS):
            facts = dict(zip(("n", "d", "nnz"), shape[cell.set]))
            count = sum(regime.holds(cell, facts) for regime in REGIMES[:-1])
            without = (cell.loss == "squared" and facts["d"] > 800) or (cell.C == 0.01 and cell.loss in ("absolute", "logistic", "squared-hinge") and facts["d"] <= 800)
            self.assertEqual(count, 0 if without else 1, cell)


class Resuming(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = f"{self.folder.name}/results.jsonl"

    def tearDown(self):
        self.folder.cleanup()

    def test_written_lines_are_read_and_a_truncated_last_line_is_not(self):
        results = Results(self.path)
        results.add(FACTS)
        results.add(line("liblinear", "-s 3", 0.1, 0.8, primal=1.0))
        with open(self.path, "a") as stream:
            stream.write('{"kind": "run", "set": "a9')
        again = Results(self.path)
        self.assertEqual(len(again.runs(CELL)), 1)
        self.assertEqual(again.sets["a9a"]["d"], 123)

    def test_a_truncated_line_does_not_damage_the_next(self):
        with open(self.path, "w") as stream:
            stream.write('{"kind": "run", "set": "a9')
        Results(self.path).add(line("liblinear", "-s 3", 0.1, 0.8, primal=1.0))
        self.assertEqual(len(Results(self.path).runs(CELL)), 1)

    def test_fresh_deletes(self):
        Results(self.path).add(FACTS)
        self.assertEqual(Results(self.path, fresh=True).sets, {})
        self.assertFalse(os.path.exists(self.path))

    def test_the_later_line_counts(self):
        results = Results(self.path)
        results.add(line("liblinear", "-s 3", 0.1, 0.8, primal=1.0))
        results.add(line("liblinear", "-s 3", 0.1, 0.4, primal=1.0))
        self.assertEqual([run["cpu"] for run in Results(self.path).runs(CELL)], [0.4])

    def test_a_sweep_is_resumed(self):
        requested = []

        def run(cell, rival, tolerance, cap, runs=(1, 1)):
            requested.append(tolerance)
            if len(requested) == 3:
                raise KeyboardInterrupt
            return {"cpu": 0.1, "primal": 1 + tolerance}

        results = Results(self.path)
        results.add(line("reference", "sdca", 1e-9, 9.0, primal=1.0, dual=1.0))
        rival = Rival("liblinear", "-s 3", 0, -8)
        with self.assertRaises(KeyboardInterrupt):
            sweep(CELL, rival, results, run, 2.0)
        sweep(CELL, rival, Results(self.path), run, 2.0)
        self.assertEqual(requested[:2], [1.0, 0.1])
        self.assertEqual(requested.count(1.0), 1)
        self.assertEqual(requested.count(0.1), 1)


class Ours(unittest.TestCase):
    def measured(self, results, build, answer, cap=2.0, solver="newton"):
        requested = []

        def run(cell, name, gap, allowed):
            requested.append((gap, allowed))
            return dict(answer)

        our_side.measure(CELL, solver, results, run, cap, build)
        return requested

    def test_a_build_is_measured_once_and_another_build_again(self):
        results, answer = Results(), {"status": "converged", "primal": 1.0, "dual": 1.0, "cpu": 0.1}
        self.assertEqual([gap for gap, _ in self.measured(results, "one", answer)], [1e-6, 1e-3])
        self.assertEqual(self.measured(results, "one", answer), [])
        self.assertEqual(len(self.measured(results, "two", answer)), 2)

    def test_a_longer_cap_repeats_runs_that_did_not_converge(self):
        results, answer = Results(), {"status": "interrupted", "primal": 1.0, "dual": 0.5, "cpu": 2.0}
        self.measured(results, "one", answer)
        self.assertEqual(self.measured(results, "one", answer), [])
        self.assertEqual(len(self.measured(results, "one", answer, cap=4.0)), 2)

    def test_an_unsupported_method_is_called_once(self):
        results = Results()
        self.assertEqual(len(self.measured(results, "one", {"unsupported": "no"})), 1)
        self.assertEqual([r["arrived"] for r in results.runs(CELL)], [False])

    def test_a_slow_method_is_limited_to_four_times_the_best(self):
        results = filled({**ours("ssn", 1e-6, 0.1), "build": "one"})
        self.assertEqual(self.measured(results, "one", {"status": "interrupted", "cpu": 0.4}), [(1e-6, 0.4), (1e-3, 2.0)])

    def test_the_reference_is_improved_until_it_is_good(self):
        requested, results = [], Results()

        def run(cell, name, gap, allowed):
            requested.append(name)
            return {"status": "converged", "primal": 1.0, "dual": {"a": 0.9, "b": 1.0}[name], "cpu": 1.0}

        our_side.find_reference(CELL, results, run, 2.0, "one", ["a", "b", "c"])
        our_side.find_reference(CELL, results, run, 2.0, "two", ["a", "b", "c"])
        self.assertEqual(requested, ["a", "b"])


class Sweeps(unittest.TestCase):
    def requested(self, answer, rival=Rival("liblinear", "-s 3", 0, -8), *lines):
        tolerances = []

        def run(cell, rival, tolerance, cap, runs=(1, 1)):
            if runs == (1, 1):  # else repeated
                tolerances.append((tolerance, cap))
            return answer(tolerance)

        results = filled(*lines)
        sweep(CELL, rival, results, run, 2.0)
        return tolerances

    def test_it_ends_at_the_target_after_one_more_run_half_way_back(self):
        requested = [t for t, _ in self.requested(lambda t: {"cpu": 0.1, "primal": 1 + t / 100})]
        self.assertEqual(len(requested), 6)
        self.assertAlmostEqual(requested[4], 1e-4)
        self.assertAlmostEqual(requested[5], 1e-4 * 10**0.5)

    def test_a_short_run_that_may_count_is_repeated_and_the_fastest_counts(self):
        primals = {0.1: 1.1, 0.01: 1.0005}  # then 1
        times = iter([0.2, 0.2, 0.1, 0.35, 0.35])  # of 0.1; of 0.01, twice; too long to be repeated
        results = filled()
        sweep(CELL, Rival("liblinear", "-s 3", -1, -3), results, lambda cell, rival, t, cap, runs=(1, 1): {"cpu": next(times), "primal": primals.get(t, 1.0)}, 2.0)
        self.assertEqual([run["cpu"] for run in results.runs(CELL) if run["who"] == "liblinear"], [0.2, 0.1, 0.35, 0.35])

    def test_it_ends_at_the_cap(self):
        self.assertEqual(len(self.requested(lambda t: {"capped": True} if t < 0.05 else {"cpu": 1, "primal": 2})), 3)

    def test_it_ends_if_nothing_changes(self):
        self.assertEqual(len(self.requested(lambda t: {"cpu": 0.1, "primal": 2.0})), 4)

    def test_a_rival_that_cannot_be_fastest_is_limited(self):
        known = line("scikit-learn", "LinearSVC", 0.1, 0.2, primal=1.0)
        self.assertTrue(all(cap == 0.4 for _, cap in self.requested(lambda t: {"cpu": 0.1, "primal": 2.0 + t}, Rival("liblinear", "-s 3", 0, -2), known)))


class Rounds(unittest.TestCase):
    PEERS = [line("liblinear", "-s 3", 0.1, 0.4, primal=1.0), line("liblinear", "-s 3", 0.01, 0.5, primal=1.0), line("scikit-learn", "LinearSVC", 0.1, 0.3, primal=1.0),
             line("celer-1", "Lasso", 0.1, 0.2, primal=1.1), line("skglm-1", "Lasso", 0.1, 0.1, primal=1.0), line("cyanure-1", "hinge", 0.1, 0.6, primal=1.0)]

    def measured(self, results, number, build="one", cap=2.0, peer=0.4, own=0.2, primal=1.0, status="converged", available=lambda run: run["who"] != "skglm-1"):
        """The names in the order in which they ran; the times are the arguments."""
        names = []

        def run_peer(cell, known, cap, runs):
            names.append((known["who"], known["tolerance"]))
            return {"cpu": peer if known["who"] == "scikit-learn" else 2 * peer, "primal": primal}

        def run_ours(cell, solver, gap, cap, runs):
            names.append((solver, gap))
            return {"status": status, "cpu": own, "solve": 0.1, "check": 0.02, "passes": 7, "method": "ssn"}

        rounds.measure(CELL, number, results, run_peer, run_ours, available, cap, build)
        return names

    def test_the_two_fastest_peers_that_converged_and_auto_run_next_to_each_other(self):
        results = filled(*self.PEERS)
        self.assertEqual(self.measured(results, 1), [("scikit-learn", 0.1), ("liblinear", 0.1), ("auto", 1e-6)])
        self.assertEqual(self.measured(results, 2), [("auto", 1e-6), ("scikit-learn", 0.1), ("liblinear", 0.1)])  # ours first in every second round

    def test_a_round_is_measured_again_after_a_change_of_the_build_or_of_the_peers(self):
        with tempfile.TemporaryDirectory() as folder:
            results = Results(f"{folder}/results.jsonl")
            for one in [line("reference", "sdca", 1e-9, 9.0, primal=1.0, dual=1.0), *self.PEERS]:
                results.add(one)
            self.assertEqual(len(self.measured(results, 1)), 3)
            again = Results(f"{folder}/results.jsonl")
            self.assertEqual(self.measured(again, 1), [])
            self.assertEqual(len(self.measured(again, 2)), 3)
            self.assertEqual(len(self.measured(again, 1, build="two")), 3)
            self.assertEqual(list(again.rounds[CELL]), [1])  # the second round was of the other build
            self.assertEqual(len(self.measured(again, 1, build="two", available=lambda run: True)), 3)
            self.assertEqual(again.rounds[CELL][1]["peers"][0]["who"], "skglm-1")

    def test_ratios_are_taken_within_a_round(self):
        results = filled(*self.PEERS, ours("auto", 1e-6, 9.0))
        for number, peer, own in ((1, 0.4, 0.2), (2, 0.8, 0.1), (3, 0.3, 0.2)):
            self.measured(results, number, peer=peer, own=own)
        result = table.cell_result(results, CELL, 1e-6)
        self.assertAlmostEqual(result.ratio(False), 2)  # 2, 8, 1.5: not 0.4 / 0.2 of the medians of all times, nor of the run with 9 s
        self.assertEqual(result.rounds.spread, "1.5 to 8")
        self.assertEqual(result.rival, ("scikit-learn LinearSVC", 0.4))
        self.assertAlmostEqual(result.seconds(False), 0.2)
        self.assertIn("| a9a | hinge | 2 (1.5 to 8) |", table.render(results))

    def test_cells_below_1_are_listed_with_our_run(self):
        results = filled(*self.PEERS, ours("auto", 1e-6, 9.0))
        for number in (1, 2, 3):
            self.measured(results, number, peer=0.1, own=0.2)
        text = table.render(results)
        self.assertIn("| a9a hinge C 1 | 0.5 (0.5 to 0.5) | scikit-learn LinearSVC | 100 | 200 | ssn | 7 | 100 | 20 |", text)
        self.assertIn("1 cells. Rival / ours to 1e-6 in 1: geometric mean 0.5, below 1 in 1. Only ours converged in 0; ours did not in 0.", text)

    def test_a_run_that_does_not_converge_in_a_round_has_no_ratio(self):
        for more in ({"primal": 1.1}, {"status": "interrupted"}):
            results = filled(*self.PEERS, ours("auto", 1e-6, 9.0))
            self.measured(results, 1, **more)
            self.assertIsNone(table.cell_result(results, CELL, 1e-6).ratio(False))

    def test_a_peer_that_converges_in_some_rounds_counts_in_those(self):
        results = filled(*self.PEERS, ours("auto", 1e-6, 9.0))
        for number, primal in ((1, 1.0), (2, 1.1), (3, 1.0)):
            self.measured(results, number, primal=primal)
        result = table.cell_result(results, CELL, 1e-6)
        self.assertEqual((result.rival, result.rounds.ratios), (("scikit-learn LinearSVC", 0.4), [2.0, 2.0]))

    def test_without_a_peer_that_converges_ours_is_timed_alone(self):
        results = filled(line("liblinear", "-s 3", 0.1, 0.4, primal=1.1), ours("auto", 1e-6, 9.0))
        self.assertEqual(self.measured(results, 1), [("auto", 1e-6)])
        self.assertEqual(table.versus(table.cell_result(results, CELL, 1e-6), False), "rival fails")


if __name__ == "__main__":
    unittest.main(verbosity=0)

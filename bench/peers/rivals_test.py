"""Tests of the choice of rivals, of the environment of the newest ones, and of the list of cells. Needs only Python."""
import contextlib
import io
import json
import os
import sys
import tempfile
import types
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import environment  # noqa: E402
from cells import COSTS, FRACTIONS, LOSSES, SETS, matrix  # noqa: E402
from rivals import RIVALS, rivals_of  # noqa: E402


class Rivals(unittest.TestCase):
    DATA = types.SimpleNamespace(n=100, d=10, dense=False)

    def test_without_the_package_index_the_packages_of_the_system_are_run(self):
        for loss in RIVALS:
            self.assertEqual({rival.group for rival in rivals_of(loss, self.DATA, {})} - {"liblinear", "scikit-learn", "glmnet"}, set())
            self.assertTrue(rivals_of(loss, self.DATA, {}))

    def test_the_newest_have_their_version_and_replace_scikit_learn_but_not_liblinear(self):
        found = {rival.who: rival.group for rival in rivals_of("l1-logistic", self.DATA, {"liblinear": "2.50", "scikit-learn": "1.9", "celer": "0.7"})}
        self.assertEqual(found, {"liblinear-2.50": "newest", "liblinear": "liblinear", "celer-0.7": "newest", "glmnet": "glmnet", "scikit-learn-1.9": "newest"})

    def test_d_by_d_systems_are_not_tried_if_d_is_large(self):
        wide = types.SimpleNamespace(n=10_000, d=10_000, dense=False)
        self.assertNotIn("Ridge cholesky", [rival.solver for rival in rivals_of("squared", wide, {})])


class Environment(unittest.TestCase):
    def installed(self, folder, failing):
        """The Python found, the commands run, and the messages, if installing `failing` packages fails."""
        commands, messages = [], io.StringIO()

        def run(command, capture_output):
            commands.append(command[-1])
            os.makedirs(folder, exist_ok=True)
            return types.SimpleNamespace(returncode=int(command[-1] in failing))

        with contextlib.redirect_stderr(messages):
            return environment.python_of(folder, run), commands, messages.getvalue().splitlines()[1:]

    def test_it_is_created_once(self):
        with tempfile.TemporaryDirectory() as folder:
            found, commands, messages = self.installed(f"{folder}/newest", [])
            self.assertEqual((found, commands, messages), (f"{folder}/newest/bin/python", [f"{folder}/newest", *environment.PACKAGES], []))
            self.assertEqual(self.installed(f"{folder}/newest", [])[1], [])

    def test_a_package_that_cannot_be_installed_is_skipped_with_a_sentence(self):
        with tempfile.TemporaryDirectory() as folder:
            found, _, messages = self.installed(f"{folder}/newest", ["cyanure"])
            self.assertIsNotNone(found)
            self.assertEqual(messages, ["cyanure is skipped, because it cannot be installed from the Python package index."])

    def test_without_an_index_everything_is_skipped_with_a_sentence_and_tried_again_next_time(self):
        with tempfile.TemporaryDirectory() as folder:
            found, commands, messages = self.installed(f"{folder}/newest", environment.PACKAGES)
            self.assertEqual((found, len(commands), messages), (None, 2, ["The newest peers are skipped, because no Python package index can be reached."]))
            self.assertEqual(len(self.installed(f"{folder}/newest", [])[1]), 1 + len(environment.PACKAGES))


class Matrix(unittest.TestCase):
    def test_it_has_every_cell_once(self):
        cells = matrix(SETS, [loss.name for loss in LOSSES], COSTS, FRACTIONS)
        self.assertEqual(len(cells), len(set(cells)))
        self.assertEqual(len(cells), 14 * (4 * 4 + 2 * 6) + 2 * (2 * 4 + 6))
        self.assertEqual({json.dumps(cell.as_json()) for cell in cells}.__len__(), len(cells))


if __name__ == "__main__":
    unittest.main(verbosity=0)

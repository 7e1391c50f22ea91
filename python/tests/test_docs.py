"""The blocks of docs/python.md and the example run; types are checked."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parents[2]
PACKAGE = TREE / "python" / "seesaw"


@pytest.mark.filterwarnings("ignore")
def test_blocks_of_the_page():
    page = TREE / "docs" / "python.md"
    if not page.exists():
        pytest.skip("not in the source tree")
    blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.M | re.S)
    assert len(blocks) >= 8
    names = {}
    for block in blocks:
        exec(compile(block, str(page), "exec"), names)


def test_example():
    example = TREE / "examples" / "python_tour.py"
    if not example.exists():
        pytest.skip("not in the source tree")
    run = subprocess.run([sys.executable, str(example)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "verified: True" in run.stdout and "interrupted" in run.stdout


def test_types(tmp_path):
    if shutil.which("mypy") is None or not PACKAGE.exists():
        pytest.skip("mypy is not installed, or this is not the source tree")
    run = subprocess.run(["mypy", "--cache-dir", str(tmp_path), "--config-file", "pyproject.toml"], cwd=PACKAGE.parent, capture_output=True, text=True,
                         env={**os.environ, "PYTHONPATH": ""})
    assert run.returncode == 0, run.stdout


def test_every_public_name_has_a_docstring():
    import seesaw

    for name in seesaw.__all__:
        assert name == "__version__" or getattr(seesaw, name).__doc__, name

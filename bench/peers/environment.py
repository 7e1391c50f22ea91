"""A virtual environment with the newest peers of the Python package index (newest.py), created once. Delete its folder to get newer ones."""
import os
import shutil
import subprocess
import sys
from typing import Optional

# scikit-learn first: newest.py needs it.
PACKAGES = ["scikit-learn", "liblinear-official", "celer", "skglm", "cyanure"]


def python_of(folder: str, run=subprocess.run) -> Optional[str]:
    """The Python of the environment; None, with a sentence, where it cannot be had. A package that cannot be installed is skipped."""
    python, complete = f"{folder}/bin/python", f"{folder}/complete"
    if os.path.exists(complete):
        return python
    shutil.rmtree(folder, ignore_errors=True)
    print(f"installing the newest {', '.join(PACKAGES)} in {folder}", file=sys.stderr)
    if run([sys.executable, "-m", "venv", folder], capture_output=True).returncode != 0:
        print("The newest peers are skipped, because a virtual environment cannot be created (Debian: python3-venv).", file=sys.stderr)
        return None
    for package in PACKAGES:
        done = run([python, "-m", "pip", "--disable-pip-version-check", "--quiet", "--timeout", "20", "--retries", "1", "install", package], capture_output=True)
        if done.returncode != 0 and package == PACKAGES[0]:
            print("The newest peers are skipped, because no Python package index can be reached.", file=sys.stderr)
            return None
        if done.returncode != 0:
            print(f"{package} is skipped, because it cannot be installed from the Python package index.", file=sys.stderr)
    with open(complete, "w"):
        return python

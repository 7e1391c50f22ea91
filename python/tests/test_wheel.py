"""A wheel installs offline in a fresh virtual environment and works outside of the source tree; a source distribution has
all that is needed to build one."""
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1]
BUILD = os.environ.get("SEESAW_BUILD_DIR", "")
pytestmark = pytest.mark.skipif(not (PACKAGE / "setup.py").exists() or not BUILD, reason="not in a build tree")
pytest.importorskip("wheel")


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def copy_of_the_package(tmp_path):
    """The build writes into its folder: not into the source tree."""
    tree = tmp_path / "tree"
    shutil.copytree(PACKAGE, tree / "python", ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    for name in ("CMakeLists.txt", "LICENSE", "cmake", "include", "src", "report"):
        (tree / name).symlink_to(PACKAGE.parent / name)
    return tree / "python"


def test_wheel_in_a_fresh_environment(tmp_path):
    package = copy_of_the_package(tmp_path)
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PIP_NO_INDEX")}
    run(sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-index", "--no-deps", "--wheel-dir", tmp_path / "wheel", package,
        env={**environment, "SEESAW_BUILD_DIR": BUILD})
    wheels = list((tmp_path / "wheel").glob("seesaw_certified-*.whl"))
    assert len(wheels) == 1 and "none-any" not in wheels[0].name
    names = zipfile.ZipFile(wheels[0]).namelist()
    assert any(name.startswith("seesaw/_core") and name.endswith(".so") for name in names)
    assert {"seesaw/py.typed", "seesaw/_core.pyi", "seesaw/_linear.py", "seesaw/_logistic_cv.py"} <= set(names)
    run(sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "venv")  # numpy and scikit-learn of the system
    python = tmp_path / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "--no-index", "--no-deps", wheels[0], env=environment)
    script = ("import seesaw, numpy as np; X = np.random.RandomState(0).randn(50, 3); "
              "f = seesaw.LogisticRegression().fit(X, X[:, 0] > 0); assert f.certificate_.verify(X, X[:, 0] > 0).holds; print(seesaw.__file__)")
    where = run(python, "-c", script, cwd=tmp_path, env=environment)
    assert where.startswith(str(tmp_path / "venv"))
    license_files = [name for name in names if name.endswith("LICENSE")]
    assert license_files and zipfile.ZipFile(wheels[0]).read(license_files[0]) == (PACKAGE.parent / "LICENSE").read_bytes()
    tests = tmp_path / "tests"  # outside of the source tree
    shutil.copytree(PACKAGE / "tests", tests, ignore=shutil.ignore_patterns("__pycache__", "swapped", "test_wheel.py"))
    # All but what is about the machine: signals, forks, times and memory are the same for an installed package.
    found = run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--ignore", "test_runtime.py", "--ignore", "test_limits.py", "--ignore",
                "test_zero_copy.py", cwd=tests, env=environment)
    assert " passed" in found


def test_source_distribution(tmp_path):
    package = copy_of_the_package(tmp_path)
    run(sys.executable, "setup.py", "--quiet", "sdist", "--dist-dir", tmp_path / "dist", cwd=package)
    archive = next((tmp_path / "dist").glob("*.tar.gz"))
    with tarfile.open(archive) as tar:
        names = {name.split("/", 1)[1] for name in tar.getnames() if "/" in name}
        assert {"pyproject.toml", "setup.py", "CMakeLists.txt", "src/core.cpp", "src/buffers.h", "seesaw/_core.pyi", "library/CMakeLists.txt",
                "LICENSE", "library/include/seesaw/seesaw.h", "library/src/api/train.cpp", "library/report/bundle/page.html"} <= names
        tar.extractall(tmp_path / "unpacked")
    folder = next((tmp_path / "unpacked").iterdir())
    # Configured, not built: compiling the library takes minutes.
    run("cmake", "-S", folder / "library", "-B", tmp_path / "configured", "-DSEESAW_BUILD_APP=OFF", "-DSEESAW_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}",
        f"-DSEESAW_PYTHON_FOLDER={folder}")
    assert "seesaw_python" in run("cmake", "--build", tmp_path / "configured", "--target", "help")

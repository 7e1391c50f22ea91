"""Builds the package by CMake: pip install ./python, or python3 -m build python.

SEESAW_BUILD_DIR: a build tree that has the module already (make test: build/dev); nothing is compiled then.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
# The sources of the library: the repository around this folder, or their copy in a source distribution.
LIBRARY = HERE / "library" if (HERE / "library").is_dir() else HERE.parent
SOURCES = ("CMakeLists.txt", "LICENSE", "cmake", "include", "src", "report/bundle")


def version() -> str:
    return re.search(r"project\(seesaw VERSION ([0-9.]+)", (LIBRARY / "CMakeLists.txt").read_text()).group(1)


def pybind11_folder() -> list:
    try:
        import pybind11
    except ImportError:  # Debian's pybind11-dev: found by CMake
        return []
    return [f"-Dpybind11_DIR={pybind11.get_cmake_dir()}"]


class CMakeBuild(build_ext):
    def build_extension(self, extension: Extension) -> None:
        target = Path(self.get_ext_fullpath(extension.name)).resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        built = os.environ.get("SEESAW_BUILD_DIR")
        if not built:
            built = Path(self.build_temp).resolve()
            built.mkdir(parents=True, exist_ok=True)
            generator = ["-G", "Ninja"] if shutil.which("ninja") else []
            subprocess.run(["cmake", "-S", str(LIBRARY), "-B", str(built), *generator, "-DCMAKE_BUILD_TYPE=Release", "-DSEESAW_BUILD_APP=OFF",
                            "-DSEESAW_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}", f"-DSEESAW_PYTHON_FOLDER={HERE}",
                            *pybind11_folder()], check=True)
            subprocess.run(["cmake", "--build", str(built), "--target", "seesaw_python", "--parallel", str(os.cpu_count() or 1)], check=True)
        found = sorted(Path(built, "python", "seesaw").glob("_core*.so"))
        if not found:
            raise RuntimeError(f"{built} has no python/seesaw/_core*.so; build the target seesaw_python there.")
        shutil.copyfile(found[-1], target)
        subprocess.run(["strip", "--strip-unneeded", str(target)], check=False)


class WithLibrary(sdist):
    """A source distribution has the sources of the library in library/."""

    def make_release_tree(self, base_dir: str, files: list) -> None:
        super().make_release_tree(base_dir, files)
        for name in SOURCES:
            source, target = LIBRARY / name, Path(base_dir, "library", name)
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, dirs_exist_ok=True)
            elif source.exists():
                shutil.copyfile(source, target)


setup(version=version(), ext_modules=[Extension("seesaw._core", sources=[])], cmdclass={"build_ext": CMakeBuild, "sdist": WithLibrary})

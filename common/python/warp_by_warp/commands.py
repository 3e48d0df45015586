"""The console commands simcc and gpusim-ptxcheck. `commands.py simcc …` is the first, for programs of this package."""
import os
import sys

if __name__ == "__main__":  # the folder of this file would hide modules of others
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from warp_by_warp import toolchain


def simcc():
    sys.path.insert(0, str(toolchain.PARTS))  # simcc's modules name each other without the package
    from simcc import configuration
    from simcc.options import fail
    try:
        tools = toolchain.find()
        configuration.PRECOMPILED = str(toolchain.precompiled_header(tools))
    except toolchain.MissingTool as missing:
        if not {"-h", "-help", "--help"} & set(sys.argv[1:]):
            fail(str(missing))
        tools = toolchain.Tools("", "")
    configuration.BUILD = str(toolchain.PARTS)
    configuration.CLANG = configuration.LINK = tools.clang
    configuration.INCLUDE = str(toolchain.PARTS / "include")
    configuration.LIBRARY = str(toolchain.PARTS / "libgpusim.a")
    configuration.OBJCOPY = tools.objcopy
    configuration.SIMCC = [sys.executable, "-S", os.path.abspath(__file__), "simcc"]
    configuration.VERSION = version()
    from simcc.driver import main
    return main()


def version():
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed
    try:
        return installed("warp-by-warp")
    except PackageNotFoundError:  # a copy that nobody has installed
        return "(not installed)"


def ptxcheck():
    program = str(toolchain.PARTS / "gpusim_ptxcheck")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    command, sys.argv = sys.argv[1], sys.argv[1:]
    sys.exit({"simcc": simcc, "ptxcheck": ptxcheck}[command]())
# SPDX-License-Identifier: MIT

#!@PYTHON@ -S
"""The source of build/simcc: Meson fills in what it found. What simcc does is in driver.py."""
import os
import sys

if __file__.endswith(".py"):  # a configured one has no ending
    sys.exit("launcher.py: this is the source of build/simcc, which `sh common/bootstrap.sh` makes")

sys.path.insert(0, "@SIMCC@")
from simcc import configuration

configuration.BUILD = os.path.dirname(os.path.abspath(__file__))
configuration.CLANG = "@CLANG@"
configuration.INCLUDE = "@INCLUDE@"
configuration.LIBRARY = "@LIBRARY@"
configuration.LINK = "@LINK@"
configuration.OBJCOPY = "@OBJCOPY@"
configuration.PRECOMPILED = os.path.join(os.path.dirname(configuration.LIBRARY), "cuda_runtime.pch")
configuration.SIMCC = [os.path.abspath(__file__)]
configuration.VERSION = "@VERSION@"

from simcc.driver import main

sys.exit(main())
# SPDX-License-Identifier: MIT

#!/usr/bin/env python3
"""python3 common/gpusim/prove FILE --contracts CONTRACTS.json: see driver.py."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from prove.driver import main

sys.exit(main())
# SPDX-License-Identifier: MIT

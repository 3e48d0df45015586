"""What the pages say in numbers, sentence by sentence, and where each number comes from.

A sentence stands on its page as it stands here, with a number for each {…}; tests/book/claims_test.py
compares, and with --write sets the numbers anew after a measurement. `holds` is what the words beside
the numbers say. FIXED lists the figures that come from elsewhere: no measurement of ours changes them.

A module for each page; shared.py has what several take from the measurements.
"""

import importlib
import pkgutil

PAGES = [importlib.import_module(f"claims.{module.name}") for module in pkgutil.iter_modules(__path__) if module.name != "shared"]
CLAIMS = [claim for page in PAGES for claim in page.CLAIMS]

# Figures that no measurement of ours changes, by page: of others, of arithmetic, of a device's limits.
FIXED = {
    "01_global_memory": ("can come out above 100 %",),
    # Harris' slides on the fourth step and the sixth.
    "07_full_unroll": (
        "raised the sum's speed from 31.3 to 44.0 GB/s",
        "step 4 reaches 17 GB/s, the G80's memory can deliver 86.4 GB/s",
    ),
    "occupancy": ("The calculator reports 100 % for blocks of 33 threads",),
}
# SPDX-License-Identifier: MIT

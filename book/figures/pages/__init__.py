"""Every figure of the book, by the name under which a page includes it.

A module for each page, with the functions that draw its figures and the names of these; shared.py has what several need.
A function takes the figure's name and what it is drawn from (Sources of draw.py), and returns a Drawing (svg.py).
"""

import importlib
import pkgutil

PAGES = [importlib.import_module(f"pages.{module.name}") for module in pkgutil.iter_modules(__path__) if module.name != "shared"]
FIGURES = {name: draw for page in PAGES for name, draw in page.FIGURES.items()}
# SPDX-License-Identifier: MIT

"""The learner's loop: `build/learn` shows where you are, judges on every save, and gives hints.

A module an idea: place (what lies where), chapter (one exercise), memory (what is remembered), builder (ninja), judging
(a judge and its outcome), verdict (an outcome on the screen), and one for each thing that `learn` can do.
"""
# SPDX-License-Identifier: MIT

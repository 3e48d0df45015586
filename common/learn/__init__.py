"""The learner's loop: `build/learn` shows where you are, judges on every save, and gives hints.

A module an idea: place (what lies where), chapter (one exercise), memory (what is remembered), builder (ninja, for what a
command needs), background (ninja, for what is wanted later), build_lock (one of them at a time), opens (when another ninja
begins), work (how much is left to build), judging (a judge and its outcome), verdict (an outcome on the screen), one for each
thing that `learn` can do, and the package grade, which judges submissions of people who need not be trusted.
"""
# SPDX-License-Identifier: MIT

"""`learn grade`: judges folders of submissions whose authors may be hostile.

No host code of a submission ever runs. Its kernels are compiled to PTX, which the simulated GPU interprets; the host code beside
them is that of the solution. Start reading in command.py; judge.py is the way of one submission. book/src/teachers.md says what
this defends against, and what it does not.
"""
# SPDX-License-Identifier: MIT

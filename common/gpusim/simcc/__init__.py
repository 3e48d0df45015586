"""The compiler driver of the simulated GPU; README.md says which module does what."""
# SPDX-License-Identifier: MIT

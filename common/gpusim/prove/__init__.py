"""Proofs of kernels for every launch: README.md says how."""
# SPDX-License-Identifier: MIT

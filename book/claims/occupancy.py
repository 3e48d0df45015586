"""What the page `occupancy` says in numbers."""

from claims.shared import claims_of
from measured import registers

CLAIMS = claims_of(
    "occupancy",
    (
        "the table's last rows, with arrays of 8 or 16 elements, have no local bytes",
        registers("sum_few<false>", "local_bytes") > 0
        and not any(registers(f"sum_few<false>, {k} elements", "local_bytes") for k in (8, 16)),
    ),
)
# SPDX-License-Identifier: MIT

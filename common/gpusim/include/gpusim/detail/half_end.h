// Forgets the names with which half_common.h was included.
#undef GPUSIM_NO_HALF_OPERATORS
#undef GPUSIM_HALF_FMA
#undef GPUSIM_HALF_FMA2
#undef GPUSIM_H
#undef GPUSIM_H2
#undef GPUSIM_H_NAME
#undef GPUSIM_H2_NAME
#undef GPUSIM_H2_PLAIN
#undef GPUSIM_FROM_ONE
#undef GPUSIM_PTX
#undef GPUSIM_FROM_FLOAT
#undef GPUSIM_TO_FLOAT
#undef GPUSIM_FN
#undef GPUSIM_DEVICE_FN
#undef GPUSIM_JOIN
#undef GPUSIM_JOIN_
// SPDX-License-Identifier: MIT

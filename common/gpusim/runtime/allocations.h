#pragma once

namespace gpusim::runtime {

// cudaDeviceReset: gives back all device, pinned and managed memory of the program.
void free_everything();

}  // namespace gpusim::runtime

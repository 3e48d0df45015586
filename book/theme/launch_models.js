// What fits on a multiprocessor, and what a tiled product of matrices asks of a machine. tests/book/launch_models_test.mjs
// compares with the experiments 08_grid_sizing.occupancy and 13_gemm.bounds.
(function (root) {
  "use strict";
  const WARP = 32;
  const up = (value, granule) => Math.ceil(value / granule) * granule;

  // NVIDIA's programming guide, compute capabilities 9.0 and 8.0. A block takes 1 KiB of shared memory more than it asks for.
  const device = (name, multiprocessors, shared_kib) => ({
    name, multiprocessors, warps: 64, blocks: 32, registers: 65536, shared: shared_kib * 1024,
    shared_of_block: (shared_kib - 1) * 1024,
  });
  const devices = [device("H200", 132, 228), device("simulated GPU", 108, 164)];

  // Blocks on a multiprocessor at once, by each limit. Registers are allotted to warps, 256 at a time, and the warps are
  // divided among 4 parts of the multiprocessor; 0 registers: leave them out.
  function residency(on, { threads, registers, shared }) {
    const warps = Math.ceil(threads / WARP);
    const by = {
      blocks: on.blocks,
      warps: Math.floor(on.warps / warps),
      "shared memory": shared > on.shared_of_block ? 0 : Math.floor(on.shared / up(shared + 1024, 128)),
    };
    if (registers) {
      const warps_with_registers = Math.floor(Math.floor(on.registers / up(registers * WARP, 256)) / 4) * 4;
      by.registers = Math.floor(warps_with_registers / warps);
    }
    const blocks = Math.min(...Object.values(by));
    return {
      by, blocks, warps: blocks * warps, limits: Object.keys(by).filter((name) => by[name] === blocks),
      share: (blocks * warps) / on.warps, fill: blocks * on.multiprocessors,
    };
  }

  // How a grid runs where so many blocks are there at once.
  function waves(grid, at_once) {
    if (!at_once) return { count: 0, last: 0 };
    const count = Math.ceil(grid / at_once);
    return { count, last: grid - (count - 1) * at_once };
  }

  // chapters/13_gemm/bounds.h says where the figures are from, and what the formulas mean.
  const machine = (name, multiprocessors, gigahertz, fma_lanes, bandwidth, shared_kib, registers, most, bytes) => ({
    name, multiprocessors, gigahertz, fma_lanes, bandwidth, shared_words: 32, shared: shared_kib * 1024, registers, most, bytes,
  });
  const machines = [
    machine("H200, float", 132, 1.98, 128, 4800, 227, 65536, 255, 4),
    machine("H100 SXM, float", 132, 1.98, 128, 3350, 227, 65536, 255, 4),
    machine("Fermi C2050, double", 14, 1.15, 16, 144, 48, 32768, 63, 8),
  ];

  function tile_bounds(m, { rows, columns, depth, sums, tiles }) {
    const rate = m.multiprocessors * m.fma_lanes * m.gigahertz * 1e9, words = m.bytes / 4;
    const threads = Math.floor(rows / sums) * Math.floor(columns / sums);
    const shared = tiles * (rows + columns) * depth * m.bytes, registers = words * (sums * sums + 2 * sums);
    return {
      threads, shared, registers,
      teraflops: (2 * rate) / 1e12,
      bandwidth: (rate * m.bytes * (1 / rows + 1 / columns)) / 1e9,
      least_side: (2 * m.bytes * rate) / (m.bandwidth * 1e9),
      shared_words: m.fma_lanes * words * (2 / sums),
      least_sums: (2 * m.fma_lanes * words) / m.shared_words,
      fits: shared <= m.shared && registers <= m.most && registers * threads <= m.registers,
    };
  }

  Object.assign(root, { devices, residency, waves, machines, tile_bounds });
})(typeof module === "object" ? module.exports : (window.launch_models = {}));
// SPDX-License-Identifier: MIT

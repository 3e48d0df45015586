// What the memory of a GPU makes of the addresses of a warp: sectors, banks, passes. The rules are those of the simulated
// GPU (common/gpusim/counting/banks.h, sectors.h), and tests/book/memory_model_test.mjs holds them against ncu's
// counters. `lanes` is a list of {lane, address}, of the lanes that are on.
(function (root) {
  "use strict";
  const WARP = 32, BANKS = 32, WORD = 4, SECTOR = 32;

  // The numbers of the pieces of `size` bytes that lanes of `bytes` each touch, each once.
  function pieces(lanes, bytes, size) {
    const found = new Set();
    for (const { address } of lanes) {
      for (let piece = Math.floor(address / size); piece * size < address + bytes; ++piece) found.add(piece);
    }
    return [...found].sort((a, b) => a - b);
  }

  const sectors = (lanes, bytes) => pieces(lanes, bytes, SECTOR);

  // Local memory: the threads' own memories are interleaved word by word, and a sector holds a word of 8 neighbours.
  function local_sectors(lanes, bytes) {
    let count = 0;
    for (let first = 0; first < WARP; first += 8) {
      count += pieces(lanes.filter(({ lane }) => lane >= first && lane < first + 8), bytes, WORD).length;
    }
    return count;
  }

  // {bank: words asked of it}, of lanes that are served together.
  function words_in_banks(lanes, bytes) {
    const words = new Map();
    for (const word of pieces(lanes, bytes, WORD)) {
      const bank = word % BANKS;
      words.set(bank, [...(words.get(bank) || []), word]);
    }
    return words;
  }

  function pairs_share(lanes, distance) {
    const at = new Map(lanes.map(({ lane, address }) => [lane, address]));
    return lanes.every(({ lane, address }) => !at.has(lane ^ distance) || at.get(lane ^ distance) === address);
  }

  // As many lanes as fill the banks; twice as many where a load's lanes share in pairs.
  function served_together(lanes, bytes, is_load) {
    if (bytes <= WORD) return WARP;
    const together = bytes === 8 ? 16 : 8;
    return is_load && (pairs_share(lanes, 1) || pairs_share(lanes, 2)) ? 2 * together : together;
  }

  // Of an access of shared memory: {groups: [{lanes, words, passes}], passes, ideal}.
  function bank_use(lanes, bytes, is_load) {
    const together = served_together(lanes, bytes, is_load), groups = [];
    for (let first = 0; first < WARP; first += together) {
      const served = lanes.filter(({ lane }) => lane >= first && lane < first + together);
      if (!served.length) continue;
      const words = words_in_banks(served, bytes);
      groups.push({ lanes: served, words, passes: Math.max(...[...words.values()].map((list) => list.length)) });
    }
    return { groups, passes: groups.reduce((sum, group) => sum + group.passes, 0), ideal: groups.length };
  }

  // Lane l takes element k = offset + stride * l. It lies at k, or elsewhere in its row of 32: padded rows are 33 long, and
  // swizzled ones have element c of row r in place c ^ r.
  const layouts = {
    plain: (k) => k,
    padded: (k) => k + Math.floor(k / 32),
    swizzled: (k) => Math.floor(k / 32) * 32 + ((k % 32) ^ (Math.floor(k / 32) % 32)),
  };
  function pattern({ stride, offset, bytes, layout }) {
    return Array.from({ length: WARP }, (_, lane) => ({ lane, address: bytes * layouts[layout](offset + stride * lane) }));
  }

  Object.assign(root, { pattern, WARP, BANKS, WORD, SECTOR, sectors, local_sectors, bank_use });
})(typeof module === "object" ? module.exports : (window.memory_model = {}));
// SPDX-License-Identifier: MIT

// The memory model of the pages (book/theme/memory_model.js) against what ncu counted on an H200, case by case:
// node memory_model_test.mjs PATTERNS, a program that prints the access patterns of the calibration set.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const model = require('../../book/theme/memory_model.js');
const patterns = JSON.parse(execFileSync(process.argv[2]));
const { calibration, kernels } = JSON.parse(readFileSync(new URL('../gpusim/data/ncu_h200.json', import.meta.url)));

const REPEATS = 64; // accesses of a warp: tests/gpusim/fidelity/calibration.cuh
const complaints = [];
let compared = 0;

// Loads are compared with the hardware's counter, which now and then counts a pass more; that of stores counts the
// traffic of others too, so they are compared with ncu's other one, "_sass" (tests/gpusim/fidelity/fidelity.cpp says more).
const FEW = 32;

function expect_same(name, counter, ours, counters, allowed = 0) {
  ++compared;
  const theirs = counters[counter] ?? 0; // ncu's data leaves out what is 0
  if (Math.abs(ours - theirs) > allowed) complaints.push(`${name}: ${counter}: the model says ${ours}, an H200 ${theirs}`);
}

// A kernel in which each of so many warps stores and loads 64 times, and at last stores a word a lane.
function compare_access(name, space, bytes, pattern, { grid, counters }) {
  const lanes = pattern.flatMap((element, lane) => (element < 0 ? [] : [{ lane, address: element * bytes }]));
  const result = model.sectors(lanes.map(({ lane }) => ({ lane, address: 4 * lane })), 4).length;
  const times = grid * REPEATS;
  if (space === 'shared') {
    expect_same(name, 'shared_load_wavefronts', times * model.bank_use(lanes, bytes, true).passes, counters, FEW);
    expect_same(name, 'shared_store_wavefronts_sass', times * model.bank_use(lanes, bytes, false).passes, counters);
  }
  if (space === 'local') {
    for (const access of ['load', 'store']) {
      expect_same(name, `local_${access}_sectors`, times * model.local_sectors(lanes, bytes), counters);
    }
  }
  const sectors = space === 'global' ? model.sectors(lanes, bytes).length : 0;
  expect_same(name, 'global_load_sectors', times * sectors, counters);
  expect_same(name, 'global_store_sectors', times * sectors + grid * result, counters);
}

// A block transposes 32 x 32 floats, a row or column of them in an access; `width`: of the rows of its tile, 0: none.
function compare_transpose(name, width, { grid, counters }) {
  const lanes_at = (address) => Array.from({ length: model.WARP }, (_, lane) => ({ lane, address: address(lane) }));
  const row = lanes_at((lane) => 4 * lane), column = lanes_at((lane) => 4 * lane * (width || 4096));
  const times = grid * 32, sectors = (lanes) => times * model.sectors(lanes, 4).length;
  expect_same(name, 'global_load_sectors', sectors(row), counters);
  expect_same(name, 'global_store_sectors', sectors(width ? row : column), counters);
  if (!width) return;
  expect_same(name, 'shared_store_wavefronts_sass', times * model.bank_use(row, 4, false).passes, counters);
  expect_same(name, 'shared_load_wavefronts_sass', times * model.bank_use(column, 4, true).passes, counters);
}

// What readers choose in the page gives the addresses of the calibration set, and a column of a tile the passes of chapter
// 11's kernels.
function compare_choices(name, bytes, elements) {
  const [, what, value] = name.match(/^(stride|offset) (\d+)$/) || [];
  if (!what) return;
  ++compared;
  const chosen = { stride: 1, offset: 0, bytes, layout: 'plain', [what]: Number(value) };
  const same = model.pattern(chosen).every(({ lane, address }) => address === bytes * elements[lane]);
  if (!same) complaints.push(`${name}, ${bytes} bytes: not the addresses of the calibration set`);
}
function compare_layouts() {
  for (const [layout, kernel] of [['plain', 'tile'], ['padded', 'padded'], ['swizzled', 'swizzled']]) {
    const { counters } = kernels[`11_transpose transpose_${kernel}<float>`];
    const rows = counters.global_load_requests; // a row of 32 is stored, and later a column of 32 is loaded
    const passes = (stride, is_load) => rows * model.bank_use(model.pattern({ stride, offset: 0, bytes: 4, layout }), 4, is_load).passes;
    expect_same(kernel, 'shared_load_wavefronts_sass', passes(32, true), counters);
    expect_same(kernel, 'shared_store_wavefronts_sass', passes(1, false), counters);
  }
}

const widths = { 'transpose, naive': 0, 'transpose, tile': 32, 'transpose, padded tile': 33 };
for (const [name, launch] of Object.entries(calibration)) {
  const [access, pattern] = name.split(/, (.*)/);
  const sizes = access.match(/^(shared|global|local) (\d+) bytes?$/);
  if (name in widths) compare_transpose(name, widths[name], launch);
  else if (sizes) {
    compare_access(name, sizes[1], Number(sizes[2]), patterns[pattern], launch);
    compare_choices(pattern, Number(sizes[2]), patterns[pattern]);
  }
  else if (access === 'global atom') compare_access(name, 'none', 4, patterns[pattern], launch);
  else if (access === 'global red') expect_same(name, 'global_store_sectors', 0, launch.counters); // it stores nothing
  else complaints.push(`${name}: which access is this?`);
}
compare_layouts();
const cases = Object.keys(calibration).length;
console.log([...complaints, `${cases} cases, ${compared} counters, ${complaints.length} complaints`].join('\n'));
process.exit(complaints.length || !compared ? 1 : 0);
// SPDX-License-Identifier: MIT

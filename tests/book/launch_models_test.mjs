// The models of launches and tiles (book/theme/launch_models.js) against what laboratories print:
// node launch_models_test.mjs OCCUPANCY BOUNDS, the programs 08_grid_sizing.occupancy and 13_gemm.bounds.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';

const { devices, residency, machines, tile_bounds } = createRequire(import.meta.url)('../../book/theme/launch_models.js');
const [occupancy, bounds] = process.argv.slice(2);
const lines_of = (program, ...options) => execFileSync(program, options, { encoding: 'utf8' }).split('\n');
const complaints = [];
let compared = 0;

function expect_same(what, ours, theirs) {
  ++compared;
  if (String(ours) !== theirs) complaints.push(`${what}: the model says ${ours}, the laboratory ${theirs}`);
}

// "kernel threads registers shared blocks warps share % fill"
const simulated = devices.find(({ name }) => name === 'simulated GPU');
for (const line of lines_of(occupancy)) {
  const row = line.match(/^(\w+)\s+(\d+)\s+-\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+) %\s+(\d+)$/);
  if (!row) continue;
  const [, kernel, threads, shared, blocks, warps, share, fill] = row, what = `${kernel}, ${threads} threads`;
  const ours = residency(simulated, { threads: Number(threads), registers: 0, shared: Number(shared) });
  expect_same(`${what}: blocks`, ours.blocks, blocks);
  expect_same(`${what}: warps`, ours.warps, warps);
  expect_same(`${what}: occupancy`, Math.floor(100 * ours.share), share);
  expect_same(`${what}: blocks to fill`, ours.fill, fill);
}
const rows_of_occupancy = compared / 4;

const tiles = [
  { rows: 128, columns: 128, depth: 8, sums: 8, tiles: 2 }, { rows: 64, columns: 64, depth: 16, sums: 4, tiles: 1 },
  { rows: 32, columns: 32, depth: 32, sums: 1, tiles: 1 }, { rows: 256, columns: 128, depth: 8, sums: 8, tiles: 2 },
  { rows: 256, columns: 256, depth: 64, sums: 16, tiles: 4 },
];
for (const tile of tiles) {
  const lines = lines_of(bounds, ...Object.entries(tile).flatMap(([name, value]) => [`--${name}`, value]));
  expect_same('threads', tile_bounds(machines[0], tile).threads, lines[0].match(/: (\d+) threads/)[1]);
  for (const machine of machines) {
    const cells = lines.find((line) => line.startsWith(machine.name)).slice(machine.name.length).trim().split(/[\s/]+/);
    const ours = tile_bounds(machine, tile), fixed = (value, digits) => value.toFixed(digits);
    const expected = [fixed(ours.teraflops, 1), fixed(ours.bandwidth, 0), machine.bandwidth, fixed(ours.least_side, 1),
      fixed(ours.shared_words, 0), machine.shared_words, fixed(ours.least_sums, 1), ours.shared, ours.registers, machine.most,
      ours.fits ? 'yes' : 'no'];
    expected.forEach((value, k) => expect_same(`${machine.name}, ${tile.rows} x ${tile.columns}, column ${k + 1}`, value, cells[k]));
  }
}
if (rows_of_occupancy < 9) complaints.push(`${rows_of_occupancy} rows of occupancy, expected 9 or more`);
console.log([...complaints, `${compared} numbers, ${complaints.length} complaints`].join('\n'));
process.exit(complaints.length ? 1 : 0);
// SPDX-License-Identifier: MIT

// How the stepper divides a trace into moments (book/theme/stepper_moments.js), on traces small enough to divide by hand.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import test from 'node:test';

const { moments, pace } = createRequire(import.meta.url)('../../book/theme/stepper_moments.js');

const LOAD = 0, ADD = 1, STORE = 2, BARRIER = 3, SHUFFLE = 4, BRANCH = 5, HEADER = 6, PARAMETER = 7;
const kernel = {
  instructions: [
    [[0, 10], 'ld', 'load', 'global', 4], [[0, 10], 'add', 'instr', '', 0], [[0, 10], 'st', 'store', 'shared', 4],
    [[0, 11], 'bar', 'barrier', '', 0], [[0, 12], 'shfl', 'shuffle', '', 0], [[0, 13], 'bra', 'branch', '', 0],
    [null, 'mov', 'instr', '', 0], [[0, 10], 'ld', 'load', 'param', 8],
  ],
};
const ALL = 0xffffffff;
const step = (instruction, mask = ALL, more = {}) => ({ warp: 0, mask, taken: 0, instruction, values: [0], ...more });
const by_unit = (steps) => moments(kernel, steps, steps.map((_, k) => k));
const shown = (steps, unit) => by_unit(steps)[unit].map((moment) => moment.shown);

test('a line with two accesses is two moments, and each shows its access', () => {
  assert.deepEqual(shown([step(PARAMETER), step(LOAD), step(ADD), step(STORE), step(ADD)], 'line'), [1, 3]);
});
test('a step without a line belongs to the line around it', () => {
  assert.deepEqual(shown([step(ADD), step(HEADER), step(ADD), step(BARRIER)], 'line'), [2, 3]);
});
test('a line without an event shows the branch at which lanes diverge', () => {
  assert.deepEqual(shown([step(BRANCH, ALL, { taken: 1 }), step(BRANCH)], 'line'), [0]);
  assert.deepEqual(shown([step(BRANCH, ALL, { taken: ALL }), step(BRANCH)], 'line'), [1]);
});
test('by accesses, by barriers and shuffles, by instructions', () => {
  const steps = [step(LOAD), step(ADD), step(STORE), step(BARRIER), step(SHUFFLE), step(BRANCH)];
  assert.deepEqual(shown(steps, 'access'), [0, 2]);
  assert.deepEqual(shown(steps, 'meeting'), [3, 4]);
  assert.deepEqual(shown(steps, 'instruction'), [0, 1, 2, 3, 4, 5]);
});
test('warps do not share a moment', () => {
  assert.deepEqual(shown([step(ADD), step(ADD, ALL, { warp: 1 })], 'line'), [0, 1]);
});

const turn = (lane, ...instructions) => instructions.map((instruction) => step(instruction, (1 << lane) >>> 0));

test('lanes that take turns: the busiest in full, the others summed up', () => {
  const steps = [...turn(31, ADD), ...turn(30, ADD), ...turn(29, LOAD, STORE), ...turn(28, ADD), ...turn(27, LOAD, STORE), step(BARRIER)];
  const found = by_unit(steps).line;
  assert.deepEqual(found.map(({ lanes }) => lanes), [[31, 30], undefined, undefined, [28, 27], undefined]);
  assert.deepEqual(found.filter(({ lanes }) => lanes).map(({ model, alike, event }) => [model, alike, event]), [[29, 0, ''], [29, 1, 'access']]);
});
test('a lane that has its turn again begins another round', () => {
  const steps = [0, 1, 2, 0, 1, 2].flatMap((lane) => turn(lane, LOAD));
  assert.deepEqual(by_unit(steps).line.map(({ lanes }) => lanes), [undefined, [1, 2], undefined, [1, 2]]);
});
test('every step lies in one moment', () => {
  const steps = [step(ADD), ...[0, 1, 2, 3].flatMap((lane) => turn(lane, LOAD, ADD, STORE)), step(BARRIER), step(SHUFFLE)];
  const found = by_unit(steps).line;
  assert.equal(found[0].first, 0);
  found.slice(1).forEach(({ first }, k) => assert.equal(first, found[k].last + 1));
  assert.equal(found.at(-1).last, steps.length - 1);
});
test('any number of moments plays within 30 s, and a few not faster than readers follow', () => {
  for (const count of [1, 2, 10, 84, 88, 301, 9632]) {
    const { seconds, by } = pace(count);
    assert.ok(Math.ceil(count / by) * seconds <= 30, `${count} moments`);
    assert.ok(seconds >= 0.1 && seconds <= 0.4);
  }
});
// SPDX-License-Identifier: MIT

// A trace as book/stepper/compact.py packs it, turned into steps again:
// {warp, mask, instruction, values, taken}; values has one for each lane on, ascending, or is empty.
(function (root) {
  "use strict";
  const lanes_of = (mask) => Array.from({ length: 32 }, (_, lane) => lane).filter((lane) => (mask >>> lane) & 1);

  const spread = (detail, count) => (detail.length > 2 ? detail :
    Array.from({ length: count }, (_, k) => detail[0] + k * (detail[1] || 0)));

  function unpack(kernel, schedule) {
    const steps = [];
    for (const [warp, mask, order, ...packed] of kernel.schedules[schedule].groups) {
      const lanes = lanes_of(mask);
      const runs = order === 0 ? [null] : order > 0 ? lanes.map((_, k) => k) : lanes.map((_, k) => lanes.length - 1 - k);
      const details = packed.map(([instruction, ...detail]) => {
        const is_branch = kernel.instructions[instruction][2] === "branch" || detail.length === 0;
        return { instruction, values: is_branch ? [] : spread(detail, lanes.length), taken: is_branch ? detail[0] || 0 : 0 };
      });
      for (const k of runs) {
        for (const { instruction, values, taken } of details) {
          const own = k === null ? mask : (1 << lanes[k]) >>> 0;
          steps.push({
            warp, mask: own, instruction, taken: (taken & own) >>> 0,
            values: k === null || !values.length ? values : [values[k]],
          });
        }
      }
    }
    return steps;
  }

  Object.assign(root, { lanes_of, unpack });
})(typeof module === "object" ? module.exports : (window.stepper_trace = {}));
// SPDX-License-Identifier: MIT

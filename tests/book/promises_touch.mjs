// What the book promises of the things that readers touch. Each takes a browser and the folder of a site, and returns
// what breaks the promise.
import { desk, on_every_page, phone } from './browser.mjs';
import { start_steppers } from './contrast.mjs';

// Kernels play step by step: what is shown is what the trace has, by mouse and by keyboard.
export async function stepper(browser, site) {
  const all = [];
  for (const viewport of [desk, phone]) {
    all.push(...await on_every_page(browser, site, { viewport }, async (tab, name) => {
      const box = tab.locator('.stepper[data-steps]');
      if ((await box.count()) === 0) return /^\d\d_/.test(name) ? ['a chapter without a stepper'] : [];
      const idle = await start_steppers(tab);
      if (idle.length) return idle;
      return viewport === phone ? fits(tab, box) : [...await plays(tab, box, name), ...await agrees(tab), ...await adds_up(tab)];
    }));
  }
  return all;
}

const shown = (box) => box.locator('.count').innerText().then((text) => parseInt(text, 10));

async function fits(tab, box) {
  return box.evaluate((element) => [...element.querySelectorAll('.panel *')]
    .filter((part) => !part.closest('pre') && part.getBoundingClientRect().right > document.documentElement.clientWidth)
    .map((part) => `the stepper reaches beyond the screen: ${part.className} ${part.textContent.slice(0, 40)}`).slice(0, 3));
}

async function plays(tab, box, name) {
  const found = [], must = async (what, holds) => { if (!(await holds)) found.push(`stepper: ${what}`); };
  const explained = name.slice(0, 2) >= '04'; // chapter 03 says what PTX is
  await must('offers PTX before it is explained, or not after', (await box.getByRole('option', { name: 'PTX instruction' }).count() === 1) === explained);
  await must('does not begin at step 1', await shown(box) === 1);
  await box.getByRole('button', { name: 'Next' }).click();
  await must('Next does not lead to step 2', await shown(box) === 2);
  await box.getByRole('slider').focus();
  await tab.keyboard.press('ArrowRight');
  await must('the right arrow does not move the slider', await shown(box) === 3);
  await tab.keyboard.press('End');
  await must('End does not lead to the last step', await box.getByRole('button', { name: 'Next' }).isDisabled());
  await tab.keyboard.press('Home');
  await must('the arrows turn the page', tab.url().includes(name));
  await box.getByRole('button', { name: 'Play' }).click();
  await tab.waitForFunction(() => parseInt(document.querySelector('.stepper .count').textContent, 10) >= 2, null, { timeout: 5000 })
    .catch(() => found.push('stepper: Play does not play'));
  await box.getByRole('button', { name: 'Pause' }).click();
  const lanes = box.getByRole('option', { name: /^lane / });
  await lanes.nth(5).hover();
  await must('pointing at a lane tells nothing of it', (await box.locator('.detail').innerText()).startsWith('lane 5'));
  await lanes.nth(0).focus();
  await tab.keyboard.press('ArrowRight');
  await must('the arrow keys do not lead to the next lane', (await box.locator('.detail').innerText()).startsWith('lane 1,'));
  return found;
}

// What the printed table says of a kernel's lines is what its steps add up to, by the memory model of the pages.
async function adds_up(tab) {
  return tab.evaluate(() => {
    const box = document.querySelector('.stepper'), kernel = window.stepper_data[box.dataset.steps].kernels.at(-1);
    const totals = new Map(), model = window.memory_model;
    const add = (line, column, count) => totals.get(line)[column] += count;
    for (const { mask, instruction, values } of window.stepper_trace.unpack(kernel, 'lockstep')) {
      const [place, , kind, space, bytes] = kernel.instructions[instruction], lanes = window.stepper_trace.lanes_of(mask);
      if (!place) continue;
      if (!totals.has(place[1])) totals.set(place[1], [0, 0, 0]);
      add(place[1], 0, 1);
      if (!values.length || kind === 'shuffle') continue;
      const reached = lanes.map((lane, k) => ({ lane, address: values[k] }));
      if (space === 'shared') add(place[1], 1, model.bank_use(reached, bytes, kind === 'load').passes);
      if (space === 'global' && kind !== 'atomic') add(place[1], 2, model.sectors(reached, bytes).length);
    }
    const printed = new Map();
    for (const row of box.querySelectorAll('tbody tr')) {
      const [line, , count, , passes, sectors] = [...row.cells].map((cell) => Number(cell.textContent.replace(/,/g, '')));
      const before = printed.get(line) || [0, 0, 0];
      printed.set(line, [before[0] + count, before[1] + passes, before[2] + sectors]);
    }
    const lines = new Set([...totals.keys(), ...printed.keys()]);
    return [...lines].filter((line) => String(totals.get(line)) !== String(printed.get(line)))
      .map((line) => `stepper: line ${line} adds up to ${totals.get(line)}, the table says ${printed.get(line)}`);
  });
}

// Every kernel, by lines: each moment shows its line where a reader sees it, and lights as many lanes as it has. By each other unit and in
// the other schedules: a dozen moments. All can be played within half a minute.
async function agrees(tab) {
  return tab.evaluate(() => {
    const found = [], panel = document.querySelector('.stepper .panel'), { lanes_of, unpack } = window.stepper_trace;
    const [kernels, schedules, , units] = panel.querySelectorAll('select'), slider = panel.querySelector('input[type=range]');
    const data = window.stepper_data[document.querySelector('.stepper').dataset.steps];
    const choose = (select, value) => { select.value = value; select.dispatchEvent(new Event('change')); };
    const look = (what, kernel, moment, step) => {
      const current = panel.querySelector('.current')?.getBoundingClientRect();
      const box = panel.querySelector('.lines').getBoundingClientRect();
      if (current && (current.top < box.top - 1 || current.bottom > box.bottom + 1)) found.push(`${what}: the line is out of sight`);
      const lit = panel.querySelectorAll('.lanes .on').length, lanes = (moment.lanes || lanes_of(step.mask)).length;
      if (lit !== lanes) found.push(`${what}: ${lit} lanes lit, expected ${lanes}`);
      const place = kernel.instructions[step.instruction][0], line = panel.querySelector('.current .number')?.textContent;
      const has = place && kernel.sources[place[0]][1].some(([first, text]) => place[1] >= first && place[1] < first + text.split('\n').length);
      if (has && Number(line) !== place[1]) found.push(`${what}: line ${line}, expected ${place[1]}`);
    };
    data.kernels.forEach((kernel, k) => {
      choose(kernels, String(k));
      for (const schedule of Object.keys(kernel.schedules)) {
        choose(schedules, schedule);
        const steps = unpack(kernel, schedule), lowest = Math.min(...steps.map(({ warp }) => warp)); // the warp that is chosen at first
        const places = steps.map((_, place) => place).filter((place) => steps[place].warp === lowest);
        const by_unit = window.stepper_moments.moments(kernel, steps, places);
        for (const { value: unit } of [...units.options].filter(({ disabled }) => !disabled)) {
          choose(units, unit);
          const what = `${kernel.title}, ${schedule}, by ${unit}`, moments = by_unit[unit];
          if (moments.length !== Number(slider.max) + 1) found.push(`${what}: not ${moments.length} moments`);
          const { seconds, by } = window.stepper_moments.pace(moments.length);
          if ((moments.length / by) * seconds > 30) found.push(`${what}: takes more than 30 s to play`);
          const all = unit === 'line' && schedule === 'lockstep';
          for (let at = 0; at < moments.length; at += all ? 1 : Math.ceil(moments.length / 12)) {
            slider.value = at;
            slider.dispatchEvent(new Event('input'));
            look(`${what}, moment ${at + 1}`, kernel, moments[at], steps[moments[at].shown]);
          }
        }
      }
    });
    return found.slice(0, 5);
  });
}

// What the models say after a choice of the reader's. (That they say what is right, node tests without a browser.)
const answers = [
  ['04_bank_conflicts', 'Stride', '2', /in 2 passes/], ['04_bank_conflicts', 'Stride', '32', /in 32 passes/],
  ['04_bank_conflicts', 'Stride', '33', /in 1 pass\b/], ['04_bank_conflicts', 'Memory', 'global', /in 32 sectors/],
  ['11_transpose', 'Elements lie', 'padded', /in 1 pass\b/], ['11_transpose', 'Elements lie', 'swizzled', /in 1 pass\b/],
  ['machine', 'Bytes an element', '8', /in 2 passes, served in 2 groups/],
  ['occupancy', 'Shared bytes a block', '100000', /^2 blocks on a multiprocessor, 264 on the device.*shared memory.* 8 waves/],
  ['occupancy', 'Threads a block', '1024', /^2 blocks/], ['occupancy', 'Shared bytes a block', '232448', /1 block|Not one/],
  ['13_gemm', 'Rows', '32', /waits for memory/], ['13_gemm', 'Machine', '2', /does not fit/], ['13_gemm', 'Sums a side', '3', /must divide/],
];

// Models answer to what readers choose, and fit a phone.
export async function models(browser, site) {
  const on_desk = await on_every_page(browser, site, { viewport: desk }, async (tab, name) => {
    const found = [];
    for (const [, label, value, expected] of answers.filter(([page]) => page === name)) {
      const model = tab.locator('.model').first();
      if (!(await model.count())) return ['a page without its model'];
      const control = model.getByLabel(label, { exact: true });
      await ((await control.evaluate(({ tagName }) => tagName)) === 'SELECT' ? control.selectOption(value) : control.fill(value));
      const told = await model.locator('.told').innerText();
      if (!expected.test(told)) found.push(`model: with ${label} ${value} it says: ${told}`);
    }
    return found;
  });
  const on_phone = await on_every_page(browser, site, { viewport: phone }, (tab) => tab.locator('.model:not([data-model="run"])').evaluateAll((boxes) => [
    ...boxes.filter((box) => !box.querySelector('.told')?.textContent).map(() => 'a model that says nothing'),
    ...boxes.flatMap((box) => [...box.querySelectorAll('*')])
      .filter((part) => !part.closest('.table-wrapper') && part.getBoundingClientRect().right > document.documentElement.clientWidth)
      .map((part) => `the model reaches beyond the screen: ${part.textContent.slice(0, 40)}`).slice(0, 3)]));
  return [...on_desk, ...on_phone];
}
// SPDX-License-Identifier: MIT

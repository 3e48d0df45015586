// The boxes that run kernels: what they show is what the simulated GPU answers, and they do not hold up the page.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';

import { desk, on_every_page, phone } from './browser.mjs';

const BOX = '.model[data-model="run"]';
const idle = () => !/^(Running|Choose)/.test(document.querySelector('.model[data-model="run"] .told').textContent);

// What the box says when the run that was begun has ended. Asked every 100 ms and not at every frame, of which a busy
// machine may show none for long.
async function answered(tab) {
  const told = () => tab.locator(BOX).first().locator('.told').innerText();
  await tab.waitForFunction(idle, null, { timeout: 60000, polling: 100 })
    .catch(async (reason) => { throw new Error(`the box says “${await told()}” for a minute: ${reason.message}`); });
  return told();
}

// Presses Run and waits for what it says; null on a page without a box that lives. By keyboard: on a page that was just
// opened a stepper above the box may start and move it, and a click that begins on Run then ends beside it.
export async function run_box(tab) {
  const box = tab.locator(BOX).first();
  if (!(await box.count()) || !(await box.locator('.told').count())) return null;
  await box.getByRole('button', { name: 'Run' }).press('Enter');
  return answered(tab);
}

// The same of a kernel with findings, so that a test of colours sees them. Complaints.
export async function show_findings(tab) {
  const box = tab.locator(BOX).first();
  if (!(await box.count()) || !(await box.locator('.told').count())) return [];
  const kernels = box.getByRole('combobox', { name: 'Kernel' });
  await kernels.selectOption(String(await kernels.locator('option').count() - 1));
  const told = await run_box(tab);
  return /^(Right|Wrong|Stopped by)/.test(told) ? [] : [`a box does not run: ${told}`];
}

// The answer that the same site's scripts give outside a browser (playground_test.mjs holds them against native code).
function outside(site) {
  const folder = join(site, 'playground');
  if (!existsSync(join(folder, 'gpusim.js'))) return null;
  const load = (name) => runInThisContext(readFileSync(join(folder, name), 'utf8'));
  ['playground.js', 'gpusim.js', 'boxes.js'].forEach(load);
  const { playground } = globalThis, module = new WebAssembly.Module(playground.bytes_of(playground.gpusim));
  return (chapter, which, schedule) => {
    load(`${chapter}.js`);
    const box = playground.table.boxes[chapter], kernel = box.kernels[which];
    const chosen = { n: box.n, threads: kernel.threads, blocks: playground.blocks_for(kernel, box.n), schedule };
    const { answer } = playground.run_module(module, playground.request(playground.table, chapter, which, chosen, playground.code[chapter]));
    return { ...JSON.parse(answer), wrong: Boolean(kernel.wrong) };
  };
}

// A box shows the first twelve, and one line for the others.
const shown_of = (findings) => (findings > 12 ? 13 : findings);

export async function playground(browser, site) {
  const expected = outside(site);
  const on_desk = await on_every_page(browser, site, { viewport: desk }, async (tab, name) => {
    const box = tab.locator(BOX).first();
    if (!(await box.count())) return [];
    if (!expected) return (await box.isVisible()) ? ['a box that cannot run is shown'] : [];
    const found = [], must = (what, holds) => { if (!holds) found.push(`box: ${what}`); };
    const kernels = box.getByRole('combobox', { name: 'Kernel' });
    for (let which = 0; which < await kernels.locator('option').count(); ++which) {
      for (const schedule of which ? ['lockstep'] : ['lockstep', 'descending']) {
        await kernels.selectOption(String(which));
        await box.getByRole('combobox', { name: 'Schedule' }).selectOption(schedule);
        const told = await run_box(tab), answer = expected(name, which, schedule);
        const count = answer.report.total.warp_instructions.toLocaleString('en');
        must(`kernel ${which}, ${schedule}, says: ${told}`, told.includes(`${count} warp instructions`));
        must(`kernel ${which} is judged otherwise: ${told}`, told.startsWith(answer.fault ? 'Stopped by a fault' : answer.result.right ? 'Right' : 'Wrong'));
        must(`kernel ${which} is wrong, and nothing says so: ${told}`, answer.wrong === (!told.startsWith('Right') || !told.includes('nothing found')));
        must(`kernel ${which} has a fault, and nothing was found: ${told}`, !(answer.fault && told.includes('nothing found')));
        must(`kernel ${which} shows another number of findings`, await box.locator('.finding').count() === shown_of(answer.findings.length) + (answer.fault ? 1 : 0));
        const proof = (await box.locator('.proof').allInnerTexts()).join(' ').toLowerCase();
        must(`kernel ${which} shows another proof: ${proof}`, proof === (answer.proof ? `${answer.proof.text}.`.toLowerCase() : ''));
        must(`kernel ${which} has findings and is proved: ${proof}`, !(answer.findings.length && proof.startsWith('proved')));
        const rows = await box.locator('.by-line tbody tr').count();
        must(`kernel ${which} shows ${rows} lines, not ${answer.report.lines.length}`, rows === answer.report.lines.filter(({ line }) => line).length);
      }
    }
    if (name.startsWith('02')) found.push(...await stops(tab, box));
    return found;
  });
  const on_phone = await on_every_page(browser, site, { viewport: phone }, async (tab) => {
    const found = await show_findings(tab);
    return [...found, ...await tab.locator(BOX).evaluateAll((boxes) => boxes.flatMap((box) => [...box.querySelectorAll('*')])
      .filter((part) => !part.closest('.table-wrapper, pre') && part.getBoundingClientRect().right > document.documentElement.clientWidth)
      .map((part) => `the box reaches beyond the screen: ${part.textContent.slice(0, 40)}`).slice(0, 3))];
  });
  if (!expected) console.log('skipped in part: the site has no boxes that run kernels: sh common/bootstrap.sh --playground');
  return [...on_desk, ...on_phone];
}

// While a long run lasts the page answers, and Stop ends it by keyboard; after that the box runs again, by mouse too.
async function stops(tab, box) {
  const found = [], must = (what, holds) => { if (!holds) found.push(`box: ${what}`); };
  const n = box.getByLabel('n', { exact: true });
  await box.getByRole('combobox', { name: 'Kernel' }).selectOption('0');
  await n.fill(await n.getAttribute('max'));
  await box.getByRole('button', { name: 'Run' }).focus();
  await tab.keyboard.press('Enter');
  const lag = await tab.evaluate(async () => {
    let longest = 0, last = performance.now();
    for (let k = 0; k < 20; ++k) {
      await new Promise((done) => { setTimeout(done, 10); });
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }
    return longest;
  });
  must(`holds the page up for ${Math.round(lag)} ms`, lag < 1500);
  const is_running = (await box.locator('.told').innerText()).startsWith('Running');
  await tab.keyboard.press('Enter'); // the focus is on Stop
  if (is_running) must(`does not stop: ${await box.locator('.told').innerText()}`, (await box.locator('.told').innerText()) === 'Stopped.');
  await n.fill('1000');
  must('does not run after it was stopped', (await run_box(tab)).startsWith('Right'));
  await box.getByRole('button', { name: 'Run' }).click();
  must('does not run by mouse', (await answered(tab)).startsWith('Right'));
  await box.getByRole('combobox', { name: 'Threads a block' }).selectOption('1024');
  const beyond = await run_box(tab);
  must('a block beyond the tile is not found', !beyond.startsWith('Right'));
  must(`does not say for which block the kernel is: ${beyond}`, beyond.includes('written for 256 threads a block'));
  await n.fill('99999999');
  await n.press('Enter');
  must('Enter does not run, or a number beyond the limit is taken', /^n must be .* to 3,000,000\.$/.test(await box.locator('.told').innerText()));
  return found;
}
// SPDX-License-Identifier: MIT

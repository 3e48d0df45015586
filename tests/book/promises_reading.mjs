// What the book promises to those who only read.
import { on_every_page, phone } from './browser.mjs';

const wide = { width: 1280, height: 900 };

// Long lines wrap, what scrolls shows that it goes on, and counters that are the same fold.
export async function reading(browser, site) {
  const all = [];
  for (const viewport of [wide, phone]) {
    all.push(...await on_every_page(browser, site, { viewport }, async (tab) => [
      ...await boxes(tab), ...(viewport === wide ? [...await folded_counters(tab), ...await clone_address(tab)] : [])]));
  }
  return all;
}

async function boxes(tab) {
  await tab.evaluate(() => document.querySelectorAll('details').forEach((fold) => { fold.open = true; }));
  await tab.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
  return tab.evaluate(() => {
    const found = [];
    for (const box of document.querySelectorAll('main pre > code, main .table-wrapper')) {
      if (!box.checkVisibility()) continue;
      const start = box.textContent.trim().slice(0, 40), scrolls = box.scrollWidth > box.clientWidth + 2;
      if (scrolls && box.classList.contains('wraps')) found.push(`text that should wrap scrolls sideways: ${start}`);
      if (scrolls !== box.classList.contains('more-right')) found.push(`${scrolls ? 'no' : 'a'} sign of more to the right: ${start}`);
      if (scrolls && box.tabIndex !== 0) found.push(`scrolls by mouse only: ${start}`);
      if (scrolls && /^\S.*(tests|chapters|solutions)\/\S+:\d+/m.test(box.textContent) && !/^-{8,}/m.test(box.textContent)) {
        found.push(`a diagnostic scrolls sideways: ${start}`);
      }
    }
    return found;
  });
}

// The address that the site was made with (site.py), where the page tells how to get the repository.
async function clone_address(tab) {
  const told = await tab.locator('.clone').allInnerTexts();
  return told.filter((text) => !text.includes('git clone https://example.org/repository'))
    .map((text) => `no address to clone from, but: ${text}`);
}

async function folded_counters(tab) {
  const found = [];
  for (const button of await tab.locator('main .unfold').all()) {
    const table = button.locator('xpath=preceding-sibling::*[1]').locator('table');
    const rows = () => table.locator('tbody tr:visible').count();
    const before = await rows(), all = await table.locator('tbody tr').count();
    await button.click();
    if (!(before > 0 && before < all && (await rows()) === all)) found.push(`a table of ${all} counters shows ${before}, then ${await rows()}`);
    await button.click();
    if ((await rows()) !== before) found.push('a table of counters does not fold again');
  }
  return found;
}
// SPDX-License-Identifier: MIT

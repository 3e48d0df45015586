// What the book promises in a browser. Each takes a browser and the folder of a site, and returns what breaks the
// promise: a list of lines, empty if it is kept.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { on_every_page, open_tab, pages_of, phone } from './browser.mjs';
import { contrast } from './contrast.mjs';
import { playground } from './promises_playground.mjs';
import { quizzes } from './promises_quiz.mjs';
import { reading } from './promises_reading.mjs';
import { models, stepper } from './promises_touch.mjs';

export const promises = { opens, listings, figures, folds, search, keyboard, phones, contrast, print, stepper, models, playground, quizzes, reading };

// Every page loads, with nothing in the console, from its own files only.
function opens(browser, site) {
  return on_every_page(browser, site, {}, (tab) => tab.evaluate(() => {
    const headings = document.querySelectorAll('main h1').length;
    const left = document.querySelector('main').innerText.match(/\{\{[#\w].*|<!--.*/);
    const found = [...(headings === 1 ? [] : [`${headings} headings of the first order, expected 1`]),
      ...(left ? [`shows what mdBook should have replaced: ${left[0].slice(0, 60)}`] : [])];
    // Without an empty line before it, what follows a line of HTML stays as it is written.
    const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode;
      const written = !parentElement.closest('pre, code, script, style') && data.match(/^\s*(#{1,6} .*)|\{#[\w-]+\}|\*\*|`|\]\([\w#]+[.-].*/m);
      if (written) found.push(`shows Markdown as it is written: ${written[0].trim().slice(0, 60)}`);
    }
    return found;
  }));
}

// No listing is empty, and CUDA is coloured.
function listings(browser, site) {
  return on_every_page(browser, site, {}, (tab) => tab.evaluate(() => {
    const found = [];
    for (const code of document.querySelectorAll('main pre code')) {
      const start = code.textContent.trim().split('\n')[0];
      if (!start) found.push(`a listing (${code.className.split(' ')[0]}) is empty`);
      else if (code.classList.contains('language-cuda') && !code.querySelector('[class^=hljs-]')) {
        found.push(`no word is coloured in the listing that begins: ${start}`);
      }
      if (!code.classList.contains('language-cuda')) continue;
      const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) { // wherever they stand, unless in a comment or a string
        const { data, parentElement } = texts.currentNode;
        const word = data.match(/\b(__\w+__|__syncthreads|__syncwarp|__shfl\w*|threadIdx|blockIdx|blockDim|gridDim|atomicAdd|float4|dim3)\b/);
        if (word && !parentElement.closest('[class^=hljs-]')) found.push(`${word[0]} is not coloured in the listing that begins: ${start}`);
        if (word && parentElement.matches('.hljs-title, .hljs-params')) found.push(`${word[0]} has another colour in the listing: ${start}`);
      }
    }
    return found;
  }));
}

// Every image is there, and every drawing is as wide as the page lets it be and says what it shows.
function figures(browser, site) {
  return on_every_page(browser, site, {}, (tab) => tab.evaluate(() => {
    const found = [];
    for (const image of document.querySelectorAll('main img')) {
      if (!image.naturalWidth) found.push(`image not loaded: ${image.src}`);
      if (!image.alt) found.push(`image without alt text: ${image.src}`);
    }
    for (const drawing of document.querySelectorAll('main svg[role=img]')) {
      const names = (drawing.getAttribute('aria-labelledby') || '').split(' ');
      const text = names.map((name) => document.getElementById(name)?.textContent || '').join(' ').trim();
      const box = drawing.getBoundingClientRect();
      if (text.length < 20) found.push(`a drawing that says nothing to those who do not see it: ${names}`);
      if (box.width < 200 || box.height < 30) found.push(`${names[0]}: drawn ${box.width} x ${box.height} pixels large`);
    }
    return found;
  }));
}

// Every fold opens, by mouse and by keyboard, and holds something.
function folds(browser, site) {
  return on_every_page(browser, site, {}, async (tab) => {
    const found = [];
    for (const fold of await tab.locator('main details').all()) {
      const summary = fold.locator('> summary');
      const name = (await summary.innerText()).trim();
      const closed = (await fold.boundingBox()).height;
      if (await fold.evaluate((element) => element.open)) found.push(`"${name}" is open from the start`);
      await summary.click();
      if ((await fold.boundingBox()).height < closed + 15) found.push(`"${name}" does not open, or holds nothing`);
      await summary.focus();
      await tab.keyboard.press('Enter');
      if (await fold.evaluate((element) => element.open)) found.push(`"${name}" does not close by keyboard`);
    }
    return found;
  });
}

// The search finds what readers look for, and a result leads to a page that has it.
async function search(browser, site) {
  const { tab, complaints } = await open_tab(browser);
  for (const words of ['bank conflict', '__syncwarp', 'sector']) {
    await tab.goto(pages_of(site)[0].url);
    await tab.keyboard.press('s');
    await tab.locator('#mdbook-searchbar').pressSequentially(words);
    const result = tab.locator('#mdbook-searchresults a').first();
    try {
      await result.waitFor({ timeout: 10000 });
    } catch {
      complaints.push(`"${words}" finds nothing`);
      continue;
    }
    await result.click();
    await tab.waitForLoadState('load');
    const text = (await tab.locator('main').innerText()).toLowerCase();
    if (!text.includes(words.split(' ')[0])) complaints.push(`"${words}" leads to ${tab.url()}, which does not have it`);
  }
  return complaints;
}

// The arrow keys turn the pages, in the order of SUMMARY.md; the menus open without a mouse.
async function keyboard(browser, site) {
  const { tab, complaints } = await open_tab(browser);
  const pages = pages_of(site);
  const file = () => tab.url().split('/').pop().replace(/\.html.*/, '');
  await tab.goto(pages[0].url);
  for (const { name } of pages.slice(1)) {
    await Promise.all([tab.waitForNavigation(), tab.keyboard.press('ArrowRight')]);
    if (file() !== name) return [...complaints, `the right arrow leads to ${file()}, expected ${name}`];
  }
  await Promise.all([tab.waitForNavigation(), tab.keyboard.press('ArrowLeft')]);
  if (file() !== pages.at(-2).name) complaints.push(`the left arrow leads to ${file()}`);

  await tab.locator('#mdbook-theme-toggle').focus();
  await tab.keyboard.press('Enter');
  if (!(await tab.locator('#mdbook-theme-list').isVisible())) complaints.push('the list of themes does not open');
  await tab.keyboard.press('Escape');

  await tab.goto(pages[2].url); // from the start of the page to a link in its text
  for (let presses = 0; presses < 120; ++presses) {
    await tab.keyboard.press('Tab');
    if (await tab.evaluate(() => document.activeElement.closest('main') !== null)) return complaints;
  }
  return [...complaints, 'Tab does not reach the text of a page'];
}

// A phone shows every page without scrolling sideways (listings and tables scroll in their own boxes), and the letters in drawings are 8 pixels or more.
async function phones(browser, site) {
  return on_every_page(browser, site, { viewport: phone }, (tab) => tab.evaluate(() => {
    const width = document.documentElement.clientWidth, found = [];
    for (const element of document.querySelectorAll('main *')) {  // mdBook clips what is too wide: nothing would scroll
      const right = element.getBoundingClientRect().right;
      if (right > width + 1 && !element.closest('pre, .table-wrapper, svg')) {
        found.push(`reaches to pixel ${right.toFixed()} of ${width}: ${element.tagName} ` +
          element.textContent.trim().slice(0, 40));
      }
    }
    if (document.scrollingElement.scrollWidth > width) found.push(`${document.scrollingElement.scrollWidth} pixels wide`);
    for (const text of document.querySelectorAll('main svg[role=img] text')) {
      const size = parseFloat(getComputedStyle(text).fontSize) * text.ownerSVGElement.getScreenCTM().a;
      if (size < 8) found.push(`a drawing's letters are ${size.toFixed(1)} pixels: ${text.textContent}`);
    }
    return found;
  }));
}

// The page to print holds every page, and nothing in it is empty.
async function print(browser, site) {
  const { tab, complaints } = await open_tab(browser);
  await tab.addInitScript(() => { window.print = () => {}; });
  await tab.goto(pathToFileURL(join(site, 'print.html')).href);
  const headings = await tab.locator('main h1').count();
  if (headings < pages_of(site).length) complaints.push(`${headings} headings for ${pages_of(site).length} pages`);
  complaints.push(...await tab.evaluate(() => [...document.querySelectorAll('main pre code')]
    .filter((code) => !code.textContent.trim()).map(() => 'an empty listing')));
  await tab.emulateMedia({ media: 'print' });
  const closed = await tab.evaluate(() => {
    dispatchEvent(new Event('beforeprint'));
    return [...document.querySelectorAll('main details:not([open]), main tr.same')].filter((part) => part.tagName === 'DETAILS' || !part.checkVisibility()).length;
  });
  if (closed) complaints.push(`${closed} folds and rows stay closed on paper`);
  return complaints;
}
// SPDX-License-Identifier: MIT

// A browser for the tests of the book, and the pages of a site that mdBook made.
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';

export const SKIP = 77; // what Meson takes for a skipped test

export const themes = ['light', 'rust', 'coal', 'navy', 'ayu']; // all that the menu of mdBook offers
export const phone = { width: 390, height: 844 };
export const desk = { width: 1200, height: 900 };

export function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(SKIP);
}

// Ends the test where there is no site to look at.
export function require_site(site) {
  if (existsSync(join(site, 'index.html'))) return;
  const failed = join(site, 'failed.txt');  // tests/book/site.py
  if (!existsSync(failed)) skip(`${site} holds no site: mdBook is missing (sh common/bootstrap.sh --book)`);
  console.log(`mdBook could not make the site:\n${readFileSync(failed, 'utf8')}`);
  process.exit(1);
}

// A package of tests/book/package.json; the test is skipped where nobody has installed them.
async function library(name) {
  try {
    return await import(name);
  } catch {
    return skip(`${name} is not installed: sh common/bootstrap.sh --browser`);
  }
}

function chromium(own) {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const places = (process.env.PATH || '').split(':');
  const found = names.flatMap((name) => places.map((place) => join(place, name)));
  return [...found, own].find(existsSync) || skip('Chromium is not installed: sh common/bootstrap.sh --browser');
}

export async function open_browser() {
  const { default: playwright } = await library('playwright-core');
  // In a container Chromium's sandbox needs rights that nobody has; these pages are our own.
  return playwright.chromium.launch({
    executablePath: chromium(playwright.chromium.executablePath()), args: ['--no-sandbox', '--disable-gpu'],
  });
}

export async function axe_source() {
  await library('axe-core');
  return readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
}

// The pages in the order of SUMMARY.md: {name, url}. `site` is a folder that `mdbook build` filled.
export function pages_of(site) {
  const summary = readFileSync(new URL('../../book/src/SUMMARY.md', import.meta.url), 'utf8');
  const names = [...summary.matchAll(/\]\((?:\.\/)?([\w-]+)\.md\)/g)].map((match) => match[1]);
  return names.map((name) => ({ name, url: pathToFileURL(join(site, `${name}.html`)).href }));
}

// The site from a server of this computer, as `mdbook serve` gives it: {pages, close}. A test of what a page keeps needs
// it: on a busy machine Chromium 156 at times gives a page from a file a storage that no other tab sees and no later
// page finds (one page of some 25 with eight busy processes on two cores; none of 400 pages from a server).
export async function serve(site) {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    const file = join(site, path);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': types[extname(file)] || 'application/octet-stream' }).end(readFileSync(file));
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  const base = `http://127.0.0.1:${server.address().port}`;
  return {
    pages: pages_of(site).map(({ name }) => ({ name, url: `${base}/${name}.html` })),
    close: () => { server.closeAllConnections(); server.close(); },
  };
}

// A tab that keeps what went wrong in it, in `complaints`: a request of anything but the site is a complaint too. `own` is
// how the addresses of the site begin.
export async function open_tab(browser, { theme = 'light', viewport = desk, own = 'file:' } = {}) {
  const context = await browser.newContext({ viewport, colorScheme: theme === 'light' ? 'light' : 'dark' });
  await context.addInitScript((name) => localStorage.setItem('mdbook-theme', name), theme);
  const tab = await context.newPage();
  const complaints = [];
  tab.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(`console: ${message.text()}`));
  tab.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  tab.on('requestfailed', (request) => {
    // A page that is left before its icon has come gives up on it.
    const { errorText } = request.failure();
    if (errorText !== 'net::ERR_ABORTED') complaints.push(`not loaded: ${request.url()} (${errorText})`);
  });
  tab.on('request', (request) => {
    if (![own, 'data:', 'blob:'].some((start) => request.url().startsWith(start))) complaints.push(`not part of the site: ${request.url()}`);
  });
  return { tab, complaints };
}

let only = null;

// From now on on_every_page visits this page alone.
export function look_only_at(name) {
  only = name;
}

const TABS = 2; // at the same time: test machines have two processors or more

// Visits every page, from its file or from `served` (see serve()), and gathers complaints as `page: complaint`. `look`
// returns a list of them.
export async function on_every_page(browser, site, { served = null, ...options }, look) {
  const pages = (served || pages_of(site)).filter((page) => !only || page.name === only);
  const found = new Map(pages.map(({ name }) => [name, []]));
  const left = [...pages];
  const visit = async () => {
    const { tab, complaints } = await open_tab(browser, { ...options, own: served ? new URL(served[0].url).origin : 'file:' });
    for (let page = left.shift(); page; page = left.shift()) {
      await tab.goto(page.url, { waitUntil: 'load' });
      complaints.push(...(await look(tab, page.name)));
      found.get(page.name).push(...complaints.splice(0).map((complaint) => `${page.name}: ${complaint}`));
    }
    await tab.context().close();
  };
  await Promise.all(Array.from({ length: Math.min(TABS, left.length) }, visit));
  return [...found.values()].flat();
}
// SPDX-License-Identifier: MIT

// The book in a browser: node browser_test.mjs PROMISE SITE. Prints what breaks the promise, a line each, and ends with
// 1; with 77 and the reason where mdBook or a browser is missing. SITE is a folder that `mdbook build` filled.
import { open_browser, pages_of, require_site } from './browser.mjs';
import { promises } from './promises.mjs';

async function main() {
  const [promise, site] = process.argv.slice(2);
  if (!promises[promise] || !site) throw new Error(`usage: browser_test.mjs ${Object.keys(promises).join('|')} SITE`);
  require_site(site);
  const browser = await open_browser();
  const complaints = await promises[promise](browser, site);
  await browser.close();
  console.log([...complaints, `${pages_of(site).length} pages, ${complaints.length} complaints`].join('\n'));
  return complaints.length ? 1 : 0;
}

process.exit(await main());
// SPDX-License-Identifier: MIT

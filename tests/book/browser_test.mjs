// The book in a browser: node browser_test.mjs PROMISE SITE. Prints what breaks the promise, a line each, and ends with
// 1; with 77 and the reason where mdBook or a browser is missing. SITE is a folder that `mdbook build` filled.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { open_browser, pages_of, skip } from './browser.mjs';
import { promises } from './promises.mjs';

async function main() {
  const [promise, site] = process.argv.slice(2);
  if (!promises[promise] || !site) throw new Error(`usage: browser_test.mjs ${Object.keys(promises).join('|')} SITE`);
  if (!existsSync(join(site, 'index.html'))) skip(`${site} holds no site: mdBook is missing (sh common/bootstrap.sh --book)`);
  const browser = await open_browser();
  const complaints = await promises[promise](browser, site);
  await browser.close();
  console.log([...complaints, `${pages_of(site).length} pages, ${complaints.length} complaints`].join('\n'));
  return complaints.length ? 1 : 0;
}

process.exit(await main());

// Pictures of every page, to look at: node screens.mjs SITE FOLDER. In the two themes that readers get by default, on a
// desk and on a phone; FOLDER/PAGE.THEME.WIDTH.png, each as long as its page.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { desk, open_browser, open_tab, pages_of, phone, require_site } from './browser.mjs';

async function main() {
  const [site, folder] = process.argv.slice(2);
  require_site(site);
  mkdirSync(folder, { recursive: true });
  const browser = await open_browser();
  let count = 0;
  for (const theme of ['light', 'navy']) {
    for (const viewport of [desk, phone]) {
      const { tab } = await open_tab(browser, { theme, viewport });
      for (const { name, url } of pages_of(site)) {
        await tab.goto(url, { waitUntil: 'load' });
        await tab.evaluate(() => document.querySelectorAll('details').forEach((fold) => { fold.open = true; }));
        await tab.screenshot({ path: join(folder, `${name}.${theme}.${viewport.width}.png`), fullPage: true });
        ++count;
      }
      await tab.context().close();
    }
  }
  await browser.close();
  console.log(`${count} pictures in ${folder}`);
}

await main();
// SPDX-License-Identifier: MIT

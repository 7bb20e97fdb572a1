// The site of the documentation in a real browser, served and as files: options are found by its search, and the button beside a
// block with commands copies the commands alone.
//
// usage: node browser.mjs SITE
import {existsSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {serve_files} from '../studio/serve_files.mjs';

const top = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const {chromium} = createRequire(resolve(top, 'studio/package.json'))('playwright-core');
const site = resolve(process.argv[2]);
const failures = [];
const check = (what, true_) => { if (!true_) failures.push(what); };
const browser = await chromium.launch({executablePath: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync), args: ['--headless', '--no-sandbox']});
const files = await serve_files(site);

let found = 0;
for (const [kind, address] of [['served', files.address.replace(/\/$/, '') + '/index.html'], ['as a file', pathToFileURL(`${site}/index.html`).href]]) {
  const context = await browser.newContext({viewport: {width: 1300, height: 900}});
  if (kind === 'served') await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  page.setDefaultTimeout(30000);
  await page.goto(address);
  for (const words of ['--degrees', '--html FILE', 'torques']) {
    await page.locator('.md-search__input').fill(words);
    await page.locator('.md-search-result__item').first().waitFor().then(() => { ++found; }, () => failures.push(`${kind}: nothing is found for ${words}`));
  }
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  if (kind === 'served') {
    const block = page.locator('div.highlight:has-text("torsor example theirs.csv")').first();
    await block.hover();
    await block.locator('[data-clipboard-target]').click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    check(`copied: ${JSON.stringify(copied)}`, /^torsor example theirs\.csv\ntorsor agree [^\n]+\n$/.test(copied));
  }
  await context.close();
}
await browser.close();
files.close?.();
check(`${found} of 6 searches`, found === 6);
for (const failure of failures) console.error(`FAILED: ${failure}`);
console.log(failures.length ? 'the site in a browser: failed' : 'the site in a browser: options are found, commands are copied');
process.exit(failures.length ? 1 : 0);

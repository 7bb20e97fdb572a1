// Bundles the front end into a folder (build/studio, or the one named): one script, one style sheet, the fonts of KaTeX, the page.
import {copyFileSync, mkdirSync, rmSync} from 'node:fs';
import {dirname, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? resolve(here, '../build/studio'));
rmSync(out, {recursive: true, force: true});
mkdirSync(out, {recursive: true});
await build({
  entryPoints: {studio: resolve(here, 'src/main.ts')},
  bundle: true, minify: true, format: 'esm', target: 'es2022', outdir: out, logLevel: 'warning', legalComments: 'linked',
  loader: {'.woff2': 'file', '.woff': 'empty', '.ttf': 'empty'}, assetNames: '[name]'
});
for (const name of ['index.html', 'icon.svg']) copyFileSync(resolve(here, name), resolve(out, name));

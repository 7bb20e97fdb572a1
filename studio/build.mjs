// Bundles the front end into a folder (build/studio, or the one named): one script, one style sheet, the fonts of KaTeX, the page.
// With a torsor.wasm as second argument it needs no server: the library answers in a worker, and any host of files will do.
import {copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? resolve(here, '../build/studio'));
rmSync(out, {recursive: true, force: true});
mkdirSync(out, {recursive: true});
const library = process.argv[3];
await build({
  entryPoints: {studio: resolve(here, 'src/main.ts'), ...(library ? {worker: resolve(here, 'src/worker.ts')} : {})},
  define: {WITHOUT_SERVER: String(Boolean(library))},
  bundle: true, minify: true, format: 'esm', target: 'es2022', outdir: out, logLevel: 'warning', legalComments: 'linked',
  loader: {'.woff2': 'file', '.woff': 'empty', '.ttf': 'empty'}, assetNames: '[name]'
});
for (const name of ['index.html', 'icon.svg']) copyFileSync(resolve(here, name), resolve(out, name));
if (library) {
  copyFileSync(library, resolve(out, 'torsor.wasm'));
  // what the server says of the page (cli/studio_http.cpp) the page says itself
  const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'";
  const page = resolve(out, 'index.html');
  writeFileSync(page, readFileSync(page, 'utf8').replace('<meta charset="utf-8">', `<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">`));
}

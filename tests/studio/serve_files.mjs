// A host of files on this machine, as dull as they come: what a page without a server must do with.
import {createReadStream, existsSync} from 'node:fs';
import {createServer} from 'node:http';
import {extname, join} from 'node:path';

const types = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.woff2': 'font/woff2', '.wasm': 'application/wasm'};

export const serve_files = async folder => {
  const server = createServer((request, response) => {
    // URL resolves what would lead out of the folder
    const name = decodeURIComponent(new URL(request.url, 'http://localhost').pathname).replace(/\/$/, '/index.html'), path = join(folder, name);
    if (name.includes('..') || !existsSync(path)) { response.writeHead(404).end(); return; }
    response.writeHead(200, {'Content-Type': types[extname(name)] ?? 'application/octet-stream'});
    createReadStream(path).pipe(response);
  });
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  return {address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close()};
};

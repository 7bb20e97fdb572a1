// The worker of a page without a server: the library as WebAssembly, which answers calls one after the other (studio/worker/engine.cpp).
import {Wasi} from './wasi';

interface Library {
  memory: WebAssembly.Memory;
  _initialize(): void;
  request_room(bytes: number): number;
  answer_request(): number;
  answer_size(): number;
  answer_has_rows(): number;
}

/** To the worker: the compiled module first, then calls by number. */
export type ToWorker = {module: WebAssembly.Module} | {call: number; body: string};
/** Back: the bytes of an answer; or why there will be no more of them. */
export type FromWorker = {call: number; bytes: ArrayBuffer; rows: boolean} | {lost: string};

const post = (message: FromWorker, transfer: Transferable[] = []): void => (self as unknown as Worker).postMessage(message, transfer);
let library: Promise<Library>;

const start = async (module: WebAssembly.Module): Promise<Library> => {
  const wasi = new Wasi(), {exports} = await WebAssembly.instantiate(module, {wasi_snapshot_preview1: wasi.imports});
  const started = exports as unknown as Library;
  wasi.memory = started.memory;
  started._initialize();
  return started;
};

self.onmessage = async ({data}: MessageEvent<ToWorker>): Promise<void> => {
  try {
    if ('module' in data) { library = start(data.module); await library; return; }
    const lib = await library, request = new TextEncoder().encode(data.body);
    const room = lib.request_room(request.length);
    new Uint8Array(lib.memory.buffer, room, request.length).set(request);
    const at = lib.answer_request(), bytes = lib.memory.buffer.slice(at, at + lib.answer_size());
    post({call: data.call, bytes, rows: lib.answer_has_rows() !== 0}, [bytes]);
  } catch (e) {
    post({lost: String(e)});
  }
};

// The engine without a server: the library in a worker of the browser. A long question has a worker of its own, which is ended where
// it is no longer wanted.
import {decode, type Engine, EngineError, EngineLost, type Fault, type Job, type JobFiles} from './engine';
import type {FromWorker, ToWorker} from './worker';

interface Waiting { take(answer: Record<string, unknown>): void; fail(e: unknown): void; }

/** One worker: answers in the order of the questions. */
class Asked {
  private readonly worker = new Worker('worker.js', {type: 'module'});
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;
  lost = false;

  constructor(module: WebAssembly.Module) {
    this.worker.onmessage = ({data}: MessageEvent<FromWorker>) => {
      if ('lost' in data) { this.end(new EngineLost(data.lost)); return; }
      const asked = this.waiting.get(data.call);
      this.waiting.delete(data.call);
      asked?.take(decode(data.bytes, data.rows) as Record<string, unknown>);
    };
    this.worker.onerror = e => this.end(new EngineLost(e.message));
    this.worker.postMessage({module} satisfies ToWorker);
  }

  ask(name: string, fields: object): Promise<Record<string, unknown>> {
    if (this.lost) return Promise.reject(new EngineLost('the engine has ended'));
    const call = ++this.last;
    return new Promise((take, fail) => {
      this.waiting.set(call, {take, fail});
      this.worker.postMessage({call, body: JSON.stringify({call: name, ...fields})} satisfies ToWorker);
    });
  }

  end(why: unknown): void {
    this.lost = true;
    this.worker.terminate();
    for (const each of this.waiting.values()) each.fail(why);
    this.waiting.clear();
  }
}

const answered = <T>(answer: Record<string, unknown>): T => {
  if (Array.isArray(answer.faults)) throw new EngineError(answer.faults as Fault[], answer);
  return answer as T;
};

export class WorkerEngine implements Engine {
  /** Ends the worker, as a browser does that runs out of memory. */
  lose(): void { this.main?.end(new EngineLost('the engine has ended')); }

  private module: Promise<WebAssembly.Module> | undefined;
  private main: Asked | undefined;
  private readonly opened = new Map<number, object>();  // what was asked for the thing of a number

  private async compiled(): Promise<WebAssembly.Module> {
    this.module ??= (async () => {
      const response = await fetch('torsor.wasm');
      if (!response.ok) throw new EngineLost(`torsor.wasm: ${response.status}`);
      return WebAssembly.compile(await response.arrayBuffer());
    })();
    try {
      return await this.module;
    } catch (e) {
      this.module = undefined;  // the next call tries again
      throw e instanceof EngineLost ? e : new EngineLost(String(e));
    }
  }

  async call<T>(name: string, fields: object = {}): Promise<T> {
    const module = await this.compiled();
    this.main ??= new Asked(module);
    if (this.main.lost) {
      this.main = undefined;  // what was open went with it: whoever asks next begins anew
      throw new EngineLost('the engine has ended');
    }
    const answer = answered<T & {id?: number}>(await this.main.ask(name, fields));
    if (name === 'open' && answer.id !== undefined) this.opened.set(answer.id, fields);
    return answer;
  }

  job(id: number, question: string, files: JobFiles = {}, progress: (seconds: number) => void = () => undefined): Job<string> {
    const begun = performance.now();
    const clock = setInterval(() => progress((performance.now() - begun) / 1000), 200);
    let cancelled = false;
    let own: Asked | undefined;
    const ended = (): EngineError => new EngineError([{severity: 'note', rule: 'job-cancelled', offender: question, what: 'cancelled', remedy: ''}]);
    const run = async (): Promise<string> => {
      try {
        const module = await this.compiled();
        if (cancelled) throw ended();
        own = new Asked(module);
        const thing = answered<{id: number}>(await own.ask('open', this.opened.get(id) ?? {}));
        const {job} = answered<{job: number}>(await own.ask('start', {id: thing.id, question, ...files}));
        const look = answered<{code: number; answer: string; said: string}>(await own.ask('look', {job}));
        if (look.code !== 0 && !look.answer)
          throw new EngineError([{severity: 'error', rule: 'verb', offender: '', what: look.said.trim() || `exit code ${look.code}`, remedy: ''}]);
        return look.answer;
      } finally {
        clearInterval(clock);
        own?.end(ended());
      }
    };
    return {result: run(), cancel: () => { cancelled = true; own?.end(ended()); }};
  }
}

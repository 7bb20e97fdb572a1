// The native engine: `torsor studio` on this machine, same origin, the token in the path of the page.
import {decode, type Engine, EngineError, EngineLost, type Fault, type Job, type JobFiles} from './engine';

export class HttpEngine implements Engine {
  async call<T>(name: string, fields: object = {}): Promise<T> {
    let answer: Record<string, unknown>;
    try {
      const response = await fetch('call', {
        method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({call: name, ...fields})
      });
      if (!response.ok) throw new EngineLost(`the engine answers ${response.status}`);
      answer = decode(await response.arrayBuffer(), response.headers.get('Content-Type') === 'application/octet-stream') as Record<string, unknown>;
    } catch (e) {
      throw e instanceof EngineLost ? e : new EngineLost('the engine does not answer');
    }
    if (Array.isArray(answer.faults)) throw new EngineError(answer.faults as Fault[], answer);
    return answer as T;
  }

  job(id: number, question: string, files: JobFiles = {}, progress: (seconds: number) => void = () => undefined): Job<string> {
    let cancelled = false;
    let job = 0;
    const ended = (): EngineError => new EngineError([{severity: 'note', rule: 'job-cancelled', offender: question, what: 'cancelled', remedy: ''}]);
    const run = async (): Promise<string> => {
      job = (await this.call<{job: number}>('start', {id, question, ...files})).job;
      for (let wait = 40; ; wait = Math.min(500, wait * 1.4)) {
        await new Promise(done => setTimeout(done, wait));
        if (cancelled) throw ended();
        const look = await this.call<{done: boolean; seconds: number; code: number; answer: string; said: string}>('look', {job})
          .catch((e: unknown) => { throw cancelled ? ended() : e; });  // one that is under way asks for a job that is gone
        if (!look.done) { progress(look.seconds); continue; }
        if (look.code !== 0 && !look.answer)
          throw new EngineError([{severity: 'error', rule: 'verb', offender: '', what: look.said.trim() || `exit code ${look.code}`, remedy: ''}]);
        return look.answer;
      }
    };
    return {result: run(), cancel: () => { cancelled = true; if (job) void this.call('cancel', {job}).catch(() => undefined); }};
  }
}

// The engine: whoever computes. The page asks, and draws what it is told; a second engine (the library in a worker) has this
// interface, too, and nothing else of the page knows which one answers.

/** A refusal of the engine: what is wrong, where, and what to do about it. */
export interface Fault {
  severity: 'note' | 'warning' | 'error';
  rule: string;
  file?: string;
  line?: number;
  offender: string;
  what: string;
  remedy: string;
}

export class EngineError extends Error {
  constructor(readonly faults: Fault[], readonly answer: Record<string, unknown> = {}) {
    super(faults.map(f => (f.offender ? f.offender + ': ' : '') + f.what + (f.remedy ? '; ' + f.remedy : '')).join('\n'));
  }
}

/** The engine does not answer at all. */
export class EngineLost extends Error {}

/** Long rows of numbers, row by row. */
export interface Rows {
  numbers: Float64Array;
  columns: number;
}

/** Texts of the files that a question takes besides the robot. */
export interface JobFiles {
  motion?: string;
  drives?: string;
}

export interface Job<T> {
  result: Promise<T>;
  cancel(): void;
}

export interface Engine {
  /** One call; rows of its answer are Rows. Throws EngineError or EngineLost. */
  call<T>(name: string, fields?: object): Promise<T>;
  /** Long work on what is open; `progress` is told the seconds so far. The answer is the text that the verb prints. */
  job(id: number, question: string, files?: JobFiles, progress?: (seconds: number) => void): Job<string>;
}

/** JSON with rows of numbers behind it; without any, rows of an answer are empty. */
export const decode = (bytes: ArrayBuffer, rows: boolean): unknown => {
  const length = rows ? new DataView(bytes).getUint32(0, true) : bytes.byteLength, first = rows ? 4 + length : 0;
  const text = new TextDecoder().decode(new Uint8Array(bytes, rows ? 4 : 0, length));
  return JSON.parse(text, (_, value: unknown) => {
    if (value === null || typeof value !== 'object' || !('f64' in value)) return value;
    const {f64: [at, count], columns} = value as {f64: [number, number]; columns: number};
    return {numbers: new Float64Array(bytes, first + 8 * at, count), columns} satisfies Rows;
  });
};

/** Asks with the newest request alone: while one is under way, those in between are left out. */
export class Latest<Q, A> {
  busy = false;
  /** Why the last question was refused; empty where it was not. */
  refused = '';
  private next: Q | undefined;
  private waiting: (() => void)[] = [];
  constructor(private ask: (q: Q) => Promise<A>, private take: (a: A, q: Q) => void, private fail: (e: unknown) => void) {}

  request(q: Q): void {
    this.next = q;
    if (!this.busy) void this.run();
  }

  private async run(): Promise<void> {
    this.busy = true;
    while (this.next !== undefined) {
      const q = this.next;
      this.next = undefined;
      try {
        this.take(await this.ask(q), q);
        this.refused = '';
      } catch (e) {
        this.refused = e instanceof Error ? e.message : String(e);
        this.fail(e);
      }
    }
    this.busy = false;
    for (const done of this.waiting.splice(0)) done();
  }

  /** Whether a newer question waits. */
  get pending(): boolean { return this.next !== undefined; }

  /** What became of the newest: why it was refused, or nothing. */
  async verdict(): Promise<string> {
    await this.idle();
    return this.refused;
  }

  /** When the newest has been answered. */
  idle(): Promise<void> { return this.busy ? new Promise(done => { this.waiting.push(done); }) : Promise.resolve(); }
}

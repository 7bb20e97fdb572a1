// What a person has set: kept in the address and in the browser, undone and redone. Numbers are SI and radians.
export interface Point { q: number[]; duration: number; position?: number[]; quaternion?: number[] }
/** A motion as rows of joint positions over time, CSV. */
export interface Table { name: string; text: string }
export interface Subject { name?: string; path?: string; dropped?: boolean; tool?: string }
export interface Settings {
  subject: Subject;
  tab: string;
  q: number[]; qd: number[]; qdd: number[];
  payload: [number, number, number, number];
  wrench: [number, number, number, number, number, number];
  points: Point[]; motion: 'usual' | 'published' | 'points' | 'table'; path: string; law: string; space: 'joints' | 'tool'; fastest: boolean;
  drivers: number[];
  show: Record<string, boolean>;
  degrees: boolean; millimetres: boolean; dark: boolean | null;
}

export const fresh = (): Settings => ({
  subject: {}, tab: 'joints', q: [], qd: [], qdd: [], payload: [0, 0, 0, 0], wrench: [0, 0, 0, 0, 0, 0],
  points: [], motion: 'usual', path: 'stops', law: 'quintic', space: 'joints', fastest: false, drivers: [],
  show: {torques: true, labels: true, frames: false, masses: false, ellipsoids: false, reactions: false, ghosts: true, path: true,
    shapes: true, freedom: false, axes: false},
  degrees: true, millimetres: false, dark: null
});

const undoable = ['q', 'qd', 'qdd', 'payload', 'wrench', 'points', 'motion', 'path', 'law', 'space', 'fastest', 'drivers'] as const;
const key = 'torsor-studio';

const encode = (s: Settings): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(s)))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const decode = (text: string): Partial<Settings> | null => {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0));
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return value && typeof value === 'object' ? value as Partial<Settings> : null;
  } catch {
    return null;
  }
};
const merged = (s: Partial<Settings>): Settings => ({...fresh(), ...s, show: {...fresh().show, ...s.show}});

export class Store {
  now: Settings = fresh();
  private past: string[] = [];
  private future: string[] = [];
  private timer = 0;
  private kept = -Infinity;
  onhistory: () => void = () => undefined;

  /** What the address says; else what was there last; else nothing of either. A page that is loaded again goes on where this tab was: its
   *  address may be older, for it is not changed any more once the page goes. */
  restore(): boolean {
    const again = (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined)?.type === 'reload';
    let given = location.hash.startsWith('#s=') ? decode(location.hash.slice(3)) : null;
    let last: Partial<Settings> | null = null;
    try {
      last = decode(localStorage.getItem(key) ?? '');
      if (again && given) given = decode(sessionStorage.getItem(key) ?? '') ?? given;
    } catch { /* no storage */ }
    if (given ?? last) this.now = merged((given ?? last)!);
    return given !== null || last !== null;
  }

  /** An instant one may come back to: before something is changed. */
  mark(): void {
    const text = this.part();
    if (this.past.at(-1) === text) return;
    this.past.push(text);
    if (this.past.length > 200) this.past.shift();
    this.future = [];
    this.onhistory();
  }
  undo(): boolean { return this.step(this.past, this.future); }
  redo(): boolean { return this.step(this.future, this.past); }
  get canUndo(): boolean { return this.past.length > 0; }
  get canRedo(): boolean { return this.future.length > 0; }
  forget(): void { this.past = []; this.future = []; this.onhistory(); }

  /** What was dropped, as far as the browser has a place for it: a closed tab loses nothing. */
  keepDropped(files: object[], main: string): void {
    const text = JSON.stringify({files, main});
    try { if (files.length && text.length < 3e6) localStorage.setItem(key + '-dropped', text); else localStorage.removeItem(key + '-dropped'); } catch { /* no storage */ }
  }
  dropped(): {files: {name: string; text?: string; base64?: string}[]; main: string} | null {
    try { return JSON.parse(localStorage.getItem(key + '-dropped') ?? 'null') as ReturnType<Store['dropped']>; } catch { return null; }
  }

  /** A table of a motion, likewise. */
  keepTable(table: Table): void {
    try { if (table.text.length < 2e6) localStorage.setItem(key + '-table', JSON.stringify(table)); } catch { /* no storage */ }
  }
  table(): Table | null {
    try { return JSON.parse(localStorage.getItem(key + '-table') ?? 'null') as Table | null; } catch { return null; }
  }

  keepDrives(drives: Table | null): void {
    try { localStorage.setItem(key + '-drives', JSON.stringify(drives)); } catch { /* no storage */ }
  }
  drives(): Table | null {
    try { return JSON.parse(localStorage.getItem(key + '-drives') ?? 'null') as Table | null; } catch { return null; }
  }

  /** Into the address and the browser: at once, and while much changes every quarter of a second. */
  keep(): void {
    clearTimeout(this.timer);
    const since = performance.now() - this.kept;
    if (since > 250) this.flush();
    else this.timer = window.setTimeout(() => this.flush(), 250 - since);
  }
  flush(): void {
    clearTimeout(this.timer);
    this.kept = performance.now();
    const text = encode(this.now);
    if (text.length < 60000) history.replaceState(null, '', '#s=' + text);
    for (const place of ['localStorage', 'sessionStorage'] as const)
      try { window[place].setItem(key, text); } catch { /* no storage */ }
  }

  private part(): string { return JSON.stringify(undoable.map(k => this.now[k])); }
  private step(from: string[], to: string[]): boolean {
    const here = this.part();
    let text = from.pop();
    while (text === here) text = from.pop();
    if (text === undefined) { this.onhistory(); return false; }
    to.push(here);
    const values = JSON.parse(text) as unknown[];
    undoable.forEach((k, i) => { (this.now as unknown as Record<string, unknown>)[k] = values[i]; });
    this.onhistory();
    return true;
  }
}

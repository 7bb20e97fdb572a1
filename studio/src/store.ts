// Where the settings are kept: in the address and in the browser; they are undone and redone.
import {fresh, type Settings, settingsOf, type Subject, type Table} from './settings';

const undoable = ['q', 'qd', 'qdd', 'payload', 'wrench', 'points', 'motion', 'path', 'law', 'space', 'fastest', 'drivers'] as const;
const key = 'torsor-studio';

const encode = (s: Settings): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(s)))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const decode = (text: string): object | null => {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0));
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return value && typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
};
/** A short number of a text: another text has another. */
const printOf = (text: string): string => {
  let x = 0x811c9dc5;
  for (let k = 0; k < text.length; ++k) x = Math.imul(x ^ text.charCodeAt(k), 0x01000193);
  return (x >>> 0).toString(16);
};
const places = ['sessionStorage', 'localStorage'] as const;
export interface Kept { files: {name: string; text?: string; base64?: string}[]; main: string; print?: string }

export class Store {
  now: Settings = fresh();
  private past: string[] = [];
  private future: string[] = [];
  private timer = 0;
  private kept = -Infinity;
  onhistory: () => void = () => undefined;

  /** What the address says; else what was there last; else nothing of either. A page that is loaded again goes on where this tab was: its
   *  address may be older, for it is not changed any more once the page goes. */
  restore(tell: (what: string) => void): 'link' | 'last' | null {
    const again = (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined)?.type === 'reload';
    const linked = location.hash.startsWith('#s=');
    let given = linked ? decode(location.hash.slice(3)) : null;
    let last: object | null = null;
    try {
      last = decode(localStorage.getItem(key) ?? '');
      if (again && given) given = decode(sessionStorage.getItem(key) ?? '') ?? given;
    } catch { /* no storage */ }
    if (linked && !given) tell(`it cannot be read; ${last ? 'what was open last' : 'what opens without one'} is shown`);
    const found = given ?? last;
    if (found) this.now = settingsOf(found, tell);
    return given ? 'link' : last ? 'last' : null;
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

  /** What was dropped, as far as the browser has a place for it: a closed tab loses nothing. Answers its print, by which it is found again. */
  keepDropped(files: object[], main: string): string {
    const text = JSON.stringify({files, main}), small = files.length > 0 && text.length < 3e6, print = small ? printOf(text) : 'not kept';
    for (const place of places)
      try {
        if (small) window[place].setItem(key + '-dropped', JSON.stringify({files, main, print}));
        else window[place].removeItem(key + '-dropped');
      } catch { /* no storage */ }
    return print;
  }
  /** The files of a subject that was dropped, where they are still here: those of this tab, else of another. */
  dropped({name, print}: Subject): Kept | null {
    for (const place of places)
      try {
        const kept = JSON.parse(window[place].getItem(key + '-dropped') ?? 'null') as Kept | null;
        if (kept && kept.main === name && (print === undefined || kept.print === print)) return kept;
      } catch { /* no storage */ }
    return null;
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
    for (const place of places)
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

// What a person has set: numbers are SI and radians. A link or the browser's memory may say anything: what has not the form of its setting
// is left out, and that is told.
export interface Point { q: number[]; duration: number; position?: number[]; quaternion?: number[] }
/** A motion as rows of joint positions over time, CSV. */
export interface Table { name: string; text: string }
/** `print`: of the files that were dropped, so that others of the same name are not taken for them. */
export interface Subject { name?: string; path?: string; dropped?: boolean; print?: string; tool?: string }
/** Of a simulation; without a law it is the usual one of the robot. */
export interface RunSettings { law: string; kp: number; kv: number; friction: number; push: number; lasts: number; direction: string }
export interface Settings {
  subject: Subject;
  tab: string;
  q: number[]; qd: number[]; qdd: number[];
  payload: [number, number, number, number];
  wrench: [number, number, number, number, number, number];
  points: Point[]; motion: 'usual' | 'published' | 'points' | 'table'; path: string; law: string; space: 'joints' | 'tool'; fastest: boolean;
  drivers: number[];
  run: RunSettings;
  show: Record<string, boolean>;
  degrees: boolean; millimetres: boolean; dark: boolean | null;
}

export const fresh = (): Settings => ({
  subject: {}, tab: 'joints', q: [], qd: [], qdd: [], payload: [0, 0, 0, 0], wrench: [0, 0, 0, 0, 0, 0],
  points: [], motion: 'usual', path: 'stops', law: 'quintic', space: 'joints', fastest: false, drivers: [],
  run: {law: '', kp: 100, kv: 20, friction: 1, push: 50, lasts: 0.1, direction: '0'},
  show: {torques: true, labels: true, frames: false, masses: false, ellipsoids: false, reactions: false, ghosts: true, path: true,
    shapes: true, freedom: false, axes: false},
  degrees: true, millimetres: false, dark: null
});

/** What the page itself refuses of a push; gains and friction are the engine's to refuse. */
export const pushRefusals: Partial<Record<keyof RunSettings, (x: number) => string>> = {
  push: x => x >= 0 ? '' : 'choose the direction beside it',
  lasts: x => x > 0 && x <= 10 ? '' : 'it lasts up to 10 s'
};

type Form = (x: unknown) => string;
const is = (holds: (x: unknown) => boolean, what: string): Form => x => (holds(x) ? '' : `${what} is needed`);
const finite = (x: unknown): x is number => typeof x === 'number' && Number.isFinite(x);
const numbers = (x: unknown): x is number[] => Array.isArray(x) && x.every(finite);
const record = (x: unknown): x is Record<string, unknown> => typeof x === 'object' && x !== null && !Array.isArray(x);
const optional = (x: unknown, kind: 'string' | 'boolean'): boolean => x === undefined || typeof x === kind;
const text = is(x => typeof x === 'string', 'a word'), choice = is(x => typeof x === 'boolean', 'true or false'), list = is(numbers, 'a list of numbers');
const listOf = (n: number): Form => is(x => numbers(x) && x.length === n, `a list of ${n} numbers`);
const oneOf = (...words: string[]): Form => is(x => words.includes(x as string), words.join(' or '));
const pointed = (p: unknown): boolean => record(p) && numbers(p.q) && finite(p.duration) && p.duration > 0
  && [p.position, p.quaternion].every(x => x === undefined || numbers(x));

const forms: Record<keyof Settings, Form> = {
  subject: is(x => record(x) && [x.name, x.path, x.tool, x.print].every(y => optional(y, 'string')) && optional(x.dropped, 'boolean'), 'a robot or mechanism'),
  tab: text, q: list, qd: list, qdd: list, payload: listOf(4), wrench: listOf(6),
  points: is(x => Array.isArray(x) && x.every(pointed), 'a list of way points, which take some time'),
  motion: oneOf('usual', 'published', 'points', 'table'), path: text, law: text, space: oneOf('joints', 'tool'), fastest: choice, drivers: list,
  run: is(record, 'a group of settings'), show: is(x => record(x) && Object.values(x).every(y => typeof y === 'boolean'), 'a group of true and false'),
  degrees: choice, millimetres: choice, dark: is(x => x === null || typeof x === 'boolean', 'true or false')
};
const number = is(finite, 'a number');
const ofPush = (key: 'push' | 'lasts'): Form => x => number(x) || pushRefusals[key]!(x as number);
const runForms: Record<keyof RunSettings, Form> = {law: text, kp: number, kv: number, friction: number, push: ofPush('push'), lasts: ofPush('lasts'),
  direction: oneOf('0', '1', '2', '3', '4', '5')};

/** The usual, with what is given and has its form in place of it. */
const taken = <T extends object>(usual: T, given: object, form: Record<keyof T, Form>, tell: (what: string) => void): T => {
  const all = {...usual};
  for (const [key, value] of Object.entries(given)) {
    const why = key in form ? form[key as keyof T](value) : 'there is no such setting';
    if (why) tell(`${key}: ${why}`);
    else all[key as keyof T] = value as T[keyof T];
  }
  return all;
};

export const settingsOf = (given: object, tell: (what: string) => void): Settings => {
  const usual = fresh(), all = taken(usual, given, forms, tell);
  return {...all, run: taken(usual.run, all.run, runForms, tell), show: {...usual.show, ...all.show}};
};

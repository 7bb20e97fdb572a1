// Numbers as people read them. Everything inside is SI and radians; only what is shown or typed is in the chosen unit.
import type {Kind} from './answers';

export const units = {degrees: true, millimetres: false};

/** Five significant digits, no rounding noise. */
export const digits = (x: number, count = 5): string => {
  if (!Number.isFinite(x)) return '–';
  const text = Number(x.toPrecision(count));
  return Math.abs(text) < 1e-12 ? '0' : (Math.abs(text) >= 1e6 || Math.abs(text) < 1e-4 ? text.toExponential() : String(text)).replaceAll('-', '−');
};

const factor = (kind: Kind): number => kind === 'angle' && units.degrees ? 180 / Math.PI : kind === 'length' && units.millimetres ? 1000 : 1;
/** Of what is closer to zero than any joint can be set, the zero: an assembly leaves 1e-17 rad where it is meant to leave none. */
const clean = (x: number): number => Math.abs(x) < 1e-12 ? 0 : x;
export const shown = (x: number, kind: Kind): number => clean(x) * factor(kind);
export const typed = (x: number, kind: Kind): number => x / factor(kind);
export const unitOf = (kind: Kind, order = 0): string =>
  kind === 'quaternion' ? '' : (kind === 'length' ? units.millimetres ? 'mm' : 'm' : units.degrees ? '°' : 'rad') + ['', '/s', '/s²'][order];
/** A place or a way: `0.1, 0.2, 0.3 m`. */
export const lengths = (list: ArrayLike<number>, count = 5, between = ', '): string =>
  `${Array.from(list, x => digits(shown(x, 'length'), count)).join(between)} ${unitOf('length')}`;
/** A joint position in one line: its unit behind it, or behind each number where they differ. */
export const posture = (q: number[], kinds: Kind[], count: number): string => {
  const same = kinds.every(k => k === kinds[0]), unit = (k: number): string => (unitOf(kinds[k]!) && !(kinds[k] === 'angle' && units.degrees) ? ' ' : '') + unitOf(kinds[k]!);
  return q.map((x, k) => digits(shown(x, kinds[k]!), count) + (same ? '' : unit(k))).join(same ? ' ' : ', ') + (same ? unit(0) : '');
};
/** For KaTeX, which has no ² of its own, and takes 4e-5 for a product. */
export const texUnit = (unit: string): string => `\\,\\mathrm{${unit.replaceAll('²', '^2').replaceAll(' ', '\\,')}}`;
export const texNumber = (x: number, count: number): string => digits(x, count).replaceAll('−', '-').replace(/e\+?(-?\d+)$/, ' \\cdot 10^{$1}');

export const torqueUnit = (kind: Kind): string => kind === 'length' ? 'N' : 'N m';

export const csv = (header: string[], columns: number[][]): string =>
  [header.join(','), ...Array.from({length: columns[0]?.length ?? 0}, (_, k) => columns.map(c => String(c[k])).join(','))].join('\n') + '\n';

/** A position beyond its limit, in words; empty where it is inside. */
export const beyondLimit = (x: number, {lower, upper}: {lower: number | null; upper: number | null}, kind: Kind): string => {
  const limit = lower !== null && x < lower - 1e-9 ? lower : upper !== null && x > upper + 1e-9 ? upper : null;
  return limit === null ? '' : `beyond its limit, ${digits(shown(limit, kind))} ${unitOf(kind)}`;
};

// Numbers that are typed: one rule for every field. A comma or a point stands before the decimals; what is no number, does not fit, or is
// refused by the engine goes back to the value that holds, and why is said at the field until something else is typed.
import {h} from './dom';

export interface NumberField extends HTMLInputElement {
  /** Shows the value that holds, unless somebody is typing. */
  refresh(): void;
}
interface NumberOf {
  label: string;
  /** The value that holds, as it is shown. */
  get(): number;
  /** Takes another; answers, or promises, why it cannot be had: empty where it can. */
  set(x: number): unknown;
  step?: number;
  refusal?(x: number): string;
}

/** "1.5", "1,5", "-2e-3"; null where it is no number, and where a sign could mean decimals as well as thousands. */
export const numberOf = (text: string): number | null => {
  const plain = text.trim().replaceAll('−', '-');
  return /^[+-]?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain.replace(',', '.')) : null;
};

let under_way = 0;
/** What is refused now is told at a field. */
export const isTyped = (): boolean => under_way > 0;

let lost = false;
/** Whether there is no engine that could refuse: what is typed is kept, though nothing is computed of it. */
export const keepTyped = (kept: boolean): void => { lost = kept; };

let said: HTMLElement | null = null;
const tell = (e: HTMLElement, why: string): void => {
  said?.remove();
  for (const other of document.querySelectorAll('.number[aria-invalid]')) other.removeAttribute('aria-invalid');
  said = null;
  if (!why) return;
  e.setAttribute('aria-invalid', 'true');
  said = h('span.refusal', {role: 'alert'}, why);
  (e.closest('.joint, .point, label, .row') ?? e).after(said);
  said.scrollIntoView({block: 'nearest'});
};

export const numberField = ({label, get, set, step = 0.1, refusal = () => ''}: NumberOf): NumberField => {
  const text = (): string => String(Number(get().toPrecision(6)));
  const take = async (typed: string): Promise<void> => {
    const x = numberOf(typed);
    let why = x === null ? 'a number is needed, such as 1.5' : !Number.isFinite(x) ? 'it is too large' : refusal(x);
    if (!why && x !== null) {
      e.setAttribute('aria-busy', 'true');
      ++under_way;
      try {
        const answer: unknown = await set(x);
        why = typeof answer === 'string' ? answer : '';
      } finally { --under_way; }
    }
    e.removeAttribute('aria-busy');
    e.value = text();
    const kept = lost && x !== null && String(Number(x.toPrecision(6))) === text();
    tell(e, why && `${label.replace(' as a number', '')}: ${why}. ${kept ? `${text()} is kept; grey numbers are those of before` : `It stays ${text()}`}.`.replaceAll('..', '.'));
  };
  const e: NumberField = Object.assign(h<HTMLInputElement>('input.number', {type: 'text', inputMode: 'decimal', autocomplete: 'off', spellcheck: false, value: text(), 'aria-label': label,
    onchange: () => void take(e.value),
    onkeydown: (k: KeyboardEvent) => {
      if (k.key !== 'ArrowUp' && k.key !== 'ArrowDown') return;
      k.preventDefault();
      void take(String(Number(((numberOf(e.value) ?? get()) + (k.key === 'ArrowUp' ? step : -step)).toPrecision(12))));
    }}), {refresh: () => { if (document.activeElement !== e) e.value = text(); }});
  return e;
};

// Equations: D, C and G at the present state as heat maps; an entry with its formula, its value, why it is zero, what it means.
import katex from 'katex';
import {choice, h} from '../dom';
import {signedColour} from '../colours';
import {digits, texNumber, texUnit, torqueUnit} from '../units';
import type {Panel} from './panel';

interface Coefficient { name: string; kind: string; zero: boolean; zero_at_levels: string[]; constant: boolean; depends_on: string[]; meaning: string; because?: string; least: number; mean: number; most: number; relative_size: number }
interface Entry { i: number; j: number; zero: boolean; because?: string; terms: {sign: number; coefficient: string; velocity: string}[] }
interface Structure { coefficients: Coefficient[]; coriolis: Entry[] }
interface Equations { equations: {part: string; name: string; latex_name: string; latex: string}[]; letters: {latex: string; value: number}[]; not_multiplied_out?: string }

const known = new Map<number, {structure?: Structure; equations?: Equations}>();

export const equations: Panel = {
  name: 'equations', title: 'Equations', of: 'robot',
  make(app, into) {
    const robot = app.robot!, n = robot.nv, comma = n > 9 ? ',' : '', names = robot.velocities.map(v => v.name);
    if (!robot.has_mass) {
      into.append(h('p.empty', null, 'Nothing of this robot has a mass.'));
      return () => undefined;
    }
    const cells: Record<'D' | 'C' | 'G', HTMLElement[]> = {D: [], C: [], G: []};
    const detail = h('div.detail', {role: 'status'}, h('p.hint', null, 'Click an entry: its formula, its value, and why it is zero or constant.'));
    const answers = known.get(robot.id) ?? {};
    known.set(robot.id, answers);
    const still = h('p.hint', null, 'C is zero at rest: set velocities under Joints, or play a motion.');
    let chosen: ['D' | 'C' | 'G', number, number] | null = null, failure = '';

    /** The letters that a formula comes down to, with their numbers. */
    const letters = (name: string): Node | null => {
      const all = answers.equations!, used = new Set<string>(), queue = [all.equations.find(x => x.name === name)?.latex ?? ''];
      for (const seen = new Set<string>(); queue.length;) {
        const text = queue.shift()!;
        for (const l of all.letters) if (/[IJ]_\{/.test(l.latex) && text.includes(l.latex)) used.add(`${l.latex} = ${texNumber(l.value, 6)}`);
        for (const [token] of text.matchAll(/t_\{\d+\}/g)) if (!seen.has(token)) { seen.add(token); queue.push(all.equations.find(x => x.latex_name === token)?.latex ?? ''); }
      }
      if (!used.size || used.size > 6) return null;
      const line = h('div.parts');
      katex.render([...used].join(',\\quad '), line, {throwOnError: false});
      return line;
    };
    const formula = (name: string): Node | null => {
      const e = answers.equations?.equations.find(x => x.name === name);
      if (!e) return null;
      const box = h('div.formula');
      katex.render(`${e.latex_name} = ${e.latex}`, box, {throwOnError: false, displayMode: true});
      // what it is written with
      const used = new Set<string>(), queue = [e.latex];
      const parts = h('div.parts');
      while (queue.length && used.size < 14) {
        const text = queue.shift()!;
        for (const [token] of text.matchAll(/t_\{\d+\}/g)) {
          if (used.has(token)) continue;
          used.add(token);
          const d = answers.equations!.equations.find(x => x.latex_name === token);
          if (!d) continue;
          queue.push(d.latex);
          const line = h('div');
          katex.render(`${d.latex_name} = ${d.latex}`, line, {throwOnError: false});
          parts.append(line);
        }
      }
      if (used.size) box.append(h('details', null, h('summary', null, `with ${used.size} abbreviations`), parts));
      return box;
    };
    // what rounding leaves of a zero: of C and G measured by what D makes of the velocities and of gravity, too
    const values = (which: 'D' | 'C' | 'G'): number[] => {
      const {M, C, causes} = app.state!, list = which === 'D' ? M : which === 'C' ? C : causes.gravity;
      const size = (x: number[]): number => Math.max(0, ...x.map(Math.abs)), by = which === 'D' ? 1 : which === 'C' ? size(app.now.qd) : 9.81;
      const least = 1e-14 * Math.max(size(list), by * size(M));
      return list.map(x => Math.abs(x) < least ? 0 : x);
    };
    const slides = (k: number): boolean => robot.velocities[k]!.kind === 'length', force = (k: number): string => torqueUnit(robot.velocities[k]!.kind);
    const rate = (k: number): string => slides(k) ? 'm/s' : 'rad/s';
    const units = (which: 'D' | 'C' | 'G', i: number, j: number): string => which === 'G' ? force(i)
      : which === 'D' ? ['kg m²', 'kg m', 'kg'][Number(slides(i)) + Number(slides(j))]! : ['N m s', 'N s', 'N s/m'][Number(slides(i)) + Number(slides(j))]!;
    /** An entry of C by its coefficients: c_12(3) times a velocity, and so on. */
    const sum = (e: Entry): Node => {
      const box = h('div.formula');
      const text = e.terms.map((t, k) => {
        const [, indices, row] = /^c([\d,]+)\((\d+)\)$/.exec(t.coefficient)!;
        return `${t.sign < 0 ? '-' : k ? '+' : ''} c_{${indices}}^{(${row})}\\,\\dot q_{${names.indexOf(t.velocity) + 1}}`;
      }).join(' ');
      katex.render(`C_{${e.i}${comma}${e.j}} = ${text}`, box, {throwOnError: false, displayMode: true});
      return box;
    };
    const tell = (): void => {
      if (!chosen) return;
      const [which, i, j] = chosen, [a, b] = [Math.min(i, j) + 1, Math.max(i, j) + 1];
      const text = which === 'D' ? `d${a}${comma}${b}` : which === 'G' ? `G${i + 1}` : '';
      const c = answers.structure?.coefficients.find(x => x.name === text);
      const value = values(which)[which === 'G' ? i : i * n + j]!;
      const symbol = which === 'G' ? `G_{${i + 1}}` : `${which}_{${i + 1}${comma}${j + 1}}`;
      const head = h('div.symbol');
      katex.render(`${symbol} = ${texNumber(value, 6)}${texUnit(units(which, i, j))}`, head, {throwOnError: false});
      const said: Node[] = [head];
      if (which === 'C') {
        const entry = answers.structure?.coriolis.find(e => e.i === i + 1 && e.j === j + 1);
        said.push(h('p', null, `What ${names[j]} at 1 ${rate(j)} adds to the ${slides(i) ? 'force' : 'torque'} of ${names[i]}, ${force(i)}, while all joints go as they do now.`));
        if (entry?.zero) said.push(h('p.because', null, `Zero in every position and at all velocities: ${entry.because}.`));
        else if (value === 0) said.push(h('p.because', null, app.now.qd.some(x => x !== 0) ? 'Zero at this position and these velocities.' : 'Zero at rest, as all of C.'));
        if (entry && !entry.zero) {
          const parts = entry.terms.map(t => answers.structure!.coefficients.find(x => x.name === t.coefficient)!);
          const joints = names.filter(name => parts.some(p => p.depends_on.includes(name)));
          said.push(sum(entry), h('p', null, joints.length ? `Depends on the positions of ${joints.join(', ')}, and on the velocities in its sum.` : 'Depends on no position, only on the velocities in its sum.'),
            h('details', null, h('summary', null, 'what its coefficients mean'), h('ul', null, ...parts.map(p => h('li', null, `${p.name}: ${p.meaning}`)))));
        } else if (!entry) said.push(h('p.hint', null, failure ? `Nothing is known of it: ${failure}` : 'Asking when it is zero ...'));
      }
      if (value === 0 && c && !c.zero) said.push(h('p.because', null, 'Zero at this position.'));
      if (c) {
        said.push(h('p', null, h('b', null, c.meaning[0]!.toUpperCase() + c.meaning.slice(1) + '.')));
        if (c.zero) said.push(h('p.because', null, c.zero_at_levels.includes('generic') ? `Zero in every position: ${c.because}.` : `Zero in every position, with the numbers of this robot: ${c.because}.`));
        else if (c.constant) said.push(h('p', null, 'Constant: it depends on no joint.'));
        else said.push(h('p', null, `Depends on ${c.depends_on.join(', ')}. Over the workspace from ${digits(c.least, 4)} to ${digits(c.most, 4)} ${units(which, i, j)}.`));
      } else if (which !== 'C') said.push(h('p.hint', null, answers.structure ? '' : failure ? `Nothing is known of it: ${failure}` : 'Asking why ...'));
      const written = which === 'C' ? undefined : [which === 'D' ? `D${i + 1}${comma}${j + 1}` : `G${i + 1}`, ...(which === 'D' ? [`D${a}${comma}${b}`] : [])].find(name => answers.equations?.equations.some(e => e.name === name));
      if (written) {
        // a formula in letters is one for all numbers; those of this robot may cancel in it
        const cancels = c?.zero && answers.equations!.equations.find(e => e.name === written)!.latex !== '0';
        if (cancels) said.push(h('p.cancels', null, 'In letters, for other numbers, it is not zero; its terms cancel with those of this robot:'));
        said.push(formula(written)!);
        const numbers = cancels ? letters(written) : null;
        if (numbers) said.push(numbers);
      }
      if (which === 'D' && i !== j && c && !c.zero) said.push(h('p', null, `Coupling: ${names[j]} at 1 ${rate(j)}² takes ${digits(value, 4)} ${force(i)} at ${names[i]}, and ${names[i]} at 1 ${rate(i)}² as many ${force(j)} at ${names[j]}.`));
      detail.replaceChildren(...said);
    };
    const seen = (): void => detail.scrollIntoView({block: detail.clientHeight < into.clientHeight ? 'nearest' : 'start'});
    const choose = (which: 'D' | 'C' | 'G', i: number, j: number): void => {
      chosen = [which, i, j];
      for (const e of into.querySelectorAll('.cell.chosen')) e.classList.remove('chosen');
      const cell = cells[which][which === 'G' ? i : i * n + j]!;
      cell.classList.add('chosen');
      cell.scrollIntoView({block: 'nearest', inline: 'nearest'});
      tell();
    };
    // many rows are scrolled to, or chosen by name
    const wide = n > 10, listed = names.map((name, k): [string, string] => [String(k), `${k + 1} ${name}`]), asked = {which: 'D' as 'D' | 'C' | 'G', i: 0, j: 0}, ask_for = (): void => choose(asked.which, asked.i, asked.j);
    const reach = h('div.row.wrap', null, choice([['D', 'D'], ['C', 'C'], ['G', 'G']], 'D', v => { asked.which = v as 'D'; ask_for(); }, 'which matrix'), 'row', choice(listed, '0', v => { asked.i = Number(v); ask_for(); }, 'which row'), 'column', choice(listed, '0', v => { asked.j = Number(v); ask_for(); }, 'which column'));
    const map = (which: 'D' | 'C' | 'G', title: string, columns: number): HTMLElement => {
      const grid = h('div.heat', {role: 'grid', 'aria-label': title});
      grid.style.setProperty('--n', String(columns));
      for (let i = 0; i < n; ++i)
        for (let j = 0; j < columns; ++j) {
          const cell = h('button.cell', {'data-entry': `${which}${i + 1}${columns > 1 ? comma + String(j + 1) : ''}`, title: columns > 1 ? `${names[i]}, ${names[j]}` : names[i],
            onclick: () => { choose(which, i, j); seen(); }});
          cells[which].push(cell);
          grid.append(cell);
        }
      return h(wide ? 'figure.wide' : 'figure', null, h('figcaption', null, title), wide ? h('div.heat-window', null, grid) : grid);
    };
    const equation = h('div.formula');
    katex.render('\\tau = D(q)\\,\\ddot q + C(q, \\dot q)\\,\\dot q + G(q) + \\text{friction}', equation, {throwOnError: false});
    into.append(equation, wide ? reach : '', h('div.maps', null, map('D', 'D, mass matrix', n), map('G', 'G, gravity', 1)), map('C', 'C, at the present velocities', n), still, detail);

    const update = (what: string): void => {
      const a = app.state;
      if ((what !== 'state' && what !== 'theme') || !a?.tau) return;
      still.hidden = app.now.qd.some(x => x !== 0);
      const paint = (list: HTMLElement[], values: number[]): void => {
        const largest = Math.max(...values.map(Math.abs));
        values.forEach((x, k) => {
          const tiny = x === 0;
          list[k]!.textContent = tiny ? '0' : Math.abs(x) < 0.01 ? x.toExponential(0).replace('-', '−').replace('e-', 'e−') : digits(x, 3);
          list[k]!.style.background = tiny ? '' : signedColour(x / largest, app.scene.theme.dark);
          list[k]!.classList.toggle('zero', tiny);
        });
      };
      for (const which of ['D', 'C', 'G'] as const) paint(cells[which], values(which));
      if (chosen) tell();
    };
    update('state');
    const ask = async <T>(question: string): Promise<T | undefined> => {
      try { return JSON.parse(await app.engine.job(robot.id, question).result) as T; } catch (e) { failure = e instanceof Error ? e.message : String(e); return undefined; }
    };
    // what arrives behind another robot is of a panel that is gone
    const arrived = (): void => { if (!into.isConnected) return; tell(); if (chosen) seen(); };
    if (!answers.structure) void ask<Structure>('structure').then(s => { answers.structure = s; arrived(); });
    if (!answers.equations) void ask<Equations>('equations').then(s => { answers.equations = s; arrived(); });
    return update;
  }
};

// Formulations (all of them agree, and what they cost) and sizing (what a motion asks of the drives): long work, with cancel.
import type {App} from '../app';
import {css, shareColour} from '../colours';
import {type JobFiles, Latest} from '../engine';
import {choice, h, save} from '../dom';
import {rowsOf} from '../timeline';
import {digits, shown, torqueUnit, unitOf} from '../units';
import type {Table} from '../settings';
import type {Panel} from './panel';
import katex from 'katex';
import type {Motors, TorqueCurve, WorkedExample, WorkedStep} from '../answers';
import type {Agreement, CensusRow, SizingResult} from '../results';

/** A button that asks, the seconds it takes, and the answer below. */
const asked = (app: App, into: HTMLElement, text: string, question: () => string, files: () => Promise<JobFiles>, show: (answer: string) => Node[]): void => {
  const out = h('div.answer', {role: 'status'}), button = h<HTMLButtonElement>('button.primary', null, text), cancel = h<HTMLButtonElement>('button', {hidden: true}, 'Cancel');
  const robot = app.thing!.id;
  button.onclick = () => void (async () => {
    button.disabled = true;
    try {
      const job = app.engine.job(robot, question(), await files(), s => { out.replaceChildren(h('p.hint', null, `Computing for ${digits(s, 2)} s ...`)); });
      cancel.hidden = false;
      cancel.onclick = () => job.cancel();
      out.replaceChildren(...show(await job.result));
    } catch (e) {
      out.replaceChildren(h('p.bad', null, e instanceof Error ? e.message : String(e)));
    }
    button.disabled = false;
    cancel.hidden = true;
  })();
  into.append(h('div.row', null, button, cancel), out);
};
/** What is next to rounding: no digit of it is noise. */
const tiny = (x: number): string => x === 0 ? '0' : x.toExponential(1).replaceAll('-', '−');
const none = (): Promise<JobFiles> => Promise.resolve({});
const table = (head: string[], rows: (string | Node)[][]): HTMLElement =>
  h('table', null, h('thead', null, h('tr', null, ...head.map(t => h('th', null, t)))), h('tbody', null, ...rows.map(r => h('tr', null, ...r.map(c => h('td', null, c))))));

/** One state through a formulation, as its textbook does it: the numbers follow the robot. */
const steps = (app: App, into: HTMLElement): ReturnType<Panel['make']> => {
  const robot = app.robot!, list = h('div.steps'), said = h('p.hint', {role: 'status'}), source = h('p.hint');
  let which = '', link = 0, shape = '', cells: ((s: WorkedStep) => void)[] = [];
  const links = h<HTMLSelectElement>('select', {'aria-label': 'which link', hidden: true, onchange: () => { link = Number(links.value); filter(); }});
  const filter = (): void => { for (const e of list.querySelectorAll<HTMLElement>('.step')) e.hidden = link > 0 && e.dataset.link !== String(link); };
  const tex = (text: string, into2: HTMLElement): HTMLElement => { katex.render(text, into2, {throwOnError: false}); return into2; };
  const number = (x: number): string => digits(Math.abs(x) < 1e-13 ? 0 : x, 5);
  const build = (a: WorkedExample): void => {
    source.textContent = `${a.source}. ${a.frames[0]!.toUpperCase()}${a.frames.slice(1)}.`;
    cells = [];
    let stage = '';
    list.replaceChildren(...a.steps.flatMap(s => {
      const values = h('span.step-value'), terms = h('div.step-terms');
      cells.push(now => {
        values.replaceChildren(...now.values.length === 16
          ? [h('span.matrix', null, ...now.values.map(x => h('span', null, number(x))))]
          : [`${now.values.length > 1 ? `(${now.values.map(number).join(', ')})` : number(now.values[0]!)} ${now.unit.replaceAll('^2', '²')}`]);
        const open = terms.querySelector('details')?.open ?? false;
        terms.replaceChildren(...now.terms.length > 1 || (now.terms.length === 1 && now.terms[0]!.value !== now.values[0])
          ? [h('details', {open}, h('summary', null, `sum of ${now.terms.length}`), ...now.terms.map(t => h('div', null, tex(t.symbol, h('span')), h('b', null, number(t.value)))))] : []);
      });
      cells.at(-1)!(s);
      const head = s.stage === stage ? [] : [h('h3', null, stage = s.stage)];
      return [...head, h('div.step', {'data-link': String(s.link), 'data-symbol': s.symbol}, h('div.step-line', null, tex(`${s.symbol} = ${s.equation}`, h('span')), s.reference ? h('small', null, s.reference) : null), h('div.step-line', null, h('span.equals', null, '='), values), terms)];
    }));
    links.replaceChildren(h('option', {value: '0'}, 'all links'), ...Array.from({length: Math.max(...a.steps.map(s => s.link))}, (_, k) => h('option', {value: String(k + 1)}, `link ${k + 1}`)));
    links.hidden = false;
    links.value = String(link = Math.min(link, links.options.length - 1));
    filter();
  };
  const latest = new Latest<object, WorkedExample>(q => app.engine.call<WorkedExample>('worked_example', q), (a, q) => {
    if (!into.isConnected || (q as {formulation: string}).formulation !== which) return;
    // the same steps with other numbers: open sums stay open while the robot moves
    const now = a.name + a.steps.map(s => s.symbol).join();
    if (now === shape) a.steps.forEach((s, k) => cells[k]!(s));
    else build(a);
    shape = now;
    const worst = Math.max(...a.tau.map((x, k) => Math.abs(x - (app.state!.tau[k]! - app.state!.causes.friction[k]! - app.state!.causes.load[k]!))));
    said.textContent = `Ends in ${a.tau.map((x, k) => `${number(x)} ${torqueUnit(robot.velocities[k]!.kind)}`).join(', ')}: ${worst < 1e-9 * Math.max(1, ...a.tau.map(Math.abs)) ? 'the torques of the joints' : 'not the torques of the joints'}, friction and wrench apart.`;
  }, e => { list.replaceChildren(); shape = ''; said.textContent = e instanceof Error ? e.message : String(e); });
  const ask = (): void => {
    if (!which || !app.state) return;
    const s = app.now;
    latest.request({id: robot.id, formulation: which, q: s.q, qd: s.qd, qdd: s.qdd, ...(s.payload[0] > 0 ? {payload: s.payload} : {})});
  };
  into.append(h('h3', null, 'Step by step'), h('p.hint', null, 'This position, velocity and acceleration worked through a formulation, with the letters and equations of its source. Set velocities under Joints to see Coriolis terms.'),
    h('div.row', null, choice([['', 'choose a formulation'], ['newton-euler-link', 'Newton-Euler'], ['lagrange-euler', 'Lagrange-Euler'], ['dalembert', 'd\'Alembert'], ['kane', 'Kane']], '', v => { which = v; shape = ''; ask(); }, 'which formulation'), links), source, said, list);
  return what => { if (what === 'state') ask(); };
};


export const formulations: Panel = {
  name: 'formulations', title: 'Methods', of: 'robot',
  make(app, into) {
    into.append(h('p.hint', null, 'Newton-Euler, Lagrange-Euler, d\'Alembert, Kane and others: each computes this robot, all must agree to rounding.'));
    asked(app, into, 'Do all formulations agree?', () => 'agree', none, text => {
      const a = JSON.parse(text) as Agreement & {agree: boolean};
      return [h('p.verdict', null, a.agree ? `All ${a.formulations.length} agree: the largest relative difference over ${a.states} random states is ${tiny(a.worst.disagreement)}.` : 'They do not agree.'),
        table(['formulation', 'order', 'difference'], a.formulations.map(f => [h('span', {title: f.source}, f.name), f.complexity, tiny(f.disagreement)]))];
    });
    asked(app, into, 'What does each cost?', () => 'count', none, text => {
      const c = JSON.parse(text) as {formulations: CensusRow[]};
      const rows = c.formulations.flatMap(f => (f.structured && f.dense ? [{...f, structured: f.structured.live, dense: f.dense.live}] : [])).sort((a, b) => a.structured.multiplications - b.structured.multiplications);
      return [h('p.hint', null, 'Multiplications and additions per call, structural zeros of this robot folded; and for any robot with its joints.'),
        table(['formulation', 'this robot × +', 'any robot × +'], rows.map(f => [h('span', {title: f.source}, f.name), `${f.structured.multiplications} ${f.structured.additions}`, `${f.dense.multiplications} ${f.dense.additions}`]))];
    });
    asked(app, into, 'The tables of the papers, recounted', () => 'tables', none, text => (JSON.parse(text) as {tables: {table: {caption: string; columns: {name: string}[]; rows: string[][]}}[]}).tables.flatMap(({table: t}) =>
      [h('h3.plain', null, t.caption), h('div.wide-table', null, table(t.columns.map(c => c.name), t.rows))]));
    return steps(app, into);
  }
};

const svg = (tag: string, properties: Record<string, string | number>, ...children: Node[]): SVGElement => {
  const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(properties)) e.setAttribute(key, String(value));
  e.append(...children);
  return e;
};
const text = (x: number, y: number, anchor: string, words: string): SVGElement => svg('text', {x, y, 'text-anchor': anchor}, document.createTextNode(words));

/** Torque over speed of a joint along the motion, inside what its limits allow. */
const torqueSpeed = (app: App, joint: number): Node => {
  const {motion} = app, robot = app.robot!, v = robot.velocities[joint]!, n = robot.nv, count = (motion?.t.numbers.length ?? 0);
  if (!motion || motion.tau.numbers.length < count * n) return h('p.hint', null, 'A motion is needed: see Motion.');
  const speed = Array.from({length: count}, (_, i) => shown(motion.qd.numbers[i * n + joint]!, v.kind)), torque = Array.from({length: count}, (_, i) => motion.tau.numbers[i * n + joint]!);
  const fastest = v.velocity === null ? 0 : shown(v.velocity, v.kind), size = (list: number[], limit: number): number => 1.08 * Math.max(limit, 1e-9, ...list.map(Math.abs));
  const [w, t, width, height] = [size(speed, fastest), size(torque, v.effort ?? 0), 380, 220], x = (s: number): number => width / 2 * (1 + s / w), y = (u: number): number => height / 2 * (1 - u / t);
  const dots = speed.map((s, i) => svg('circle', {cx: x(s).toFixed(1), cy: y(torque[i]!).toFixed(1), r: 2, fill: css(v.effort ? shareColour(Math.abs(torque[i]!) / v.effort) : app.scene.theme.accent)}));
  const most = (list: number[]): number => Math.max(...list.map(Math.abs));
  return svg('svg', {class: 'torque-speed', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `torque over speed of ${v.name}`, 'data-most': `${most(speed)} ${most(torque)}`},
    svg('path', {class: 'axes', d: `M0 ${height / 2}H${width}M${width / 2} 0V${height}`}),
    ...(v.effort ? [svg('path', {class: 'limit', d: `M${x(-w)} ${y(v.effort)}H${x(w)}M${x(-w)} ${y(-v.effort)}H${x(w)}`})] : []), ...(fastest ? [svg('path', {class: 'limit', d: `M${x(fastest)} 0V${height}M${x(-fastest)} 0V${height}`})] : []), ...dots,
    // a number stands at its line, the limit; where there is none it is that of the motion
    fastest ? text(x(fastest) - 4, height / 2 - 5, 'end', `limit ${digits(fastest, 3)} ${unitOf(v.kind, 1)}`) : text(width - 4, height / 2 - 5, 'end', `largest ${digits(most(speed), 3)} ${unitOf(v.kind, 1)}`),
    v.effort ? text(width / 2 + 5, y(v.effort) + 15, 'start', `limit ${digits(v.effort, 3)} ${torqueUnit(v.kind)}`) : text(width / 2 + 5, 12, 'start', `largest ${digits(most(torque), 3)} ${torqueUnit(v.kind)}`));
};


/** Torque over speed of a motor along the motion, inside what its data sheet gives for a moment and for ever. */
const motorSpeed = (app: App, m: Motors['drives'][number]): Node => {
  const corners = [m.peak, m.continuous].filter((c): c is TorqueCurve => c !== undefined && c.speed.length > 0);
  const size = (list: Iterable<number>): number => 1.08 * Math.max(1e-9, ...Array.from(list, Math.abs));
  const w = Math.max(size(m.speed.numbers), ...corners.map(c => size(c.speed))), t = Math.max(size(m.torque.numbers), ...corners.map(c => size(c.torque)));
  const [width, height] = [380, 220], x = (v: number): number => width / 2 * (1 + v / w), y = (u: number): number => height / 2 * (1 - u / t);
  // the same in all quadrants
  const outline = (c: TorqueCurve): string => {
    const right = c.speed.map((v, k) => [v, c.torque[k]!] as const), upper = [...right.map(([v, u]) => [-v, u] as const).reverse(), ...right];
    return 'M' + [...upper, ...upper.map(([v, u]) => [v, -u] as const).reverse()].map(([v, u]) => `${x(v).toFixed(1)} ${y(u).toFixed(1)}`).join('L') + 'Z';
  };
  const at = (c: TorqueCurve, v: number): number => { const k = c.speed.findIndex(s => s >= Math.abs(v)); return k < 0 ? 0 : k === 0 ? c.torque[0]! : c.torque[k - 1]! + (Math.abs(v) - c.speed[k - 1]!) / (c.speed[k]! - c.speed[k - 1]!) * (c.torque[k]! - c.torque[k - 1]!); };
  const dots = Array.from(m.speed.numbers, (v, i) => {
    const u = m.torque.numbers[i]!, colour = corners[0] ? shareColour(Math.abs(u) / Math.max(1e-12, at(corners[0], v))) : app.scene.theme.accent;
    return svg('circle', {cx: x(v).toFixed(1), cy: y(u).toFixed(1), r: 2, fill: css(colour)});
  });
  // as above: at the ends of the dashed curve, where there is one
  const limit = corners[0], [fastest, strongest] = [limit ? Math.max(...limit.speed) : w, limit ? Math.max(...limit.torque) : t], word = limit ? 'limit ' : '';
  const atLimits = [text(Math.min(x(fastest), width) - 4, height / 2 - 5, 'end', `${word}${digits(fastest * 30 / Math.PI, 3)} rpm`), text(width / 2 + 5, y(strongest) + 15, 'start', `${word}${digits(strongest, 3)} N m`)];
  return svg('svg', {class: 'torque-speed', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `torque over speed of the motor of ${m.name}`},
    svg('path', {class: 'axes', d: `M0 ${height / 2}H${width}M${width / 2} 0V${height}`}), ...corners.map((c, k) => svg('path', {class: k ? 'continuous' : 'limit', d: outline(c)})), ...dots,
    ...atLimits);
};


export const sizing: Panel = {
  name: 'sizing', title: 'Sizing', of: 'robot',
  make(app, into) {
    const robot = app.robot!;
    if (!robot.has_mass) {
      into.append(h('p.empty', null, 'Nothing of this robot has a mass.'));
      return () => undefined;
    }
    const bar = (share: number | null): Node => {
      if (share === null) return h('small.hint', null, ' no limit');
      const fill = h('i');
      fill.style.width = `${Math.min(100, 100 * share)}%`;
      fill.style.background = css(shareColour(share));
      return h('span.margin-bar', {title: `${digits(100 * share, 3)} % of the limit`}, fill, h('b', null, `${digits(100 * share, 3)} %`));
    };
    const files = async (): Promise<JobFiles> => {
      // way points as the motion file that they are, any other motion by its rows
      const {motion: shown_now} = app;
      if (!shown_now) throw new Error('A motion is needed: see Motion.');
      const motion = app.now.motion === 'points' && !app.now.path.startsWith('tool-') ? (await app.engine.call<{text: string}>('motion_file', app.motionRequest())).text : rowsOf(app);
      return {motion, drives: app.driveSheet?.text};
    };
    into.append(h('h3', null, 'Torque over speed'), h('p.hint', null, 'Every instant of the motion below is a dot; dashed are the limits of the joint, or the curve of its motor: drop a drive file, or choose one.'));
    let joint = 0, motors: Motors | null = null;
    const cloud = h('div'), input = h<HTMLInputElement>('input', {type: 'file', accept: '.toml', hidden: true, 'aria-label': 'drive file',
      onchange: () => { const f = input.files?.[0]; input.value = ''; if (f) void f.text().then(t => take({name: f.name, text: t})); }});
    const which = h<HTMLSelectElement>('select', {'aria-label': 'joint', onchange: () => { joint = Number(which.value); draw(); }}), name = h('span.hint');
    const draw = (): void => {
      const list = [...robot.velocities.map(v => v.name), ...(motors?.drives ?? []).map(m => `motor of ${m.name}${m.motor ? ` (${m.motor})` : ''}`)];
      if (which.options.length !== list.length) which.replaceChildren(...list.map((t, k) => h('option', {value: String(k)}, t)));
      joint = Math.min(joint, list.length - 1);
      which.value = String(joint);
      name.textContent = app.driveSheet?.name ?? '';
      const m = motors?.drives[joint - robot.nv];
      cloud.replaceChildren(m ? motorSpeed(app, m) : torqueSpeed(app, joint));
    };
    /** Whether it was refused. */
    const ask = async (): Promise<boolean> => {
      let refused = false;
      motors = null;
      if (app.driveSheet && app.motion)
        try { motors = await app.engine.call<Motors>('drives', {...app.motionRequest(), drives: app.driveSheet.text, name: app.driveSheet.name}); } catch (e) { refused = true; app.fail(e); }
      const first = motors?.drives.findIndex(m => m.motor) ?? -1;
      if (first >= 0) joint = robot.nv + first;
      draw();
      return refused;
    };
    /** A file that is refused takes nothing's place. */
    const take = async (drives: Table): Promise<void> => {
      const before = app.driveSheet;
      app.takeDrives(drives);
      if (!await ask()) return;
      app.takeDrives(before);
      await ask();
    };
    into.append(h('div.row', null, which, h('button', {onclick: () => input.click(), title: 'motors, gears, and which joints they move'}, 'drive file …'), input, name), cloud,
      h('h3', null, 'Peaks and margins'), h('p.hint', null, 'What the motion below asks: peaks, rms, power, energy, and their margins. Another one is chosen under Motion.'));
    asked(app, into, 'Size the drives for this motion', () => app.driveSheet ? 'drives' : 'size', files, text => {
      const a = JSON.parse(text) as SizingResult & {remarks: string[]}, driven = a.drives.filter(d => d.motor), first = robot.velocities[0]!.kind;
      return [table(['joint', `peak torque, ${torqueUnit(first)}`, 'rms', `peak speed, ${unitOf(first, 1)}`, 'power, W'], a.joints.map((j, k) => {
          const {kind, effort, velocity} = robot.velocities[k]!, speed = (x: number): string => digits(shown(x, kind), 3);
          const told = (peak: string, limit: string, unit: string): string => peak + (limit && ` of ${limit}`) + (kind === first ? '' : ` ${unit}`);
          return [j.name, h('div', null, told(digits(j.peak_torque, 3), effort === null ? '' : digits(effort, 3), torqueUnit(kind)), bar(j.of_effort_limit)), digits(j.rms_torque, 3),
            h('div', null, told(speed(j.peak_speed), velocity === null ? '' : speed(velocity), unitOf(kind, 1)), bar(j.of_speed_limit)), digits(j.peak_power, 3)];
        })),
        ...driven.flatMap(d => [h('p', null, h('b', null, `${d.motor} at ${d.name}: `), h(d.fits ? 'span' : 'span.bad', null, d.verdict ?? ''), d.best_ratio ? `; least torque at a gear ratio of ${digits(d.best_ratio, 3)}` : ''), bar(d.use)]),
        h('ul.notes', null, ...a.remarks.map(r => h('li', null, r))),
        ...(driven.length ? [h('div.row', null, h('button', {onclick: () => void (async () => { try { save('drives.html', await app.engine.job(robot.id, 'drives_page', await files()).result, 'text/html'); } catch (e) { app.fail(e); } })()}, 'page with all curves'))] : [])];
    });
    draw();
    if (!app.motion && robot.nq === robot.nv) void app.loadMotion();
    else void ask();
    return what => { if (what === 'motion') void ask(); else if (what === 'theme') draw(); };
  }
};

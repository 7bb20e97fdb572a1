// Formulations (all of them agree, and what they cost) and sizing (what a motion asks of the drives): long work, with cancel.
import type {App} from '../app';
import {css, shareColour} from '../colours';
import {choice, h} from '../dom';
import {digits, shown, torqueUnit, unitOf} from '../units';
import type {Panel} from './panel';

/** A button that asks, the seconds it takes, and the answer below. */
const asked = (app: App, into: HTMLElement, text: string, question: string, motion: () => Promise<string>, show: (answer: string) => Node[]): void => {
  const out = h('div.answer', {role: 'status'}), button = h<HTMLButtonElement>('button.primary', null, text), cancel = h<HTMLButtonElement>('button', {hidden: true}, 'Cancel');
  const robot = app.thing!.id;
  button.onclick = () => void (async () => {
    button.disabled = true;
    try {
      const job = app.engine.job(robot, question, await motion(), s => { out.replaceChildren(h('p.hint', null, `Computing for ${digits(s, 2)} s ...`)); });
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
const none = (): Promise<string> => Promise.resolve('');
const table = (head: string[], rows: (string | Node)[][]): HTMLElement =>
  h('table', null, h('thead', null, h('tr', null, ...head.map(t => h('th', null, t)))), h('tbody', null, ...rows.map(r => h('tr', null, ...r.map(c => h('td', null, c))))));

interface Agree { agree: boolean; worst: {disagreement: number}; states: number; formulations: {question: string; name: string; source: string; complexity: string; disagreement: number}[] }
interface Counts { multiplications: number; additions: number }
interface Count { formulations: {name: string; source: string; complexity: string; dense: {live: Counts}; structured: {live: Counts}}[] }

export const formulations: Panel = {
  name: 'formulations', title: 'Methods', of: 'robot',
  make(app, into) {
    into.append(h('p.hint', null, 'Newton-Euler, Lagrange-Euler, d\'Alembert, Kane and others: each computes this robot, all must agree to rounding.'));
    asked(app, into, 'Do all formulations agree?', 'agree', none, text => {
      const a = JSON.parse(text) as Agree;
      return [h('p.verdict', null, a.agree ? `All ${a.formulations.length} agree: the largest relative difference over ${a.states} random states is ${tiny(a.worst.disagreement)}.` : 'They do not agree.'),
        table(['formulation', 'order', 'difference'], a.formulations.map(f => [h('span', {title: f.source}, f.name), f.complexity, tiny(f.disagreement)]))];
    });
    asked(app, into, 'What does each cost?', 'count', none, text => {
      const c = JSON.parse(text) as Count;
      const rows = c.formulations.filter(f => f.structured).sort((a, b) => a.structured.live.multiplications - b.structured.live.multiplications);
      return [h('p.hint', null, 'Multiplications and additions per call, structural zeros of this robot folded; and for any robot with its joints.'),
        table(['formulation', 'this robot × +', 'any robot × +'], rows.map(f => [h('span', {title: f.source}, f.name), `${f.structured.live.multiplications} ${f.structured.live.additions}`, `${f.dense.live.multiplications} ${f.dense.live.additions}`]))];
    });
    return () => undefined;
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
    text(width - 4, height / 2 - 5, 'end', `${digits(w, 3)} ${unitOf(v.kind, 1)}`), text(width / 2 + 5, 24, 'start', `${digits(t, 3)} ${torqueUnit(v.kind)}`));
};

interface Size { duration: number; remarks: string[]; joints: {name: string; torque_unit: string; speed_unit: string; peak_torque: number; rms_torque: number; peak_speed: number; peak_power: number; energy_taken: number; energy_returned: number; of_effort_limit: number | null; of_speed_limit: number | null}[] }

export const sizing: Panel = {
  name: 'sizing', title: 'Sizing', of: 'robot',
  make(app, into) {
    const robot = app.robot!;
    into.append(h('p.hint', null, 'What the motion through the way points asks of the joints: peaks, rms, power, energy, and their margins.'));
    asked(app, into, 'Size the drives for this motion', 'size',
      async () => {
        if (app.now.points.length < 2) throw new Error('Add two way points at least, under Motion.');
        return (await app.engine.call<{text: string}>('motion_file', {...app.motionRequest(), kind: 'points', ...(app.now.motion === 'points' ? {} : {points: app.now.points, path: 'stops', law: 'quintic'})})).text;
      },
      text => {
        const a = JSON.parse(text) as Size;
        const bar = (share: number | null): Node => {
          if (share === null) return h('span.hint', null, 'no limit');
          const fill = h('i');
          fill.style.width = `${Math.min(100, 100 * share)}%`;
          fill.style.background = css(shareColour(share));
          return h('span.margin-bar', {title: `${digits(100 * share, 3)} % of the limit`}, fill, h('b', null, `${digits(100 * share, 3)} %`));
        };
        return [table(['joint', 'peak, N m', 'rms', 'speed, rad/s', 'power, W', 'of limit'], a.joints.map(j => [j.name, digits(j.peak_torque, 3) + (j.torque_unit === 'N m' ? '' : ` ${j.torque_unit}`), digits(j.rms_torque, 3), digits(j.peak_speed, 3) + (j.speed_unit === 'rad/s' ? '' : ` ${j.speed_unit}`), digits(j.peak_power, 3), bar(j.of_effort_limit)])),
          h('ul.notes', null, ...a.remarks.map(r => h('li', null, r)))];
      });
    if (!robot.has_mass) {
      into.replaceChildren(h('p.empty', null, 'Nothing of this robot has a mass.'));
      return () => undefined;
    }
    let joint = 0;
    const cloud = h('div');
    const draw = (): void => cloud.replaceChildren(torqueSpeed(app, joint));
    into.append(h('h3', null, 'Torque over speed'), h('p.hint', null, 'Every instant of the motion below is a dot; dashed are the limits of the joint.'),
      h('div.row', null, choice(robot.velocities.map((v, k) => [String(k), v.name]), '0', v => { joint = Number(v); draw(); }, 'joint')), cloud);
    draw();
    if (!app.motion && robot.nq === robot.nv) void app.loadMotion();
    return what => { if (what === 'motion') draw(); };
  }
};

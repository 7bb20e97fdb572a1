// Joints: sliders and numbers of positions, rates and accelerations, and what is shown upon the robot.
import type {App} from '../app';
import {check, choice, h} from '../dom';
import {numberField} from '../number_field';
import {beyondLimit, digits, lengths, shown, typed, units, unitOf} from '../units';
import type {Panel} from './panel';

const layers: [string, string, string][] = [
  ['torques', 'torques', 'arcs and arrows at the joints, coloured by the share of their limit'],
  ['labels', 'numbers', 'torques as numbers beside the joints'], ['frames', 'frames', 'of the links as the file has them; x y z red green blue'],
  ['axes', 'axes and ranges', 'the axis of each joint, and how far it goes from where it stands'], ['masses', 'mass centres', 'of each link, and a cross at that of the robot'], ['ellipsoids', 'inertia ellipsoids', 'homogeneous ellipsoids with the same moments'],
  ['reactions', 'reactions', 'forces that the joints transmit'], ['freedom', 'tool velocity', 'what the tool can do per unit of the rates: an ellipsoid, flat where it can do nothing'],
  ['shapes', 'shapes', 'shapes and meshes of the file instead of sticks']];

const slider = (app: App, low: number, high: number, value: number, label: string, change: (v: number) => void): HTMLInputElement => {
  const e = h<HTMLInputElement>('input', {type: 'range', min: String(low), max: String(high), step: 'any', value: String(value), 'aria-label': label,
    onpointerdown: () => app.store.mark(), onkeydown: (k: KeyboardEvent) => { if (k.key.startsWith('Arrow')) app.store.mark(); },
    oninput: () => change(Number(e.value))});
  return e;
};

export const joints: Panel = {
  name: 'joints', title: 'Joints', of: 'robot',
  make(app, into) {
    const robot = app.robot!, s = app.now, base = robot.free_base === undefined ? null : robot.bodies[robot.free_base]!;
    const q: (() => void)[] = [];
    let order = 0;
    const list = h('div.joints'), rates = [() => s.q, () => app.now.qd, () => app.now.qdd];
    rates[0] = () => app.now.q;
    const fill = (): void => {
      q.length = 0;
      list.replaceChildren(...robot.velocities.filter(v => order > 0 || v.position >= 0).map((v) => {
        const index = order === 0 ? v.position : robot.velocities.indexOf(v), kind = v.kind;
        const free = order === 0 ? (kind === 'angle' ? Math.PI : robot.view.radius) : order === 1 ? (v.velocity ?? 3) : (v.acceleration ?? 10);
        const low = order === 0 ? v.lower ?? -free : -free, high = order === 0 ? v.upper ?? free : free;
        const set = (x: number): Promise<string> => {
          if (order === 0) return app.setJoint(index, x);
          rates[order]!()[index] = x;
          app.move();
          app.emit('settings');
          return app.moved();
        };
        const range = slider(app, low, high, rates[order]!()[index]!, v.name, x => void set(x));
        const field = numberField({label: `${v.name} as a number`, step: 1, get: () => shown(rates[order]!()[index]!, kind), set: x => { app.store.mark(); return set(typed(x, kind)); }});
        q.push(() => {
          const x = rates[order]!()[index]!;
          if (document.activeElement !== range) range.value = String(x);
          field.refresh();
          const beyond = order === 0 ? beyondLimit(x, v, kind) : '';
          row.classList.toggle('beyond', beyond !== '');
          limit.textContent = beyond;
        });
        const limit = h('span.limit'), row = h('div.joint', {title: `${v.name}: ${v.lower === null ? 'no limits in the file' : `${digits(shown(v.lower, kind))} to ${digits(shown(v.upper!, kind))} ${unitOf(kind)}`}`},
          h('span.name', null, v.name), range, field, h('span.unit', null, unitOf(kind, order)), limit);
        return row;
      }));
      for (const f of q) f();
    };
    const home = (f: () => number[]): void => { app.store.mark(); app.now.q = f(); app.move(); app.emit('settings'); };
    into.append(
      h('div.row', null,
        choice([['0', 'positions'], ['1', 'velocities'], ['2', 'accelerations']], '0', v => { order = Number(v); fill(); }, 'what the sliders set'),
        h('button', {onclick: () => home(() => [...robot.neutral]), title: 'all joints at zero'}, 'zero'),
        h('button', {onclick: () => home(() => app.now.q.map((x, k) => {
          const v = robot.velocities.find(w => w.position === k);
          return v ? (v.lower ?? -Math.PI) + Math.random() * ((v.upper ?? Math.PI) - (v.lower ?? -Math.PI)) : x;
        })), title: 'somewhere inside the limits'}, 'random'),
        h('button', {onclick: () => { app.store.mark(); app.now.qd.fill(0); app.now.qdd.fill(0); app.move(); app.emit('settings'); }, title: 'velocities and accelerations to zero'}, 'rest')),
      list,
      h('h3', null, 'Shown on the robot'),
      h('div.checks', null, ...layers.map(([key, text, title]) => check(text, s.show[key] ?? false, v => { app.now.show[key] = v; app.paint(); app.store.keep(); }, title))),
      h('h3', null, 'At this state'));
    const facts = h('dl.facts');
    into.append(facts);
    const update = (what: string): void => {
      if (what === 'settings' || what === 'state') for (const f of q) f();
      const a = app.state;
      if (what !== 'state' || !a?.tau) return;
      const angle = (x: number): string => digits(x * (units.degrees ? 180 / Math.PI : 1), 5);
      const rows: [string, string][] = [
        ['tool at', lengths(a.tool.position)],
        ['roll, pitch, yaw', `${a.tool.rpy.map(angle).join(', ')} ${units.degrees ? '°' : 'rad'}`],
        ['mass', `${digits(a.mass)} kg`], ['mass centre', lengths(a.mass_centre, 4)],
        ...(base ? [['the base is free', `carried by a moment of (${a.tau.slice(base.velocity, base.velocity + 3).map(x => digits(x, 4)).join(', ')}) N m and a force of (${a.tau.slice(base.velocity + 3, base.velocity + 6).map(x => digits(x, 4)).join(', ')}) N`] as [string, string]] : []),
        ['energy', `${digits(a.kinetic_energy)} J kinetic, ${digits(a.potential_energy)} J potential`],
        ...(robot.tool ? [['least singular value', `${digits(a.least_singular_value, 4)}${a.least_singular_value < 0.02 ? ' (near-singular)' : ''}, lengths in units of ${lengths([robot.unit_length ?? 1], 3)}`] as [string, string]] : [])];
      facts.replaceChildren(...rows.flatMap(([k, v]) => [h('dt', null, k), h('dd', null, v)]));
    };
    fill();
    update('state');
    return update;
  }
};

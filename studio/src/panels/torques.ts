// Torques: what each joint needs at this state, of which limit, and for what; payload and wrench.
import {causes, type Cause} from '../answers';
import * as three from 'three';
import {h} from '../dom';
import {type NumberField, numberField} from '../number_field';
import {css, shareColour} from '../colours';
import {digits, shown, torqueUnit, typed, unitOf} from '../units';
import type {Panel} from './panel';

const words: Record<Cause, string> = {inertia: 'inertia', coriolis: 'Coriolis', gravity: 'gravity', friction: 'friction', load: 'wrench'};

export const torques: Panel = {
  name: 'torques', title: 'Torques', of: 'robot',
  make(app, into) {
    const robot = app.robot!;
    if (!robot.has_mass) {
      into.append(h('p.empty', null, 'Nothing of this robot has a mass: there are no torques. torsor inertia finds masses from shapes and meshes.'));
      return () => undefined;
    }
    const colour = (c: Cause): string => app.scene.theme.series[causes.indexOf(c)]!;
    const legend = h('div.legend', null, ...causes.map(c => h('span', null, h('i', {'data-cause': c}), words[c])));
    const rows = robot.velocities.map((v, k) => {
      const value = h('b.value', {'data-torque': v.name}), share = h('span.share'), bar = h('div.split');
      const parts = causes.map(c => h('i', {title: words[c], 'data-cause': c}));
      bar.append(...parts);
      return {k, v, value, share, parts, row: h('div.torque', null, h('span.name', null, v.name), value, h('span.unit', null, torqueUnit(v.kind)), share, bar)};
    });
    const set = (list: 'payload' | 'wrench', k: number) => (x: number): Promise<string> => { app.store.mark(); app.now[list][k] = x; app.move(); app.emit('settings'); return app.moved(); };
    // nothing carries a base that is free: what its six rows would have to give
    const base = robot.free_base === undefined ? null : robot.bodies[robot.free_base]!, ofBase = (k: number): boolean => base !== null && k >= base.velocity && k < base.velocity + base.nv;
    const s = app.now, heaviest = Math.max(1, ...robot.bodies.map(b => b.mass));
    // the arrows hold the tip of the force, or the payload
    const grips: [string, string, string][] = [['force', 'the force', 'arrows at its tip: drag them'], ['payload', 'the payload', 'arrows at its mass centre: drag them']];
    let taken = '';
    const take = (what: string): void => {
      taken = taken === what ? '' : what;
      for (const b of segments.children) b.classList.toggle('on', (b as HTMLElement).dataset.grip === taken);
      if (!taken || !app.state?.tool) return app.scene.grip(null);
      const object = new three.Object3D();
      const rest = (): void => { object.position.copy(taken === 'force' ? app.forceTip() : app.payloadCentre()); };
      rest();
      if (taken === 'payload' && !(app.now.payload[0] > 0)) void set('payload', 0)(Number((0.1 * heaviest).toPrecision(1)));
      app.scene.grip({object, begin: () => app.store.mark(), change: () => { if (taken === 'force') app.setForceTip(object.position); else app.setPayloadCentre(object.position); }, end: () => { rest(); app.scene.draw(); }});
    };
    const segments = h('div.segments', null, ...grips.map(([key, text, title]) => h('button', {'data-grip': key, title, onclick: () => take(key)}, text)));
    const mass = h<HTMLInputElement>('input', {type: 'range', min: '0', max: String(Number((2 * heaviest).toPrecision(2))), step: 'any', value: String(s.payload[0]), 'aria-label': 'payload',
      onpointerdown: () => app.store.mark(), oninput: () => { app.now.payload[0] = Number(Number(mass.value).toPrecision(3)); app.move(); app.emit('settings'); }});
    const fields: NumberField[] = [];
    const field = (get: () => number, put: (x: number) => Promise<string>, label: string, step?: number, refusal?: (x: number) => string): HTMLInputElement => {
      fields.push(numberField({label, get, set: put, step, refusal}));
      return fields.at(-1)!;
    };
    into.append(
      h('p.hint', null, 'Torque that each joint has to give at this position, velocity and acceleration. Colour: share of its limit.'),
      h('div.torques', null, ...rows.filter(r => !ofBase(r.k)).map(r => r.row)), legend,
      ...(base ? [h('h3', null, 'The base is free'), h('p.free-base', null, `No foot stands anywhere and nothing holds ${base.link}: the torques above are those of legs and arms that hang from it. They are right only while something gives it this moment and force, along its axes:`),
        h('div.torques', null, ...rows.filter(r => ofBase(r.k)).map(r => r.row))] : []),
      ...(robot.tool ? [h('h3', null, 'Load at the tool'), h('div.row', null, h('span.hint', null, 'Drag in the picture:'), segments),
      h('h3', null, 'Payload'), h('label.wide', null, 'mass', mass),
      h('div.fields', null, ...['mass (kg)', ...['x', 'y', 'z'].map(n => `${n} (${unitOf('length')})`)].map((name, k) => h('label', null, name, field(() => k ? shown(app.now.payload[k]!, 'length') : app.now.payload[0], x => set('payload', k)(k ? typed(x, 'length') : x), 'payload ' + name, 0.1,
        x => k === 0 && x < 0 ? 'a mass is not negative' : '')))),
      h('h3', null, 'Wrench on the tool, along its axes'),
      h('div.fields.three', null, ...(['fx (N)', 'fy (N)', 'fz (N)', 'nx (N m)', 'ny (N m)', 'nz (N m)'] as const).map((name, k) => h('label', null, name, field(() => app.now.wrench[k]!, set('wrench', k), 'wrench ' + name, 1))))] : []),
      h('p.hint', null, 'Velocities and accelerations are set under Joints, or by playing a motion.'));
    const update = (what: string): void => {
      const a = app.state;
      if (what === 'theme' || what === 'make') for (const i of into.querySelectorAll<HTMLElement>('i[data-cause]')) i.style.background = colour(i.dataset.cause as Cause);
      if (what === 'settings') {
        for (const f of fields) f.refresh();
        if (document.activeElement !== mass) mass.value = String(app.now.payload[0]);
      }
      if (what !== 'state' || !a?.tau) return;
      for (const {k, v, value, share, parts} of rows) {
        const t = a.tau[k]!, part = v.effort ? Math.abs(t) / v.effort : Number.NaN;
        value.textContent = digits(t, 6);
        share.textContent = v.effort ? `${digits(100 * part, 3)} % of ${digits(v.effort, 4)}` : 'no limit';
        share.style.setProperty('--mark', v.effort ? css(shareColour(part)) : 'transparent');
        share.classList.toggle('over', part > 1);
        const sum = Math.max(1e-12, causes.reduce((x, c) => x + Math.abs(a.causes[c][k]!), 0), v.effort ?? 0);
        causes.forEach((c, i) => {
          const x = a.causes[c][k]!;
          parts[i]!.style.width = `${Math.min(100, 100 * Math.abs(x) / sum)}%`;
          parts[i]!.title = `${words[c]}: ${digits(x)} ${torqueUnit(v.kind)}`;
          parts[i]!.classList.toggle('against', Math.sign(x) !== Math.sign(t));
        });
      }
    };
    update('make');
    update('state');
    return update;
  }
};

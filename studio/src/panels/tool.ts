// The tool: dragged in the picture, every solution of its pose as a ghost, with label and status.
import {nameOf, type Solution, solutionsOf} from '../answers';
import {check, choice, h} from '../dom';
import {numberField} from '../number_field';
import {digits, lengths, posture, shown, typed, unitOf} from '../units';
import type {Panel} from './panel';

/** What is left to the pose that was asked for, at the nearest that was found. */
const missing = ({off_by: off, turned_off_by: turned}: {off_by?: number; turned_off_by?: number}): string =>
  off === undefined || turned === undefined ? 'and nothing near it was found'
    : `the nearest is ${[...(off > 1e-9 ? [`${lengths([off], 4)} short`] : []), ...(turned > 1e-9 ? [`turned ${digits(shown(turned, 'angle'), 4)} ${unitOf('angle')} away`] : [])].join(' and ') || 'there'}`;

export const tool: Panel = {
  name: 'tool', title: 'Tool', of: 'robot',
  make(app, into) {
    const robot = app.robot!, ik = robot.inverse_kinematics;
    const which = robot.tools.length > 1 ? h('label.wide', null, 'tool: a tool of the file, or a link', choice(robot.tools.map(t => [t, t]), robot.tool ?? '', t => void app.retool(t), 'which tool')) : '';
    if (!ik.explained) {
      into.append(which, h('p.empty', null, 'This robot has no tool that could be moved.'));
      return () => undefined;
    }
    const {handle} = app.scene;
    app.scene.grip({object: app.scene.target, begin: () => app.store.mark(), change: () => app.solve(true), end: () => void app.rest()});
    const mode = (m: 'translate' | 'rotate'): void => { handle.setMode(m); for (const b of modes.children) b.classList.toggle('on', (b as HTMLElement).dataset.mode === m); };
    const modes = h('div.segments', null, h('button.on', {'data-mode': 'translate', onclick: () => mode('translate'), title: 'key W'}, 'move'),
      h('button', {'data-mode': 'rotate', onclick: () => mode('rotate'), title: 'key E'}, 'turn'));
    // a pose that is not reached leaves the field at the nearest one, and says by how much
    const came = async (): Promise<string> => {
      const why = await app.solved() || await app.moved(), a = app.solutions;
      app.putHandle();
      return why || (a && (a.status !== 'solved' || !a.nearest) ? a.status === 'solved' ? 'no solution inside the limits' : `${a.status}, ${missing(a)}` : '');
    };
    const fields = ['x', 'y', 'z'].map((name, k) => numberField({label: `tool ${name} in ${unitOf('length')}`, step: typed(1, 'length') < 1 ? 10 : 0.01, get: () => shown(app.state?.tool?.position[k] ?? 0, 'length'), set: x => {
      app.store.mark();
      app.scene.target.position.setComponent(k, typed(x, 'length'));
      app.solve(true);
      return came();
    }, refusal: x => Math.abs(typed(x, 'length')) <= 1e6 ? '' : 'it is farther away than any tool gets'}));
    const turns = ['roll', 'pitch', 'yaw'].map((name, k) => numberField({label: `tool ${name} in ${unitOf('angle')}`, step: typed(1, 'angle') < 1 ? 5 : 0.1, get: () => shown(app.state?.tool?.rpy[k] ?? 0, 'angle'), set: x => {
      app.store.mark();
      app.solve(true, app.state!.tool.rpy.map((old, i) => (i === k ? typed(x, 'angle') : old)));
      return came();
    }, refusal: x => Math.abs(typed(x, 'angle')) <= 1e5 ? '' : 'it is too large for an angle'}));
    const list = h('div.solutions'), verdict = h('p.verdict', {role: 'status'});
    // of seven joints one is held: where its values have solutions inside the limits is marked below its slider
    const held = ik.held_position ?? 0, joint = robot.velocities.find(v => v.position === held), [low, high] = [joint?.lower ?? -Math.PI, joint?.upper ?? Math.PI];
    const swing = h<HTMLInputElement>('input', {type: 'range', min: String(low), max: String(high), step: 'any', 'aria-label': 'redundancy',
      onpointerdown: () => app.store.mark(), oninput: () => app.solve(true, undefined, Number(swing.value)), onchange: () => void app.rest().then(() => { swing.value = String(app.now.q[held]); })});
    const reached = h('div.reached', {title: 'coloured: values with solutions inside the limits'}), where = h('span.number');
    const mark = (): void => reached.replaceChildren(...(app.feasible ?? []).map(({lower: from, upper: to}) => {
      const i = h('i'), at = (x: number): number => 100 * (Math.min(high, Math.max(low, x)) - low) / (high - low);
      i.style.left = `${at(from)}%`;
      i.style.width = `${at(to) - at(from)}%`;
      return i;
    }));
    into.append(which,
      h('p.hint', null, 'Drag the arrows at the tool. Every joint position that reaches the pose is shown as a ghost; click one below to go there.'),
      h('div.row', null, modes, check('ghosts', app.now.show.ghosts ?? true, v => { app.now.show.ghosts = v; app.paintGhosts(); app.store.keep(); })),
      h('div.fields.three', null, ...fields.map((f, k) => h('label', null, `${'xyz'[k]!} (${unitOf('length')})`, f)),
        ...turns.map((f, k) => h('label', null, `${['roll', 'pitch', 'yaw'][k]!} (${unitOf('angle')})`, f))),
      ...(ik.redundant ? [h('label.wide', null, h('span', null, `Redundancy: ${ik.held} at `, where, ', the other joints follow'), swing, reached)] : []),
      verdict, h('p.measure', {title: 'of the Jacobian of the tool: what the tool does at least per unit of the joint rates; a number without unit, lengths in units of the arm'}, 'At the right: ', h('b', null, 'least singular value'),
        `${ik.redundant ? ` with ${ik.held} held` : ''}, 0 at a singular position; lengths in units of ${lengths([robot.unit_length ?? 1], 3)}.`), list, h('details', null, h('summary', null, 'Which form solves this arm'), h('ul', null, ...ik.explained.map(t => h('li', null, t)))));
    // elements stay while the tool is dragged; only what has changed is written
    const write = (e: HTMLElement, text: string): void => { if (e.textContent !== text) e.textContent = text; };
    const row = (): {e: HTMLElement; q: number[]; fill(b: Solution, k: number): void} => {
      const name = h('b'), status = h('span.status'), q = h('span.joints-text'), margin = h('span.margin', {title: 'least singular value'});
      const e = h('button.solution', {onclick: () => { app.store.mark(); app.now.q = [...own.q]; app.move(); app.emit('settings'); }}, name, status, q, margin);
      const own = {e, q: [] as number[], fill: (b: Solution, k: number): void => {
        own.q = b.q;
        e.dataset.q = JSON.stringify(b.q);
        e.title = b.explanation ?? '';
        write(name, nameOf(b, k));
        write(status, b.status);
        status.dataset.status = b.status;
        write(q, posture(joints.map(i => b.q[i]!), joints.map(i => kinds[i]!), 4));
        const least = app.solutions?.least_singular_values[k] ?? Number.NaN;
        margin.dataset.least = String(least);
        write(margin, digits(least, 3));
      }};
      list.append(e);
      return own;
    };
    const rows: ReturnType<typeof row>[] = [];
    // a base that is free stays where it is
    const kinds = robot.positions.map(p => p.kind), joints = kinds.map((_, k) => k).filter(k => robot.free_base === undefined || robot.velocities.some(v => v.position === k)), same = (a: number[], b: number[]): boolean => a.every((x, k) => Math.abs(x - b[k]!) < 1e-6);
    const update = (what: string): void => {
      if (what === 'state' && app.state?.tool) {
        for (const f of [...fields, ...turns]) f.refresh();
      }
      if (what === 'settings' || what === 'state')
      {
        for (const r of rows) r.e.classList.toggle('here', same(r.q, app.now.q));
        if (document.activeElement !== swing) swing.value = String(app.now.q[held]);
        write(where, `${digits(shown(app.now.q[held]!, joint?.kind ?? 'angle'), 4)} ${unitOf(joint?.kind ?? 'angle')}`);
      }
      if (what === 'theme') app.paintGhosts();
      if (what !== 'solutions' || !app.solutions) return;
      mark();
      const all = solutionsOf(app.solutions);
      const inside = all.filter(b => b.inside_limits).length;
      const stays = ik.redundant && !app.solutions.nearest;
      verdict.textContent = stays ? `No position with ${ik.held} there reaches the pose inside the limits: the robot stays where it is.`
        : app.solutions.status === 'solved'
        ? !ik.all && !ik.redundant ? (ik.place_alone ? 'One solution, found from the present position; its joints cannot turn it as well, so that only its place counts.' : 'One solution, found from the present position: this arm has no form that gives all of them.')
          : `${all.length} solution${all.length === 1 ? '' : 's'}, ${inside} inside the joint limits.`
        : `${app.solutions.status}, ${missing(app.solutions)}.${app.solutions.nearest ? ' The nearest position is shown.' : ''}`;
      verdict.classList.toggle('bad', stays || app.solutions.status !== 'solved');
      while (rows.length > all.length) rows.pop()!.e.remove();
      while (rows.length < all.length) rows.push(row());
      all.forEach((b, k) => rows[k]!.fill(b, k));
      update('settings');
    };
    if (app.state) { app.putHandle(); app.solve(false); }
    update('state');
    return update;
  }
};

// The tool: dragged in the picture, every solution of its pose as a ghost, with label and status.
import {type Solution, solutionsOf} from '../answers';
import {check, h, numberField} from '../dom';
import {digits, lengths, posture, shown, typed, unitOf} from '../units';
import type {Panel} from './panel';

export const tool: Panel = {
  name: 'tool', title: 'Tool', of: 'robot',
  make(app, into) {
    const robot = app.robot!, ik = robot.inverse_kinematics;
    if (!ik.explained) {
      into.append(h('p.empty', null, 'This robot has no tool that could be moved.'));
      return () => undefined;
    }
    const {handle} = app.scene;
    app.scene.grip({object: app.scene.target, begin: () => app.store.mark(), change: () => app.solve(true), end: () => void app.rest()});
    const mode = (m: 'translate' | 'rotate'): void => { handle.setMode(m); for (const b of modes.children) b.classList.toggle('on', (b as HTMLElement).dataset.mode === m); };
    const modes = h('div.segments', null, h('button.on', {'data-mode': 'translate', onclick: () => mode('translate'), title: 'key W'}, 'move'),
      h('button', {'data-mode': 'rotate', onclick: () => mode('rotate'), title: 'key E'}, 'turn'));
    const fields = ['x', 'y', 'z'].map((name, k) => numberField(0, x => {
      app.store.mark();
      app.scene.target.position.setComponent(k, typed(x, 'length'));
      app.solve(true);
    }, `tool ${name} in ${unitOf('length')}`, typed(1, 'length') < 1 ? 10 : 0.01));
    const turns = ['roll', 'pitch', 'yaw'].map((name, k) => numberField(0, x => {
      app.store.mark();
      app.solve(true, app.state!.tool.rpy.map((old, i) => (i === k ? typed(x, 'angle') : old)));
    }, `tool ${name} in ${unitOf('angle')}`, typed(1, 'angle') < 1 ? 5 : 0.1));
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
    into.append(
      h('p.hint', null, 'Drag the arrows at the tool. Every joint position that reaches the pose is shown as a ghost; click one below to go there.'),
      h('div.row', null, modes, check('ghosts', app.now.show.ghosts ?? true, v => { app.now.show.ghosts = v; app.paintGhosts(); app.store.keep(); })),
      h('div.fields.three', null, ...fields.map((f, k) => h('label', null, `${'xyz'[k]!} (${unitOf('length')})`, f)),
        ...turns.map((f, k) => h('label', null, `${['roll', 'pitch', 'yaw'][k]!} (${unitOf('angle')})`, f))),
      ...(ik.redundant ? [h('label.wide', null, h('span', null, `Redundancy: ${ik.held} at `, where, ', the other joints follow'), swing, reached)] : []),
      verdict, list, h('details', null, h('summary', null, 'Which form solves this arm'), h('ul', null, ...ik.explained.map(t => h('li', null, t)))));
    // elements stay while the tool is dragged; only what has changed is written
    const write = (e: HTMLElement, text: string): void => { if (e.textContent !== text) e.textContent = text; };
    const row = (): {e: HTMLElement; q: number[]; fill(b: Solution, k: number): void} => {
      const name = h('b'), status = h('span.status'), q = h('span.joints-text'), margin = h('span.margin', {title: 'distance to a singular position: 1 far away, 0 there'});
      const e = h('button.solution', {onclick: () => { app.store.mark(); app.now.q = [...own.q]; app.move(); app.emit('settings'); }}, name, status, q, margin);
      const own = {e, q: [] as number[], fill: (b: Solution, k: number): void => {
        own.q = b.q;
        e.dataset.q = JSON.stringify(b.q);
        e.title = b.explanation ?? '';
        write(name, b.branch || b.label || `${k + 1}`);
        write(status, b.status);
        status.dataset.status = b.status;
        write(q, posture(b.q, kinds, 4));
        const distance = !ik.all && !ik.redundant ? undefined : b.factors ? Math.min(...b.factors.map(Math.abs)) : b.smallest_singular_value;
        write(margin, distance === undefined ? '' : digits(distance, 3));
      }};
      list.append(e);
      return own;
    };
    const rows: ReturnType<typeof row>[] = [];
    const kinds = robot.positions.map(p => p.kind), same = (a: number[], b: number[]): boolean => a.every((x, k) => Math.abs(x - b[k]!) < 1e-6);
    const update = (what: string): void => {
      if (what === 'state' && app.state?.tool) {
        const put = (f: HTMLInputElement, x: number): void => { const text = String(Number(x.toPrecision(6))); if (document.activeElement !== f && f.value !== text) f.value = text; };
        fields.forEach((f, k) => put(f, shown(app.state!.tool.position[k]!, 'length')));
        turns.forEach((f, k) => put(f, shown(app.state!.tool.rpy[k]!, 'angle')));
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
        ? !ik.all && !ik.redundant ? 'One solution, found from the present position: this arm has no form that gives all of them.'
          : `${all.length} solution${all.length === 1 ? '' : 's'}, ${inside} inside the joint limits.`
        : `${app.solutions.status}: short by ${lengths([app.solutions.short_by ?? Number.NaN], 4)}. The nearest position is shown.`;
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

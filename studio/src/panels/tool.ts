// The tool: dragged in the picture, every solution of its pose as a ghost, with label and status.
import {solutionsOf} from '../answers';
import {check, h, numberField} from '../dom';
import {digits, lengths, shown, typed, unitOf} from '../units';
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
    const held = ik.held_position;
    const swing = h<HTMLInputElement>('input', {type: 'range', min: String(robot.velocities.find(v => v.position === held)?.lower ?? -3), max: String(robot.velocities.find(v => v.position === held)?.upper ?? 3),
      step: 'any', value: String(app.now.redundancy ?? app.now.q[held ?? 0] ?? 0), 'aria-label': 'redundancy',
      onpointerdown: () => app.store.mark(), oninput: () => { app.now.redundancy = Number(swing.value); app.solve(true); }});
    into.append(
      h('p.hint', null, 'Drag the arrows at the tool. Every joint position that reaches the pose is shown as a ghost; click one below to go there.'),
      h('div.row', null, modes, check('ghosts', app.now.show.ghosts ?? true, v => { app.now.show.ghosts = v; app.paintGhosts(); app.store.keep(); })),
      h('div.fields.three', null, ...fields.map((f, k) => h('label', null, `${'xyz'[k]!} (${unitOf('length')})`, f)),
        ...turns.map((f, k) => h('label', null, `${['roll', 'pitch', 'yaw'][k]!} (${unitOf('angle')})`, f))),
      ...(ik.redundant ? [h('label.wide', null, `Redundancy: ${ik.held} is held here, the other joints follow`, swing)] : []),
      verdict, list, h('details', null, h('summary', null, 'Which form solves this arm'), h('ul', null, ...ik.explained.map(t => h('li', null, t)))));
    const words: Record<string, string> = {'ok': 'ok', 'near-singular': 'near-singular', 'singular': 'singular', 'outside limits': 'outside limits'};
    const same = (a: number[], b: number[]): boolean => a.every((x, k) => Math.abs(x - b[k]!) < 1e-6);
    const update = (what: string): void => {
      if (what === 'state' && app.state?.tool) {
        const put = (f: HTMLInputElement, x: number): void => { if (document.activeElement !== f) f.value = String(Number(x.toPrecision(6))); };
        fields.forEach((f, k) => put(f, shown(app.state!.tool.position[k]!, 'length')));
        turns.forEach((f, k) => put(f, shown(app.state!.tool.rpy[k]!, 'angle')));
      }
      if (what === 'settings' || what === 'state')
        for (const e of list.querySelectorAll<HTMLElement>('.solution')) e.classList.toggle('here', same(JSON.parse(e.dataset.q!) as number[], app.now.q));
      if (what === 'theme') app.paintGhosts();
      if (what !== 'solutions' || !app.solutions) return;
      const all = solutionsOf(app.solutions);
      const inside = all.filter(b => b.inside_limits).length;
      verdict.textContent = app.solutions.status === 'solved'
        ? !ik.all && !ik.redundant ? 'One solution, found from the present position: this arm has no form that gives all of them.'
          : `${all.length} solution${all.length === 1 ? '' : 's'}, ${inside} inside the joint limits.`
        : ik.redundant && !(app.solutions.short_by! > 1e-9) ? 'There is no solution at this value of the redundancy. The nearest position is shown.'
        : `${app.solutions.status}: short by ${lengths([app.solutions.short_by ?? Number.NaN], 4)}. The nearest position is shown.`;
      verdict.classList.toggle('bad', app.solutions.status !== 'solved');
      list.replaceChildren(...all.map((b, k) => {
        const margin = !ik.all && !ik.redundant ? undefined : b.factors ? Math.min(...b.factors.map(Math.abs)) : b.smallest_singular_value;
        return h('button.solution', {'data-q': JSON.stringify(b.q), title: b.explanation, onclick: () => {
          app.store.mark();
          app.now.q = [...b.q];
          app.move();
          app.emit('settings');
        }},
        h('b', null, b.branch || b.label || `${k + 1}`), h('span.status', {'data-status': b.status}, words[b.status] ?? b.status),
        h('span.joints-text', null, b.q.map((x, i) => digits(shown(x, robot.positions[i]!.kind), 4)).join(' ') + ' ' + unitOf('angle')),
        h('span.margin', {title: 'distance to a singular position: 1 far away, 0 there'}, margin === undefined ? '' : digits(margin, 3)));
      }));
      update('settings');
    };
    if (app.state) { app.putHandle(); app.solve(false); }
    update('state');
    return update;
  }
};

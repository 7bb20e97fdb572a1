// Motion: the one that the robot is known for, or through way points of one's own; as fast as limits let its shape be.
import {choice, check, h, numberField} from '../dom';
import {openFiles} from '../chooser';
import {digits, shown, unitOf} from '../units';
import type {Panel} from './panel';

export const motion: Panel = {
  name: 'motion', title: 'Motion', of: 'robot',
  make(app, into) {
    const robot = app.robot!;
    if (robot.nq !== robot.nv) {
      into.append(h('p.empty', null, 'Joints with several coordinates have no motions here yet.'));
      return () => undefined;
    }
    const list = h('div.points'), notes = h('ul.notes'), file = h('div.row');
    const input = h<HTMLInputElement>('input', {type: 'file', accept: '.csv', hidden: true, 'aria-label': 'CSV of a motion',
      onchange: () => { void openFiles(app, [...input.files ?? []].map(f => ({path: f.name, file: f}))).then(() => { which.value = app.now.motion; fill(); }); }});
    const which = choice([['usual', 'the usual motion of this robot'], ['points', 'through way points'], ['table', 'of a CSV file']], app.now.motion, v => change(() => { app.now.motion = v as typeof app.now.motion; }), 'which motion');
    const load = (): void => { app.store.keep(); void app.loadMotion(); };
    const change = (f: () => void): void => { app.store.mark(); f(); fill(); if (ready()) load(); };
    const ready = (): boolean => app.now.motion === 'usual' || (app.now.motion === 'points' ? app.now.points.length > 1 : app.table !== null);
    const fill = (): void => {
      const s = app.now;
      list.hidden = s.motion !== 'points';
      file.hidden = s.motion !== 'table';
      file.replaceChildren(h('button', {onclick: () => input.click()}, 'File …'), input,
        h('span.hint', null, app.table?.name ?? 'Columns t and q1, q2, … or the names of the joints; velocities and accelerations if there are any. Or drop it on the page.'));
      list.replaceChildren(
        ...s.points.map((p, k) => h('div.point', null, h('b', null, `${k + 1}`),
          h('button.link', {title: 'go there', onclick: () => { app.now.q = [...p.q]; app.now.qd.fill(0); app.now.qdd.fill(0); app.move(); app.emit('settings'); }},
            p.q.map((x, i) => digits(shown(x, robot.positions[i]!.kind), 3)).join(' ') + ' ' + unitOf(robot.positions[0]!.kind)),
          k > 0 ? numberField(p.duration, x => { if (x > 0) change(() => { p.duration = x; }); }, `seconds to point ${k + 1}`) : h('span'),
          h('span.unit', null, k > 0 ? 's' : ''),
          h('button', {title: 'here instead', onclick: () => change(() => { p.q = [...app.now.q]; p.position = app.state?.tool.position; p.quaternion = app.state?.tool.quaternion; })}, '⟳'),
          h('button', {title: 'remove', onclick: () => change(() => { s.points.splice(k, 1); })}, '×'))),
        h('div.row', null, h('button.primary', {onclick: () => change(() => app.addPoint()), title: 'key P'}, 'Add this position'),
          choice([['stops', 'stop at each'], ['cubic-spline', 'cubic spline'], ['quintic-spline', 'quintic spline'], ['tool-lines', 'straight lines of the tool']], s.path, v => change(() => { s.path = v; }), 'between the points'),
          choice([['quintic', 'quintic'], ['cycloidal', 'cycloidal'], ['trapezoid', 'trapezoid'], ['s-curve', 'S-curve'], ['septic', 'septic']], s.law, v => change(() => { s.law = v; }), 'time law')),
        check('as fast as the limits of velocity and torque let its shape be', s.fastest, v => change(() => { s.fastest = v; })));
      if (s.points.length < 2) list.append(h('p.hint', null, 'Move the robot, add its position, move it again, add that one, too.'));
    };
    into.append(
      h('p.hint', null, 'A motion over time: play it below; the cursor of the curves is the position of the robot.'),
      h('div.row', null, which), list, file, notes);
    fill();
    if (!app.motion && ready()) load();
    let had: unknown = app.motion;
    return what => {
      if (what !== 'motion' || had === app.motion || !app.motion) return;
      had = app.motion;
      which.value = app.now.motion;
      fill();
      notes.replaceChildren(...app.motion.notes.map(n => h('li', null, n)));
      const speeds = app.motion.tool_speed.numbers, fastest = Math.max(1e-12, ...speeds);
      app.overlays.path('path', app.motion.tool.numbers, app.now.show.path ? speeds.map(v => v / fastest) : null, app.scene.theme);
      app.show(0);
    };
  }
};

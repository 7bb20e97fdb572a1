// Motion: the one that the robot is known for, or through way points of one's own; least time under limits.
import {choice, check, h, numberField} from '../dom';
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
    const list = h('div.points'), notes = h('ul.notes');
    const load = (): void => { app.store.keep(); void app.loadMotion(); };
    const change = (f: () => void): void => { app.store.mark(); f(); fill(); if (app.now.motion === 'usual' || app.now.points.length > 1) load(); };
    const fill = (): void => {
      const s = app.now;
      list.hidden = s.motion !== 'points';
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
        check('least time under the limits of velocity and torque', s.fastest, v => change(() => { s.fastest = v; })));
      if (s.points.length < 2) list.append(h('p.hint', null, 'Move the robot, add its position, move it again, add that one, too.'));
    };
    into.append(
      h('p.hint', null, 'A motion over time: play it below; the cursor of the curves is the position of the robot.'),
      h('div.row', null, choice([['usual', 'the usual motion of this robot'], ['points', 'through way points']], app.now.motion, v => change(() => { app.now.motion = v as 'usual' | 'points'; }), 'which motion')),
      list, notes);
    fill();
    if (!app.motion && (app.now.motion === 'usual' || app.now.points.length > 1)) load();
    let had: unknown = app.motion;
    return what => {
      if (what !== 'motion' || had === app.motion || !app.motion) return;
      had = app.motion;
      notes.replaceChildren(...app.motion.notes.map(n => h('li', null, n)));
      const speeds = app.motion.tool_speed.numbers, fastest = Math.max(1e-12, ...speeds);
      app.overlays.path('path', app.motion.tool.numbers, app.now.show.path ? speeds.map(v => v / fastest) : null, app.scene.theme);
      app.show(0);
    };
  }
};

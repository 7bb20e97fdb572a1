// Motion: the one that the robot is known for, or through way points of one's own; as fast as limits let its shape be.
import * as three from 'three';
import type {SolveAnswer} from '../answers';
import {choice, check, h} from '../dom';
import {numberField} from '../number_field';
import {Latest} from '../engine';
import {vector} from '../scene';
import type {Point} from '../settings';
import {openFiles} from '../chooser';
import {digits, posture, shown, unitOf} from '../units';
import type {Panel} from './panel';

export const motion: Panel = {
  name: 'motion', title: 'Motion', of: 'robot',
  make(app, into) {
    const robot = app.robot!;
    if (robot.nq !== robot.nv) {
      into.append(h('p.empty', null, 'Joints with several coordinates have no motions here yet.'));
      return () => undefined;
    }
    let by: 'speed' | 'manipulability' | 'singular' = 'speed';
    const list = h('div.points'), notes = h('ul.notes'), legend = h('p.hint'), file = h('div.row');
    const input = h<HTMLInputElement>('input', {type: 'file', accept: '.csv', hidden: true, 'aria-label': 'CSV of a motion',
      onchange: () => {
        const files = [...input.files ?? []].map(f => ({path: f.name, file: f}));
        input.value = '';  // the same file again is a change, too
        void openFiles(app, files).then(() => { which.value = app.now.motion; fill(); });
      }});
    const which = choice([['usual', 'the usual motion of this robot'], ...(robot.published ? [['published', 'the published path of its tool'] as [string, string]] : []), ['points', 'through way points'], ['table', 'of a CSV file']], app.now.motion, v => change(() => { app.now.motion = v as typeof app.now.motion; }), 'which motion');
    const load = (): void => { app.store.keep(); void app.loadMotion(); };
    /** A duration; one that the engine has no motion for goes back. */
    const last = async (p: Point, seconds: number): Promise<string> => {
      const before = p.duration;
      app.store.mark();
      p.duration = seconds;
      const why = ready() ? await app.loadMotion() : '';
      if (why) p.duration = before;
      app.store.keep();
      return why;
    };
    const change = (f: () => void): void => { app.store.mark(); f(); fill(); if (ready()) load(); };
    const ready = (): boolean => app.now.motion === 'points' ? app.now.points.length > 1 : app.now.motion !== 'table' || app.table !== null;
    // way points in the picture: click one to take it, drag it, and the motion goes that way
    let chosen = -1, dots: three.Object3D[] = [];
    const mark = (): void => {
      const s = app.now, own = s.motion === 'points' ? s.points.filter(p => p.position) : [];
      dots = app.overlays.points(own.map(p => vector(p.position!)), chosen, app.figure?.size ?? 1, app.scene.theme);
      app.overlays.branches = own.map((p, k) => ({at: vector(p.position!), text: String(s.points.indexOf(p) + 1 || k + 1)}));
      app.overlays.label(app.overlays.branches);
      app.scene.draw();
    };
    const solve = new Latest<{near: number[]; position: number[]; quaternion: number[]}, SolveAnswer>(q => app.engine.call<SolveAnswer>('solve', {id: robot.id, ...q}), (a, q) => {
      const p = app.now.points[chosen];
      if (!p || !a.nearest || !into.isConnected) return;
      Object.assign(p, a.status === 'solved' ? {q: [...a.nearest], position: q.position, quaternion: q.quaternion} : {q: [...a.nearest]});
      app.now.q = [...a.nearest];
      app.now.qd.fill(0);
      app.now.qdd.fill(0);
      app.move();
      app.emit('settings');
      mark();
    }, e => app.fail(e));
    const hold = (k: number): void => {
      chosen = k;
      const p = app.now.points[k];
      mark();
      if (!p?.position || !p.quaternion) return app.scene.grip(null);
      const object = new three.Object3D();
      object.position.copy(vector(p.position));
      object.quaternion.set(p.quaternion[1]!, p.quaternion[2]!, p.quaternion[3]!, p.quaternion[0]!);
      app.scene.grip({object, begin: () => app.store.mark(), change: () => { const {position: at, quaternion: e} = object; solve.request({near: app.now.points[chosen]!.q, position: at.toArray(), quaternion: [e.w, e.x, e.y, e.z]}); }, end: () => void solve.idle().then(() => { if (ready()) load(); fill(); })});
    };
    const canvas = app.scene.renderer.domElement, pick = (e: PointerEvent): void => {
      if (!into.isConnected) return canvas.removeEventListener('pointerdown', pick, true);
      if (list.hidden || !dots.length || app.scene.overArrows(e)) return;
      const hit = app.scene.ray(e).intersectObjects(dots, false)[0];
      if (hit) { e.stopImmediatePropagation(); hold(dots.indexOf(hit.object)); }
    };
    canvas.addEventListener('pointerdown', pick, true);
    const fill = (): void => {
      const s = app.now;
      list.hidden = s.motion !== 'points';
      file.hidden = s.motion !== 'table';
      // paths of the tool go at a pace of their own: no durations, no law, nothing to be made faster
      const ofJoints = !s.path.startsWith('tool-');
      file.replaceChildren(h('button', {onclick: () => input.click()}, 'File …'), input,
        h('span.hint', null, app.table?.name ?? 'Columns t and q1, q2, … or the names of the joints; velocities and accelerations if there are any. Or drop it on the page.'));
      list.replaceChildren(
        ...s.points.map((p, k) => h('div.point', null, h('b', null, `${k + 1}`),
          h('button.link', {title: 'go there', onclick: () => { app.now.q = [...p.q]; app.now.qd.fill(0); app.now.qdd.fill(0); app.move(); app.emit('settings'); hold(k); }},
            posture(p.q, robot.positions.map(x => x.kind), 3)),
          k > 0 && ofJoints ? numberField({label: `seconds to point ${k + 1}`, get: () => p.duration, set: x => last(p, x), refusal: x => x > 0 ? '' : 'it takes some time'}) : h('span'),
          h('span.unit', null, k > 0 && ofJoints ? 's' : ''),
          h('button', {title: 'here instead', onclick: () => change(() => { p.q = [...app.now.q]; p.position = app.state?.tool.position; p.quaternion = app.state?.tool.quaternion; })}, '⟳'),
          h('button', {title: 'remove', onclick: () => change(() => { s.points.splice(k, 1); })}, '×'))),
        h('div.row.wrap', null, h('button.primary', {onclick: () => change(() => app.addPoint()), title: 'key P'}, 'Add this position'),
          choice([['stops', 'stop at each'], ['cubic-spline', 'cubic spline'], ['quintic-spline', 'quintic spline'], ['tool-lines', 'straight lines of the tool'], ['tool-arc', 'an arc of the tool']], s.path, v => change(() => { s.path = v; }), 'between the points'),
          s.path === 'stops' && choice([['quintic', 'quintic'], ['cycloidal', 'cycloidal'], ['trapezoid', 'trapezoid'], ['s-curve', 'S-curve'], ['septic', 'septic']], s.law, v => change(() => { s.law = v; }), 'time law')),
        !ofJoints ? '' : robot.velocities.every(v => v.velocity === null) ? h('p.hint.no-limits', null, 'Its file has no velocity limits: nothing says how fast it may go.')
          : check('as fast as the limits of velocity and torque let its shape be', s.fastest, v => change(() => { s.fastest = v; })));
      if (s.points.length < 2) list.append(h('p.hint', null, 'Move the robot, add its position, move it again, add that one, too.'));
      else list.append(h('p.hint', null, s.path === 'tool-arc' && s.points.length !== 3 ? 'An arc goes through three points: the start, one on the way, the end.' : 'Click a number in the picture, then drag the arrows: the motion goes that way.'));
      mark();
    };
    into.append(
      h('p.hint', null, 'A motion over time: play it below; the cursor of the curves is the position of the robot.'),
      h('div.row.wrap', null, which, choice([['speed', 'path coloured by speed'], ['manipulability', 'path coloured by manipulability'], ['singular', 'path coloured by distance to singular']], by, v => { by = v as typeof by; paintPath(); }, 'colour of the path')), legend, list, file, notes);
    // speed: vermilion is fast; the others: vermilion is near a singular position
    const paintPath = (): void => {
      if (!app.motion) return;
      const values = by === 'speed' ? app.motion.tool_speed.numbers : by === 'manipulability' ? app.motion.manipulability.numbers : app.motion.least_singular_value.numbers, most = Math.max(1e-12, ...values);
      app.overlays.path('path', app.motion.tool.numbers, app.now.show.path ? values.map(v => by === 'speed' ? v / most : 1 - v / most) : null, app.scene.theme);
      const far = (x: number): string => by === 'speed' ? `${digits(shown(x, 'length'), 3)} ${unitOf('length', 1)}` : digits(x, 3);
      legend.textContent = `The path is blue at ${by === 'speed' ? '' : `the largest ${by === 'singular' ? 'distance to a singular position' : 'manipulability'}, `}${far(by === 'speed' ? 0 : most)}, and vermilion at ${far(by === 'speed' ? most : 0)}.`;
      app.scene.draw();
    };
    fill();
    if (!app.motion && ready()) load();
    let had: unknown = app.motion;
    return what => {
      if (what === 'theme') { paintPath(); mark(); }
      if (!dots.length && app.now.points.length && what === 'state') mark();
      if (what !== 'motion' || had === app.motion || !app.motion) return;
      had = app.motion;
      which.value = app.now.motion;
      fill();
      notes.replaceChildren(...app.motion.notes.map(n => h('li', null, n)));
      paintPath();
      app.show(0);
    };
  }
};

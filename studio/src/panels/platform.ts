// The tool of a robot with loops: dragged or typed, every way of the legs as a ghost; and all ways to put the loops together where the
// drivers stand.
import type {AssembliesAnswer, DriveAnswer, Pose, ReachAnswer} from '../answers';
import {check, h} from '../dom';
import {Latest} from '../engine';
import {numberField} from '../number_field';
import {digits, shown, typed, unitOf} from '../units';
import type {Panel} from './panel';

interface Way { name: string; joints: number[]; note: string; values: string; here: boolean; good: boolean }

export const platform: Panel = {
  name: 'platform', title: 'Tool', of: 'mechanism',
  make(app, into) {
    const m = app.mechanism!;
    if (!m.tool || !m.tool_pose) {
      into.append(h('p.empty', null, m.of_robot ? `Its tool cannot be dragged: ${m.tool_refusal}. Its drivers are under Mechanism.` : 'A mechanism has no tool: its drivers are under Mechanism.'));
      return () => undefined;
    }
    let pose: Pose = app.drive?.tool_pose ?? m.tool_pose, legs: string[] = [];
    const {target, handle} = app.scene, verdict = h('p.verdict', {role: 'status'}), list = h('div.solutions'), kinds = m.drivers.map(d => (d.angle ? 'angle' : 'length') as 'angle' | 'length');
    const put = (): void => {
      if (handle.dragging) return;
      target.position.set(...pose.position);
      target.quaternion.set(pose.quaternion[1], pose.quaternion[2], pose.quaternion[3], pose.quaternion[0]);
      app.scene.draw();
    };
    const show = (ways: Way[], ghosts: Float64Array): void => {
      list.replaceChildren(...ways.map(w => h(`button.solution${w.here ? '.here' : ''}`, {'data-joints': JSON.stringify(w.joints), onclick: () => { app.store.mark(); void place(w.joints); }},
        h('b', null, w.name), h('span.status', {'data-status': w.good ? 'ok' : 'outside limits'}, w.note), h('span.joints-text', null, w.values))));
      app.paintShadows(ghosts, ways.map(w => w.name), ways.findIndex(w => w.here));
    };
    const take = (a: DriveAnswer): void => {
      pose = a.tool_pose ?? pose;
      app.takeDrive(a);
    };
    const values = (q: number[]): string => q.map((x, k) => `${m.drivers[k]?.name ?? ''} ${digits(shown(x, kinds[k] ?? 'angle'), 4)}${unitOf(kinds[k] ?? 'angle') === '°' ? '' : ' '}${unitOf(kinds[k] ?? 'angle')}`).join(', ');
    const near = (a: number[], b: number[]): boolean => a.every((x, k) => Math.abs(x - b[k]!) < 1e-6);
    const asked = new Latest<{id: number; follow: boolean; [field: string]: unknown}, ReachAnswer>(q => app.engine.call<ReachAnswer>('reach', q), (a, q) => {
      if (!into.isConnected) return;
      legs = a.result.legs.map(l => l.name);
      const all = a.result.solutions, inside = all.filter(s => s.inside_limits).length;
      verdict.textContent = a.result.status !== 'solved' ? `${a.result.unreachable === 'platform' ? 'The platform' : `The leg ${a.result.unreachable}`} does not reach that: it stays where it is.`
        : q.follow && !a.followed ? 'No way inside the limits: it stays where it is.'
          : `${all.length} way${all.length === 1 ? '' : 's'} of the legs, ${inside} inside the limits${a.place_alone ? '; the tool does not turn freely, only its place counts' : ''}.`;
      verdict.classList.toggle('bad', a.result.status !== 'solved' || (q.follow && !a.followed));
      if (q.follow && a.followed) take(a);
      // legs with a single way need no name
      show(all.map(s => ({joints: s.joints, name: s.branch.flatMap((b, k) => (a.result.legs[k]!.count > 1 ? [`${legs[k]!} ${b}`] : [])).join(', ') || 'the only way', here: near(s.q, app.now.drivers), good: s.inside_limits,
        note: s.assembled ? 'as assembled' : s.inside_limits ? 'another mode' : 'outside limits', values: values(s.q)})), a.ghosts.numbers);
    }, e => app.fail(e));
    const request = (follow: boolean, rpy?: number[]): void => {
      const {position: p, quaternion: e} = target;
      asked.request({id: m.id, follow, position: p.toArray(), ...(rpy ? {rpy} : {quaternion: [e.w, e.x, e.y, e.z]})});
    };
    const rest = async (): Promise<void> => { await asked.idle(); put(); request(false); };
    const place = async (joints: number[]): Promise<void> => {
      try { take(await app.engine.call<DriveAnswer>('place', {id: m.id, joints})); await rest(); } catch (e) { app.fail(e); }
    };
    const came = async (): Promise<string> => {
      const why = await asked.verdict();
      put();
      return why || (verdict.classList.contains('bad') ? 'it is out of reach' : '');
    };
    const fields = [...['x', 'y', 'z'].map((name, k) => [name, numberField({label: `tool ${name} in ${unitOf('length')}`, step: typed(1, 'length') < 1 ? 10 : 0.01, get: () => shown(pose.position[k]!, 'length'),
      set: x => { app.store.mark(); put(); target.position.setComponent(k, typed(x, 'length')); request(true); return came(); }, refusal: x => Math.abs(x) <= 1e6 ? '' : 'it is farther away than any tool gets'}), unitOf('length')] as const),
    ...['roll', 'pitch', 'yaw'].map((name, k) => [name, numberField({label: `tool ${name} in ${unitOf('angle')}`, step: typed(1, 'angle') < 1 ? 5 : 0.1, get: () => shown(pose.rpy[k]!, 'angle'),
      set: x => { app.store.mark(); put(); request(true, pose.rpy.map((old, i) => i === k ? typed(x, 'angle') : old)); return came(); }, refusal: x => Math.abs(x) <= 1e6 ? '' : 'it is too large for an angle'}), unitOf('angle')] as const)];
    const mode = (what: 'translate' | 'rotate'): void => { handle.setMode(what); for (const b of modes.children) b.classList.toggle('on', (b as HTMLElement).dataset.mode === what); };
    const modes = h('div.segments', null, h('button.on', {'data-mode': 'translate', onclick: () => mode('translate'), title: 'key W'}, 'move'), h('button', {'data-mode': 'rotate', onclick: () => mode('rotate'), title: 'key E'}, 'turn'));
    const every = h<HTMLButtonElement>('button', {onclick: () => void (async () => {
      every.disabled = true;
      verdict.textContent = 'Searching ...';
      try {
        const a = await app.engine.call<AssembliesAnswer>('assemblies', {id: m.id}), all = a.result.modes;
        verdict.textContent = `${all.length} way${all.length === 1 ? '' : 's'} to put the loops together where the drivers stand${a.result.settled ? '' : ': the search did not come to its end'}.`;
        verdict.classList.remove('bad');
        show(all.map((s, k) => ({joints: s.joints, name: `assembly ${k + 1}`, here: false, good: s.inside_limits, note: s.assembled ? 'as assembled' : s.inside_limits ? 'another mode' : 'outside limits', values: ''})), a.ghosts.numbers);
      } catch (e) { verdict.textContent = ''; app.fail(e); }
      every.disabled = false;
    })(), title: 'the same values of the drivers, other places of the platform'}, 'All assemblies at these drivers');
    into.append(h('p.hint', null, `Drag the arrows at ${m.tool}. Every way of the legs to hold it there is a ghost, named by the way that each leg takes; click one below to go there.`),
      h('div.row.wrap', null, modes, check('ghosts', app.now.show.ghosts ?? true, v => { app.now.show.ghosts = v; app.store.keep(); request(false); }), every),
      h('div.fields.three', null, ...fields.map(([name, f, unit]) => h('label', null, `${name} (${unit})`, f))), verdict, list);
    app.scene.grip({object: target, begin: () => app.store.mark(), change: () => request(true), end: () => void rest()});
    // where the drivers stand in the engine: a motion that is played moves nothing there
    if (app.drive?.tool_pose) { put(); request(false); } else app.setDrivers([...app.now.drivers]);
    return what => {
      if (what === 'theme') request(false);
      if (what !== 'state' || !app.drive?.tool_pose) return;
      const first = list.childElementCount === 0;
      pose = app.drive.tool_pose;
      put();
      for (const [, f] of fields) f.refresh();
      if (first && !asked.busy) request(false);
    };
  }
};

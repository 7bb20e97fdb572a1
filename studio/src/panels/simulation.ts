// Simulation: let go, push, close a loop with any control law; gains and friction change while it runs, energy beside it.
import type {RunAnswer} from '../answers';
import {choice, h} from '../dom';
import {type NumberField, numberField} from '../number_field';
import {EngineError} from '../engine';
import {vector} from '../scene';
import {pushRefusals, type RunSettings} from '../settings';
import {digits} from '../units';
import type {Panel} from './panel';

export const simulation: Panel = {
  name: 'simulation', title: 'Simulate', of: 'robot',
  make(app, into) {
    const robot = app.robot!;
    if (!robot.has_mass) {
      into.append(h('p.empty', null, 'Nothing of this robot has a mass: it cannot be simulated.'));
      return () => undefined;
    }
    const settings = (): RunSettings => app.now.run, usual = robot.control_refusal ? 'none' : 'pd-gravity', law = (): string => settings().law || usual;
    type Setting = 'kp' | 'kv' | 'friction' | 'push' | 'lasts';
    const along = (force: number): number[] => { const k = Number(settings().direction); return [0, 1, 2].map(i => i === k % 3 ? k < 3 ? force : -force : 0); };
    const fields: NumberField[] = [];
    /** What the engine refuses is not set: a run that goes on never sees it. */
    const setting = (key: Setting, label: string, step: number): HTMLElement => {
      fields.push(numberField({label, step, refusal: pushRefusals[key], get: () => settings()[key], set: async x => {
        try {
          await app.askRun({...settings(), [key]: x});
        } catch (e) {
          if (!(e instanceof EngineError)) app.fail(e);
          return e instanceof EngineError ? e.faults[0]!.what : 'the engine does not answer';
        }
        settings()[key] = x;
        app.store.keep();
        if (key === 'friction' && app.running) void start();
        told();
        return '';
      }}));
      return fields.at(-1)!;
    };
    const driver = choice([], '', v => { settings().law = v; app.store.keep(); }, 'who drives it');
    /** The laws: the list of them comes behind the robot. */
    const fill = (): void => {
      const list = robot.control_refusal ? [] : app.catalogue?.laws;
      const laws: [string, string][] = [['none', 'let go: no torques'], ['hold', 'the torques that held the start'], ...(list ?? []).map(l => [l.name, l.title] as [string, string])];
      if (!laws.some(l => l[0] === law())) {
        if (list) {
          app.leave(`law: ${law()}: ${robot.control_refusal || 'there is no such law'}`);
          settings().law = '';
        } else laws.push([law(), law()]);
      }
      driver.replaceChildren(...laws.map(([name, title]) => h('option', {value: name}, title)));
      driver.value = law();
    };
    fill();
    // seconds that the push still acts
    let target = [...app.now.q], pushing = 0, runs = 0, history: RunAnswer[] = [];
    const energy = h('dl.facts'), clock = h('p.verdict', {role: 'status'}, 'Ready.'), chart = h<HTMLCanvasElement>('canvas.energy');
    const button = h<HTMLButtonElement>('button.primary', {onclick: () => { if (app.running) stop(); else void start(); }}, 'Start');
    const stop = (): void => { app.running = false; button.textContent = 'Start'; };
    const start = async (): Promise<void> => {
      app.store.mark();
      target = [...app.now.q];
      history = [];
      try {
        await app.engine.call('begin_run', {id: robot.id, q: app.now.q, qd: app.now.qd, friction: settings().friction, ...app.loads()});
      } catch (e) { return app.fail(e); }
      app.running = true;
      const own = ++runs;  // one that is begun anew ends this one
      button.textContent = 'Stop';
      // where the tool is in its body, for the arrow of a push
      const hand = app.state?.tool && robot.tool_body !== undefined ? app.figure!.local(robot.tool_body, vector(app.state.tool.position)) : vector([0, 0, 0]);
      let last = performance.now(), debt = 0;
      while (own === runs && app.running && app.robot === robot && into.isConnected) {
        await new Promise(requestAnimationFrame);
        const at = performance.now();
        debt = Math.min(0.1, debt + (at - last) / 1000);
        last = at;
        // a push acts as long as it was said to, not as long as a frame takes
        const acts = pushing > 0, seconds = acts ? Math.min(Math.max(0.002, debt), pushing) : Math.max(0.002, debt), push = along(acts ? settings().push : 0);
        try {
          const a = await app.engine.call<RunAnswer>('go_on', {id: robot.id, seconds, law: law(), kp: settings().kp, kv: settings().kv, target, push});
          debt = Math.max(0, debt - seconds);
          pushing = acts ? Math.max(0, pushing - seconds) : pushing;
          if (pushing < 1e-9) pushing = 0;
          // meanwhile it may have been stopped, or another thing opened
          if (own !== runs || !app.running || app.robot !== robot) break;
          app.now.q = [...a.q];
          app.now.qd = a.qd.map(x => x ?? 0);
          app.figure?.setPoses(a.poses.numbers);
          app.overlays.torques(robot, app.figure!, a.tau, app.now.show.torques ?? true, app.now.show.labels ?? true, app.scene.theme);
          const place = robot.tool_body === undefined ? null : app.figure!.world(robot.tool_body, hand);
          app.overlays.push(place, acts ? push : null, app.figure!.size, app.scene.theme);
          app.scene.draw();
          history.push(a);
          if (history.length > 1200) history.shift();
          tell(a);
          if (a.ended) { app.say(a.why ?? 'it ended'); break; }
        } catch (e) { app.fail(e); break; }
      }
      if (own !== runs) return;
      stop();
      pushing = 0;
      app.overlays.push(null, null, 1, app.scene.theme);
      if (app.robot !== robot) return;
      app.now.qdd.fill(0);
      app.move();
      app.emit('settings');
    };
    const tell = (a: RunAnswer): void => {
      clock.textContent = `${digits(a.t, 4)} s`;
      const rows: [string, number][] = [['kinetic', a.energy.kinetic], ['potential', a.energy.potential], ['work of the drives', a.energy.torque_work],
        ['lost to friction', a.energy.friction_loss], ['work of pushes', a.energy.surroundings_work], ['work of the stops', a.energy.stop_work], ['error of the balance', a.energy.balance_error]];
      energy.replaceChildren(...rows.flatMap(([k, x]) => [h('dt', null, k), h('dd', null, `${digits(x, 4)} J`)]));
      draw();
    };
    const draw = (): void => {
      const g = chart.getContext('2d')!, w = chart.width = chart.clientWidth * devicePixelRatio, height = chart.height = chart.clientHeight * devicePixelRatio;
      const curves = [history.map(x => x.energy.kinetic), history.map(x => x.energy.potential), history.map(x => x.energy.kinetic + x.energy.potential)];
      const all = curves.flat(), low = Math.min(...all), high = Math.max(...all, low + 1e-9);
      curves.forEach((c, k) => {
        g.beginPath();
        g.lineWidth = 1.6 * devicePixelRatio;
        g.strokeStyle = app.scene.theme.series[k]!;
        c.forEach((x, i) => { const px = i / Math.max(1, c.length - 1) * w, py = height - 4 - (x - low) / (high - low) * (height - 8); if (i) g.lineTo(px, py); else g.moveTo(px, py); });
        g.stroke();
      });
    };
    const impulse = h('span.hint'), told = (): void => { impulse.textContent = `a click gives ${digits(settings().push * settings().lasts, 4)} N s`; };
    told();
    const legend = h('div.legend', null, ...['kinetic', 'potential', 'sum'].map((name, k) => { const i = h('i'); i.style.background = app.scene.theme.series[k]!; return h('span', null, i, name); }));
    into.append(
      h('p.hint', null, 'Forward simulation from the present position and velocity, in real time. Joint limits are stiff stops, dry friction sticks.'),
      h('div.row', null, button, driver),
      h('div.fields', null, h('label', null, 'kp (1/s²)', setting('kp', 'kp', 10)), h('label', null, 'kv (1/s)', setting('kv', 'kv', 1)),
        h('label', null, 'friction ×', setting('friction', 'friction factor', 0.1))),
      ...(robot.tool ? [h('h3', null, 'Push the tool'),
        h('div.row.wrap', null, h('button.push', {onclick: () => { pushing = settings().lasts; if (!app.running) void start(); }, title: 'starts the simulation, where it does not run'}, 'Push'),
          setting('push', 'push in N', 10), h('span.unit', null, 'N for'), setting('lasts', 'length of the push in s', 0.1), h('span.unit', null, 's along'),
          choice([['0', 'x'], ['1', 'y'], ['2', 'z'], ['3', '−x'], ['4', '−y'], ['5', '−z']], settings().direction, v => { settings().direction = v; app.store.keep(); }, 'direction of the push'), impulse)] : []),
      clock, h('h3', null, 'Energy'), chart, legend, energy);
    if (robot.control_refusal) into.append(h('p.hint', null, `No control law: ${robot.control_refusal}.`));
    return what => {
      if (what === 'theme' && history.length) draw();
      if (what === 'catalogue') fill();
      if (what === 'settings') { for (const f of fields) f.refresh(); told(); }
    };
  }
};

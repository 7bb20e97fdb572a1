// Simulation: let go, push, close a loop with any control law; gains and friction change while it runs, energy beside it.
import type {RunAnswer} from '../answers';
import {choice, h, numberField} from '../dom';
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
    const laws: [string, string][] = [['none', 'let go: no torques'], ['hold', 'the torques that held the start'],
      ...(robot.control_refusal ? [] : app.catalogue?.laws ?? []).map(l => [l.name, l.title] as [string, string])];
    const set = {law: robot.control_refusal ? 'none' : 'pd-gravity', kp: 100, kv: 20, friction: 1, push: 50, direction: '0'};
    if (!laws.some(l => l[0] === set.law)) set.law = 'none';
    let target = [...app.now.q], pushing = false, history: RunAnswer[] = [];
    const energy = h('dl.facts'), clock = h('p.verdict', {role: 'status'}, 'Ready.'), chart = h<HTMLCanvasElement>('canvas.energy');
    const button = h<HTMLButtonElement>('button.primary', {onclick: () => { if (app.running) stop(); else void start(); }}, 'Start');
    const stop = (): void => { app.running = false; button.textContent = 'Start'; };
    const start = async (): Promise<void> => {
      app.store.mark();
      target = [...app.now.q];
      history = [];
      try {
        await app.engine.call('begin_run', {id: robot.id, q: app.now.q, qd: app.now.qd, friction: set.friction, ...app.loads()});
      } catch (e) { return app.fail(e); }
      app.running = true;
      button.textContent = 'Stop';
      let last = performance.now(), debt = 0;
      while (app.running && app.robot === robot && into.isConnected) {
        await new Promise(requestAnimationFrame);
        const at = performance.now();
        debt = Math.min(0.1, debt + (at - last) / 1000);
        last = at;
        const push = [0, 0, 0];
        if (pushing) push[Number(set.direction) % 3] = Number(set.direction) < 3 ? set.push : -set.push;
        try {
          const a = await app.engine.call<RunAnswer>('go_on', {id: robot.id, seconds: Math.max(0.002, debt), law: set.law, kp: set.kp, kv: set.kv, target, push});
          debt = 0;
          // meanwhile it may have been stopped, or another thing opened
          if (!app.running || app.robot !== robot) break;
          app.now.q = [...a.q];
          app.now.qd = a.qd.map(x => x ?? 0);
          app.figure?.setPoses(a.poses.numbers);
          app.overlays.torques(robot, app.figure!, a.tau, app.now.show.torques ?? true, app.now.show.labels ?? true, app.scene.theme);
          app.scene.draw();
          history.push(a);
          if (history.length > 1200) history.shift();
          tell(a);
          if (a.ended) { app.say(a.why ?? 'it ended'); break; }
        } catch (e) { app.fail(e); break; }
      }
      stop();
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
    const legend = h('div.legend', null, ...['kinetic', 'potential', 'sum'].map((name, k) => { const i = h('i'); i.style.background = app.scene.theme.series[k]!; return h('span', null, i, name); }));
    into.append(
      h('p.hint', null, 'Forward simulation from the present position and velocity, in real time. Joint limits are stiff stops, dry friction sticks.'),
      h('div.row', null, button, choice(laws, set.law, v => { set.law = v; }, 'who drives it')),
      h('div.fields', null, h('label', null, 'kp (1/s²)', numberField(set.kp, x => { set.kp = x; }, 'kp', 10)), h('label', null, 'kv (1/s)', numberField(set.kv, x => { set.kv = x; }, 'kv', 1)),
        h('label', null, 'friction ×', numberField(set.friction, x => { set.friction = x; if (app.running) void start(); }, 'friction factor', 0.1, x => x < 0 ? 'friction is not negative' : ''))),
      h('div.row', null, h('button', {onpointerdown: () => { pushing = true; }, onpointerup: () => { pushing = false; }, onpointerleave: () => { pushing = false; }, title: 'while it is held'}, 'Push'),
        numberField(set.push, x => { set.push = x; }, 'push in N', 10), h('span.unit', null, 'N along'),
        choice([['0', 'x'], ['1', 'y'], ['2', 'z'], ['3', '−x'], ['4', '−y'], ['5', '−z']], '0', v => { set.direction = v; }, 'direction of the push')),
      clock, h('h3', null, 'Energy'), chart, legend, energy);
    if (robot.control_refusal) into.append(h('p.hint', null, `No control law: ${robot.control_refusal}.`));
    return what => { if (what === 'theme' && history.length) draw(); };
  }
};

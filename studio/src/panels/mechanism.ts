// Mechanism: its drivers by sliders, its motion over time, reactions as arrows.
import {check, choice, h} from '../dom';
import {numberField} from '../number_field';
import {beyondLimit, digits, shown, typed, unitOf} from '../units';
import type {ModesAnswer} from '../answers';
import type {Panel} from './panel';

export const mechanism: Panel = {
  name: 'mechanism', title: 'Mechanism', of: 'mechanism',
  make(app, into) {
    const m = app.mechanism!;
    const said = h('p.verdict', {role: 'status'}), holding = h('dl.facts');
    const moved: (() => void)[] = [];
    const sliders = m.drivers.map((d, k) => {
      const kind = d.angle ? 'angle' as const : 'length' as const;
      const wide = d.angle ? Math.max(Math.PI, (d.high - d.low) / 2) : Math.max(0.2 * m.view.radius, (d.high - d.low) / 2), middle = (d.low + d.high) / 2;
      const from = d.lower ?? middle - wide, to = d.upper ?? middle + wide;
      const at = (): number => app.now.drivers[k] ?? d.value, drive = (x: number): void => { const v = [...app.now.drivers]; v[k] = x; app.setDrivers(v); };
      moved.push(() => { if (document.activeElement !== e || !app.busy) e.value = String(at()); field.refresh(); limit.textContent = beyondLimit(at(), {lower: d.lower ?? null, upper: d.upper ?? null}, kind); row.classList.toggle('beyond', limit.textContent !== ''); });
      const field = numberField({label: `${d.name} as a number`, step: d.angle ? 1 : 0.01, get: () => shown(at(), kind), set: x => { app.store.mark(); drive(typed(x, kind)); return app.driven(); }});
      const e = h<HTMLInputElement>('input', {type: 'range', min: String(from), max: String(to), step: 'any', value: String(app.now.drivers[k] ?? d.value), 'aria-label': d.name,
        onpointerdown: () => app.store.mark(),
        oninput: () => { drive(Number(e.value)); field.refresh(); }});
      const limit = h('span.limit'), row = h('div.joint', null, h('span.name', {title: d.name}, d.name), e, field, h('span.unit', null, unitOf(kind)), limit);
      return row;
    });
    into.append(
      ...(sliders.length ? [h('h3', null, 'Drivers'), h('p.hint', null, 'Move them: the mechanism follows along the branch it is on.'), h('div.joints', null, ...sliders)] : []),
      said, holding,
      h('h3', null, 'Over time'),
      h('div.row', null, choice([...(m.driven ? [['driven', 'as its drivers prescribe'] as [string, string]] : []), ['released', 'let go: under forces alone']], m.driven ? 'driven' : 'released',
        v => void app.runMechanism(v as 'driven' | 'released'), 'how it moves')),
      check('reactions of the joints', app.now.show.reactions ?? false, v => { app.now.show.reactions = v; if (app.drive) app.setDrivers(app.now.drivers); else app.show(app.frame); app.store.keep(); }));
    // one cycle of a mode in two seconds, whatever its frequency
    let moving = 0;
    const table = h('div.modes'), still = (): void => { cancelAnimationFrame(moving); moving = 0; app.oscillating = false; for (const b of table.querySelectorAll('.here')) b.classList.remove('here'); };
    const play = (a: ModesAnswer, k: number, row: HTMLElement): void => {
      app.emit('pause');
      still();
      row.classList.add('here');
      app.oscillating = true;
      const each = 7 * m.view.parts.length, start = performance.now(), {figure} = app;
      app.overlays.layer('reactions');
      // it may rest where the camera does not look
      figure?.setPoses(a.poses.numbers, k * a.instants * each);
      const {centre, radius} = figure!.bounds();
      app.scene.fit({...m.view, centre, radius: Math.max(radius, m.view.radius)}, 0);
      const tick = (now: number): void => {
        if (app.mechanism !== m || !row.isConnected) { app.oscillating = false; return; }
        // a frame may have begun before the click
        const i = Math.floor(Math.max(0, now - start) / 2000 * a.instants) % a.instants;
        app.figure?.setPoses(a.poses.numbers, (k * a.instants + i) * each);
        app.scene.draw();
        moving = requestAnimationFrame(tick);
      };
      moving = requestAnimationFrame(tick);
    };
    const ask = h<HTMLButtonElement>('button', {onclick: () => void (async () => {
      ask.disabled = true;
      try {
        await app.opening;  // a motion that came later would stop the mode that is looked at
        const a = await app.engine.call<ModesAnswer>('modes', {id: m.id});
        table.replaceChildren(h('p.verdict', null, a.modes.length ? `${a.modes.length} mode${a.modes.length === 1 ? '' : 's'} about the place of rest, which is ${a.stability}.` : 'Nothing is free to move: joints and drivers hold it all.'),
          ...a.modes.map((mode, k) => {
            const row = h<HTMLButtonElement>('button.mode', {disabled: k >= a.cycles, 'data-frequency': String(mode.frequency), onclick: () => { if (row.classList.contains('here')) { still(); app.scene.fit(m.view, 0); app.show(app.frame); } else play(a, k, row); }},
              h('b', null, `${digits(mode.frequency, 4)} Hz`), h('span', null, mode.character), h('span', null, `damping ratio ${digits(mode.damping, 3)}`));
            return row;
          }));
      } catch (e) {
        table.replaceChildren(h('p.bad', null, e instanceof Error ? e.message : String(e)));
      }
      ask.disabled = false;
    })()}, 'Small motions about the place of rest');
    into.append(h('h3', null, 'Modes'), h('div.row', null, ask), h('p.hint', null, `Click one to see it: enlarged, one cycle in two seconds.${m.drivers.length ? ' Drivers are held.' : ''}`), table,
      h('h3', null, 'What it is'), h('dl.facts', null, h('dt', null, 'bodies, joints'), h('dd', null, `${m.bodies}, ${m.joints}`), h('dt', null, 'degrees of freedom'), h('dd', null, String(m.freedoms)),
        h('dt', null, 'redundant equations'), h('dd', null, String(m.redundant))));
    return what => {
      if (what === 'motion' || what === 'time' || what === 'state') still();
      if (what === 'settings') for (const f of moved) f();
      if (what === 'motion' && app.run) said.textContent = app.run.ended;
      // what its motors hold is known where it was driven by hand, and nowhere on the way through a motion
      if (!app.drive) holding.replaceChildren();
      if (what !== 'state' || !app.drive) return;
      said.textContent = app.drive.ended ? `It goes no further: ${app.drive.ended}` : '';
      said.classList.toggle('bad', app.drive.ended !== '');
      holding.replaceChildren(...app.drive.holding.flatMap((x, k) => [h('dt', null, `${m.actuators[k]!.name} holds`), h('dd', null, `${digits(x, 5)} ${m.actuators[k]!.unit}`)]));
    };
  }
};

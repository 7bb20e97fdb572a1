// Mechanism: its drivers by sliders, its motion over time, reactions as arrows.
import {check, choice, h} from '../dom';
import {digits, shown, unitOf} from '../units';
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
      const update = (): void => { const x = app.now.drivers[k] ?? d.value; e.value = String(x); text.textContent = digits(shown(x, kind), 4); };
      moved.push(update);
      const text = h('span.number', null, digits(shown(d.value, kind), 4));
      const e = h<HTMLInputElement>('input', {type: 'range', min: String(middle - wide), max: String(middle + wide), step: 'any', value: String(app.now.drivers[k] ?? d.value), 'aria-label': d.name,
        onpointerdown: () => app.store.mark(),
        oninput: () => { const v = [...app.now.drivers]; v[k] = Number(e.value); text.textContent = digits(shown(v[k]!, kind), 4); app.setDrivers(v); }});
      return h('div.joint', null, h('span.name', null, d.name), e, text, h('span.unit', null, unitOf(kind)));
    });
    into.append(
      h('dl.facts', null, h('dt', null, 'bodies, joints'), h('dd', null, `${m.bodies}, ${m.joints}`), h('dt', null, 'degrees of freedom'), h('dd', null, String(m.freedoms)),
        h('dt', null, 'redundant equations'), h('dd', null, String(m.redundant))),
      ...(sliders.length ? [h('h3', null, 'Drivers'), h('p.hint', null, 'Move them: the mechanism follows along the branch it is on.'), h('div.joints', null, ...sliders)] : []),
      said, holding,
      h('h3', null, 'Over time'),
      h('div.row', null, choice([...(m.driven ? [['driven', 'as its drivers prescribe'] as [string, string]] : []), ['released', 'let go: under forces alone']], m.driven ? 'driven' : 'released',
        v => void app.runMechanism(v as 'driven' | 'released'), 'how it moves')),
      check('reactions of the joints', app.now.show.reactions ?? false, v => { app.now.show.reactions = v; if (app.drive) app.setDrivers(app.now.drivers); else app.show(app.frame); app.store.keep(); }));
    if (!m.driven) void app.runMechanism('released');
    return what => {
      if (what === 'settings') for (const f of moved) f();
      if (what === 'motion' && app.run) said.textContent = app.run.ended;
      if (what !== 'state' || !app.drive) return;
      said.textContent = app.drive.ended ? `It goes no further: ${app.drive.ended}` : '';
      said.classList.toggle('bad', app.drive.ended !== '');
      holding.replaceChildren(...app.drive.holding.flatMap((x, k) => [h('dt', null, `${m.actuators[k]} holds`), h('dd', null, digits(x, 5))]));
    };
  }
};

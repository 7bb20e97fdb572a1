// Time below the picture: play, scrub, and curves whose cursor is the robot's position.
import uPlot from 'uplot';
import type {App} from './app';
import {choice, h, save} from './dom';
import {csv, digits, shown, torqueUnit, unitOf} from './units';

/** The motion of a robot as rows: positions, velocities, accelerations, torques. */
export const rowsOf = ({motion, robot}: App, torques = false): string => {
  if (!motion || !robot) return '';
  const header = ['t'], columns: number[][] = [Array.from(motion.t.numbers)];
  for (const [name, rows] of [['q', motion.q], ['qd', motion.qd], ['qdd', motion.qdd], ...(torques ? [['tau', motion.tau] as const] : [])] as const)
    robot.velocities.forEach((v, k) => { header.push(`${name}.${v.name}`); columns.push(Array.from({length: motion.t.numbers.length}, (_, i) => rows.numbers[i * robot.nv + k]!)); });
  return csv(header, columns);
};

interface Curve { label: string; unit: string; values: number[] }

export class Timeline {
  readonly element: HTMLElement;
  private readonly range: HTMLInputElement;
  private readonly clock = h('span.clock');
  private readonly play: HTMLButtonElement;
  private readonly chart = h('div.chart');
  private readonly legend = h('div.curves-legend');
  private readonly what: HTMLSelectElement;
  private readonly name = h('span.motion-name');
  private plot: uPlot | null = null;
  private playing = 0;
  private speed = 1;
  private readonly pace: HTMLSelectElement;
  private chosen = '';
  private quiet = false;

  constructor(private readonly app: App) {
    this.range = h<HTMLInputElement>('input', {type: 'range', min: '0', max: '0', step: '1', value: '0', 'aria-label': 'time', oninput: () => { this.stop(); app.show(Number(this.range.value)); }});
    this.play = h<HTMLButtonElement>('button.play', {onclick: () => this.toggle(), title: 'play or pause: space', 'aria-label': 'play'}, '▶');
    this.what = h<HTMLSelectElement>('select.curve-choice', {'aria-label': 'curves', onchange: () => { this.chosen = this.what.value; this.draw(); }});
    this.element = h('section.timeline', {hidden: true}, h('div.bar', null, this.play, this.range, this.clock,
      (this.pace = choice([['0.01', '0.01×'], ['0.1', '0.1×'], ['0.25', '0.25×'], ['0.5', '0.5×'], ['1', '1×'], ['2', '2×'], ['5', '5×']], '1', v => { this.speed = Number(v); }, 'speed')),
      this.name, this.what, h('button.export', {onclick: () => this.export(), title: 'all numbers of this motion'}, 'CSV')),
      h('div.curves', null, this.chart, this.legend));
    app.on('motion', () => this.load());
    app.on('thing', () => { this.stop(); this.chosen = ''; this.load(); });
    app.on('time', () => this.mark());
    app.on('state', () => { if (app.drive) this.mark(); });
    app.on('pause', () => this.stop());
    new ResizeObserver(() => this.plot?.setSize(this.size())).observe(this.chart);
  }

  get shown(): boolean { return !this.element.hidden; }
  toggle(): void { if (this.playing) this.stop(); else this.start(); }
  step(by: number): void {
    if (!this.shown) return;
    this.stop();
    this.app.show(Math.min(this.t.length - 1, Math.max(0, this.app.frame + by)));
  }
  redraw(): void { if (this.shown) this.draw(); }

  private get t(): Float64Array { return (this.app.motion?.t ?? this.app.run?.t)?.numbers ?? new Float64Array(); }

  private start(): void {
    const t = this.t;
    if (t.length < 2) return;
    let last = performance.now(), now = this.app.frame >= t.length - 1 ? t[0]! : t[this.app.frame]!;
    const tick = (at: number): void => {
      now += (at - last) / 1000 * this.speed;
      last = at;
      const end = t[t.length - 1]!;
      if (now > end) now = this.app.mechanism ? t[0]! + (now - end) % Math.max(1e-9, end - t[0]!) : end;
      let k = this.app.frame;
      if (t[k]! > now) k = 0;
      while (k + 1 < t.length && t[k + 1]! <= now) ++k;
      this.app.show(k);
      if (now >= end && !this.app.mechanism) return this.stop();
      this.playing = requestAnimationFrame(tick);
    };
    this.playing = requestAnimationFrame(tick);
    this.play.textContent = '❚❚';
  }
  stop(): void {
    cancelAnimationFrame(this.playing);
    this.playing = 0;
    this.play.textContent = '▶';
  }

  private groups(): Map<string, Curve[]> {
    const groups = new Map<string, Curve[]>(), {motion, run, robot} = this.app;
    const column = (numbers: Float64Array, columns: number, k: number): number[] => Array.from({length: Math.floor(numbers.length / columns)}, (_, i) => numbers[i * columns + k]!);
    if (robot && motion) {
      const add = (name: string, rows: {numbers: Float64Array}, unit: (k: number) => string, scale: (x: number, k: number) => number): void => {
        if (rows.numbers.length) groups.set(name, robot.velocities.map((v, k) => ({label: v.name, unit: unit(k), values: column(rows.numbers, robot.nv, k).map(x => scale(x, k))})));
      };
      const kind = (k: number) => robot.velocities[k]!.kind, plain = (x: number): number => x, force = (k: number): string => torqueUnit(kind(k));
      add('torques', motion.tau, force, plain);
      const limits = robot.velocities.map((v, k) => ({label: v.name, unit: '% of limit', values: v.effort ? column(motion.tau.numbers, robot.nv, k).map(x => 100 * Math.abs(x) / v.effort!) : []})).filter(c => c.values.length);
      if (limits.length && motion.tau.numbers.length) groups.set('share of torque limits', limits);
      add('positions', motion.q, k => unitOf(kind(k)), (x, k) => shown(x, kind(k)));
      add('velocities', motion.qd, k => unitOf(kind(k), 1), (x, k) => shown(x, kind(k)));
      add('accelerations', motion.qdd, k => unitOf(kind(k), 2), (x, k) => shown(x, kind(k)));
      for (const c of ['inertia', 'coriolis', 'gravity', 'friction'] as const) add(`torques: ${c}`, motion[c], force, plain);
      groups.set('speed of the tool', [{label: 'speed', unit: unitOf('length', 1), values: Array.from(motion.tool_speed.numbers, x => shown(x, 'length'))}]);
    } else if (run) {
      run.columns.forEach((c, k) => {
        const list = groups.get(c.group) ?? [];
        list.push({label: c.name, unit: c.unit, values: column(run.numbers.numbers, run.columns.length, k)});
        groups.set(c.group, list);
      });
    }
    return groups;
  }

  private load(): void {
    this.element.hidden = this.t.length < 2;
    if (this.element.hidden) return this.plot?.destroy(), this.plot = null, undefined;
    this.range.max = String(this.t.length - 1);
    // what lasts a moment is shown slowly
    const duration = this.t[this.t.length - 1]! - this.t[0]!;
    this.pace.value = duration < 0.3 ? '0.01' : duration < 1 ? '0.25' : '1';
    this.speed = Number(this.pace.value);
    this.name.title = this.name.textContent = this.app.motion?.name ?? (this.app.run?.ended ?? '');
    const names = [...this.groups().keys()];
    if (!names.includes(this.chosen)) this.chosen = names[0] ?? '';
    this.what.replaceChildren(...names.map(n => h('option', {value: n}, n)));
    this.what.value = this.chosen;
    this.draw();
    this.mark();
  }

  private size(): {width: number; height: number} { return {width: Math.max(120, this.chart.clientWidth), height: Math.max(80, this.chart.clientHeight)}; }

  private draw(): void {
    this.plot?.destroy();
    const curves = (this.groups().get(this.chosen) ?? []).slice(0, 16), theme = this.app.scene.theme;
    const colour = (k: number): string => theme.series[k % 8]!, ink = theme.dark ? '#9aa6b2' : '#5a6673', grid = theme.dark ? '#2a323b' : '#e6e9ed';
    const axis = {stroke: ink, grid: {stroke: grid, width: 1}, ticks: {stroke: grid, width: 1}, font: '11px system-ui'};
    this.plot = new uPlot({
      ...this.size(), pxAlign: 0, legend: {show: false}, cursor: {y: false, drag: {x: true, y: false}, points: {size: 5}},
      scales: {x: {time: false}}, axes: [{...axis, size: 28, values: (_, v) => v.map(x => digits(x, 4))}, {...axis, values: (_, v) => v.map(x => digits(x, 4)),
        size: (_, texts) => 18 + 6.6 * Math.max(3, ...(texts ?? []).map(t => t.length))}],
      series: [{}, ...curves.map((c, k) => ({label: c.label, stroke: colour(k), width: 1.6, dash: k >= 8 ? [6, 3] : undefined}))],
      hooks: {setCursor: [u => { if (!this.quiet && u.cursor.idx != null && u.cursor.event && !this.playing) this.app.show(u.cursor.idx); }]}
    }, [Array.from(this.t), ...curves.map(c => c.values)] as uPlot.AlignedData, this.chart);
    this.legend.replaceChildren(...curves.map((c, k) => {
      const i = h('i');
      i.style.background = colour(k);
      const e = h('button', {title: 'show or hide', onclick: () => { const s = this.plot!.series[k + 1]!; this.plot!.setSeries(k + 1, {show: !s.show}); e.classList.toggle('off', !s.show); }}, i, h('span', null, c.label), h('b', {'data-curve': String(k)}), h('small', null, c.unit));
      return e;
    }));
    this.mark();
  }

  private mark(): void {
    const t = this.t, k = this.app.frame;
    if (t.length < 2 || k >= t.length) return;
    // what its drivers hold is no instant of the motion
    const held = this.app.drive !== null;
    this.range.value = String(k);
    this.clock.textContent = held ? 'held by its drivers' : `${digits(t[k]!, 4)} s of ${digits(t[t.length - 1]!, 4)} s`;
    if (!this.plot) return;
    this.quiet = true;
    this.plot.setCursor({left: held ? -10 : this.plot.valToPos(t[k]!, 'x'), top: 10}, false);
    this.quiet = false;
    this.legend.querySelectorAll<HTMLElement>('[data-curve]').forEach((e, i) => { e.textContent = held ? '' : digits(this.plot!.data[i + 1]?.[k] ?? Number.NaN, 4); });
  }

  private export(): void {
    const {motion, run} = this.app, header = ['t'], columns: number[][] = [Array.from(this.t)];
    if (motion) return save('motion.csv', rowsOf(this.app, true), 'text/csv');
    run?.columns.forEach((c, k) => { header.push(c.name); columns.push(Array.from({length: this.t.length}, (_, i) => run.numbers.numbers[i * run.columns.length + k]!)); });
    save('motion.csv', csv(header, columns), 'text/csv');
  }
}

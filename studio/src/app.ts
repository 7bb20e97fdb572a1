// What the panels share: the engine, what is open, its state, and who wants to know when something changes.
import {type Catalogue, type DriveAnswer, type MechanismInfo, type MechanismRun, type MotionAnswer, type RobotInfo, nameOf, type ShapesAnswer, type SolveAnswer, solutionsOf, type StateAnswer, type Thing} from './answers';
import {type Engine, EngineError, EngineLost, type Fault, Latest} from './engine';
import type {FeasibleInterval} from './results';
import * as three from 'three';
import {Figure, place} from './figure';
import {isTyped, keepTyped} from './number_field';
import {Overlays} from './overlays';
import {Scene, vector} from './scene';
import {fresh, type Settings, type Subject, type Table} from './settings';
import {Store} from './store';

type Event = 'thing' | 'state' | 'solutions' | 'motion' | 'time' | 'settings' | 'faults' | 'lost' | 'pause' | 'theme' | 'left' | 'catalogue';
/** A call about what is open. */
interface About { id: number; [field: string]: unknown }
/** What a state is computed from. */
type Entered = Pick<Settings, 'q' | 'qd' | 'qdd' | 'payload' | 'wrench'>;
const entered = ({q, qd, qdd, payload, wrench}: Settings): Entered => ({q, qd, qdd, payload, wrench});
export interface Dropped { name: string; text?: string; base64?: string }

/** The last word apart, of names that say the signs of their parts. */
const shared = (a: string, b: string): boolean => b.includes(', ') && a.startsWith(b.slice(0, b.lastIndexOf(' ') + 1));

export class App {
  readonly store = new Store();
  readonly scene: Scene;
  readonly overlays: Overlays;
  catalogue: Catalogue | null = null;
  thing: Thing | null = null;
  figure: Figure | null = null;
  state: StateAnswer | null = null;
  solutions: SolveAnswer | null = null;
  /** Of seven joints: the values of the one that is held at which others reach the pose; unknown while it is dragged. */
  feasible: FeasibleInterval[] | null = null;
  motion: MotionAnswer | null = null;
  run: MechanismRun | null = null;
  drive: DriveAnswer | null = null;
  /** Why the last file could not be opened, and its text. */
  faults: {faults: Fault[]; text: string; name: string} | null = null;
  /** The engine does not answer: what is shown is of what it answered last. */
  lost = false;
  /** What of a link, or of what was kept, could not be used: why, part by part. */
  left: string[] = [];
  table: Table | null = null;
  /** A drive file: motors, gears, and which joints they move. */
  driveSheet: Table | null = null;
  /** Of a mechanism: its motion, as it was opened. */
  opening: Promise<void> = Promise.resolve();
  frame = 0;
  running = false;
  /** A mode of the mechanism is shown, not an instant of its motion. */
  oscillating = false;
  private readonly listeners = new Map<Event, (() => void)[]>();
  private ghosts: Figure[] = [];
  private readonly states: Latest<About, StateAnswer>;
  private readonly solves: Latest<About, SolveAnswer>;
  private readonly drives: Latest<About, DriveAnswer>;
  private readonly sent = new WeakMap<object, Entered>();
  /** What the last state was computed from: where a refusal leads back to. */
  private accepted: Entered | null = null;
  private sorting = false;

  constructor(readonly engine: Engine, holder: HTMLElement) {
    this.scene = new Scene(holder);
    this.overlays = new Overlays(this.scene);
    // what comes late, for a thing that is no longer shown, is not taken
    const latest = <A>(call: string, take: (a: A, q: About) => void, fail = (e: unknown): void => this.fail(e)): Latest<About, A> =>
      new Latest(q => engine.call<A>(call, q), (a, q) => { if (q.id === this.thing?.id) take(a, q); }, fail);
    this.states = new Latest(q => engine.call<StateAnswer>('state', q), (a, q) => {
      if (q.id !== this.thing?.id) return;
      this.accepted = this.sent.get(q) ?? null;
      this.takeState(a);
    }, e => this.refuse(e));
    this.solves = latest<SolveAnswer>('solve', (a, q) => {
      if (q.rpy) { const [w, x, y, z] = a.quaternion; this.scene.target.quaternion.set(x, y, z, w); }
      if (q.redundancy === undefined) this.feasible = q.feasible && 'feasible' in a.result ? a.result.feasible : null;
      this.takeSolutions(a, q.follow === true);
    });
    this.drives = latest<DriveAnswer>('drive', a => this.takeDrive(a), e => {
      if (!(e instanceof EngineLost)) this.now.drivers = [...this.drive?.values ?? this.mechanism?.drivers.map(d => d.value) ?? []];
      this.emit('settings');
      this.fail(e);
    });
  }

  /** Whether answers are still to come. */
  get busy(): boolean { return this.states.busy || this.solves.busy || this.drives.busy; }

  on(event: Event, f: () => void): void { this.listeners.set(event, [...this.listeners.get(event) ?? [], f]); }
  emit(event: Event): void { for (const f of this.listeners.get(event) ?? []) f(); }
  get now(): Settings { return this.store.now; }
  get robot(): RobotInfo | null { return this.thing?.kind === 'robot' ? this.thing : null; }
  get mechanism(): MechanismInfo | null { return this.thing?.kind === 'mechanism' ? this.thing : null; }
  get dark(): boolean { return this.now.dark ?? matchMedia('(prefers-color-scheme: dark)').matches; }

  /** Opens something; `keep`: with the settings that were restored. */
  async open(subject: Subject, keep = false, files: Dropped[] = [], main = ''): Promise<void> {
    this.dropped = files;
    try {
      const thing = await this.engine.call<Thing>('open', files.length ? {files, main, tool: subject.tool} : subject);
      this.faults = null;
      const before = this.now;
      if (!keep && this.thing) { this.left = []; this.emit('left'); }
      if (!keep) this.takeDrives(null);
      if (!keep) this.store.now = {...fresh(), show: before.show, degrees: before.degrees, millimetres: before.millimetres, dark: before.dark, tab: this.thing?.kind === thing.kind ? before.tab : ''};
      const print = this.store.keepDropped(files, main);
      this.now.subject = files.length ? {dropped: true, name: main, print, tool: subject.tool} : subject;
      this.take(thing);
      this.store.forget();
      if (keep) await this.checkRun();
    } catch (e) {
      if (!(e instanceof EngineError)) return this.fail(e);
      this.faults = {faults: e.faults, text: String(e.answer.text ?? ''), name: main || subject.path || subject.name || ''};
    }
    this.emit('faults');
  }

  /** What was changed in the text of a file, opened; files that were dropped with it stay beside it. */
  async reopen(name: string, text: string): Promise<void> {
    const beside = this.dropped.filter(f => f.name !== name);
    await this.open({}, true, [...beside, {name: beside.length || this.dropped.length ? name : name.split('/').pop() || 'robot.toml', text}], this.dropped.length ? name : name.split('/').pop() || 'robot.toml');
  }
  private dropped: Dropped[] = [];

  /** The same robot, another of its frames or links as the tool. */
  async retool(tool: string): Promise<void> {
    const {dropped, name, path} = this.now.subject;
    this.now.points = this.now.points.map(({q, duration}) => ({q, duration}));  // places of the other tool
    await this.open(dropped ? {tool} : {name, path, tool}, true, this.dropped, dropped ? name : '');
  }

  private take(thing: Thing): void {
    this.thing = thing;
    this.state = this.solutions = this.motion = this.run = this.drive = this.accepted = null;
    this.running = false;
    const s = this.now;
    if (thing.kind === 'robot') {
      const zero = Array<number>(thing.nv).fill(0);
      s.q = this.sized('q', thing.start);
      s.qd = this.sized('qd', zero);
      s.qdd = this.sized('qdd', zero);
      const points = s.points.filter(p => p.q.length === thing.nq);
      if (points.length < s.points.length) this.leave(`points: ${s.points.length - points.length} of them have not the ${thing.nq} numbers of ${thing.title}`);
      s.points = points;
      this.driveSheet ??= this.store.drives();
      if (s.motion === 'table' && !(this.table ??= this.store.table())) { s.motion = 'usual'; this.leave('motion: its CSV file is not in this browser; open it again'); }
    } else s.drivers = this.sized('drivers', thing.drivers.map(d => d.value));
    const stood = thing.kind === 'mechanism' && thing.drivers.some((d, k) => d.value !== s.drivers[k]) ? [...s.drivers] : null;
    this.draw();
    this.fit();
    this.emit('thing');
    if (thing.kind === 'robot') {
      this.move();
      void this.engine.call<ShapesAnswer>('shapes', {id: thing.id}).then(a => {
        if (this.thing === thing && this.figure?.setShapes(a, this.now.show.shapes ?? true)) this.paint();
      }).catch(() => undefined);
    } else this.opening = this.runMechanism(thing.driven ? 'driven' : 'released').then(() => { if (stood && this.thing === thing) this.setDrivers(stood); });
  }

  /** As many numbers as it has; where others were given, that is told. */
  private sized(name: 'q' | 'qd' | 'qdd' | 'drivers', usual: number[]): number[] {
    const given = this.now[name];
    if (given.length === usual.length) return given;
    if (given.length) this.leave(`${name}: ${given.length} numbers, where ${this.thing!.title} has ${usual.length}`);
    return [...usual];
  }
  /** Something that was restored is not used. */
  leave(why: string): void { this.left.push(why); this.emit('left'); }
  /** Of what was restored and is refused as a whole: what the engine takes, the usual in place of the rest, which is told. */
  private async sound<T extends object>(given: T, usual: T, ask: (t: T) => Promise<unknown>): Promise<T> {
    const kept = structuredClone(usual);
    for (const part of Object.keys(usual) as (keyof T)[])
      try {
        await ask({...kept, [part]: given[part]});
        kept[part] = given[part];
      } catch (e) {
        if (!(e instanceof EngineError)) throw e;
        this.leave(e.message.startsWith(`${String(part)}: `) ? e.message : `${String(part)}: ${e.message}`);
      }
    return kept;
  }
  /** Settings of a simulation, refused where it could not go on with them. */
  askRun(run: Settings['run']): Promise<unknown> {
    const {kp, kv, friction, push} = run;
    return this.engine.call('check_run', {id: this.thing!.id, kp, kv, friction, push: [push, 0, 0]});
  }
  private async checkRun(): Promise<void> {
    const {robot} = this, ask = (run: Settings['run']): Promise<unknown> => this.askRun(run);
    if (!robot) return;
    try {
      await ask(this.now.run);
    } catch (e) {
      if (!(e instanceof EngineError)) return this.fail(e);
      const run = await this.sound(this.now.run, fresh().run, ask);
      if (this.robot === robot) { this.now.run = run; this.emit('settings'); }
    }
  }

  /** All of it in the picture. */
  fit(): void { if (this.thing) this.scene.fit(this.thing.view, this.reach(this.thing), this.figure?.ends()); }

  /** About how far it gets, for the camera: the way along the links to the tool, as they are drawn. */
  reach(thing: Thing): number {
    if (thing.kind !== 'robot' || thing.view.floor === null) return 0;
    let length = 0;
    for (let k = thing.tool_body ?? -1; k >= 0; k = thing.bodies[k]!.parent)
      length += Math.max(0, ...thing.view.parts[k]!.strokes.map(s => Math.hypot(s[3]! - s[0]!, s[4]! - s[1]!, s[5]! - s[2]!)));
    return length;
  }

  /** The figure anew, in the colours of the theme. */
  draw(): void {
    if (!this.thing) return;
    this.figure?.dispose();
    this.overlays.clear();
    this.clearGhosts();
    this.figure = new Figure(this.thing.view, this.scene.theme);
    this.scene.scene.add(this.figure.group);
    const first = this.thing.view.clips[0];
    if (first) this.figure.setPoses(new Float32Array(Uint8Array.from(atob(first.poses), c => c.charCodeAt(0)).buffer));
    this.scene.draw();
  }

  loads(s: Entered = this.now): object {
    return {...(s.payload[0] !== 0 ? {payload: s.payload} : {}), ...(s.wrench.some(x => x !== 0) ? {wrench: s.wrench} : {})};
  }

  private question(s: Entered): About { return {id: this.thing!.id, q: s.q, qd: s.qd, qdd: s.qdd, ...this.loads(s)}; }
  /** The state of the settings, asked for; the newest counts. */
  move(): void {
    if (!this.robot) return;
    const s = structuredClone(entered(this.now)), question = this.question(s);
    this.sent.set(question, s);
    this.states.request(question);
    this.store.keep();
  }
  /** What the engine says of the newest state: why it refuses it, or nothing. */
  moved(): Promise<string> { return this.states.verdict(); }

  /** A state that is refused is none: what was entered goes back to the last that was taken, so that no number stands beside another's. */
  private refuse(e: unknown): void {
    const refused = e instanceof EngineError && e.faults[0]?.rule !== 'thing-unknown';
    if (refused && this.robot && !this.state && !this.accepted) return void this.sort(this.robot).catch((why: unknown) => this.fail(why));
    this.fail(e);
    if (!refused || !this.robot || this.states.pending || !this.accepted) return;
    Object.assign(this.now, structuredClone(this.accepted));
    this.running = false;
    if (this.state) this.figure?.setPoses(this.state.poses.numbers);
    this.store.keep();
    this.emit('settings');
    if (this.state) { this.paint(); this.emit('state'); }
  }
  /** Where nothing was taken yet: of what was restored, what the engine takes. */
  private async sort(robot: RobotInfo): Promise<void> {
    if (this.sorting) return;
    this.sorting = true;
    try {
      const zero = Array<number>(robot.nv).fill(0);
      const kept = await this.sound(structuredClone(entered(this.now)), {q: [...robot.start], qd: zero, qdd: [...zero], payload: [0, 0, 0, 0], wrench: [0, 0, 0, 0, 0, 0]} as Entered,
        s => this.engine.call('state', this.question(s)));
      if (this.robot !== robot) return;
      this.accepted = kept;
      Object.assign(this.now, structuredClone(kept));
      this.move();
      this.emit('settings');
    } finally { this.sorting = false; }
  }

  setJoint(position: number, value: number): Promise<string> {
    this.now.q[position] = value;
    this.move();
    this.emit('settings');
    return this.moved();
  }

  private takeState(a: StateAnswer): void {
    if (!this.robot || a.poses.numbers.length !== 7 * this.robot.bodies.length) return;
    this.state = a;
    if (this.lost) this.setLost(false);
    this.figure?.setPoses(a.poses.numbers);
    if (!this.scene.handle.dragging) this.putHandle();
    if (this.now.tab === 'tool' && !this.solutions) this.solve(false);
    this.paint();
    this.emit('state');
  }

  /** Everything upon the robot, as the state is. */
  paint(): void {
    const {figure, state, robot, overlays} = this, show = this.now.show;
    if (!figure || !robot || !state) return this.scene.draw();
    const theme = this.scene.theme;
    figure.showShapes(show.shapes ?? true);
    if (state.tau) {
      overlays.torques(robot, figure, state.tau, show.torques ?? true, show.labels ?? true, theme);
      overlays.masses(figure, robot, state, show.masses ?? false, show.ellipsoids ?? false, theme);
      overlays.freedom(figure, state, show.freedom ?? false, theme);
      overlays.frames(figure, robot, show.frames ?? false, theme);
      overlays.axes(figure, robot, this.now.q, show.axes ?? false, theme);
      const at: number[] = [];
      if (show.reactions) robot.bodies.forEach((_, k) => at.push(...state.poses.numbers.slice(7 * k, 7 * k + 3), ...state.reactions.slice(6 * k, 6 * k + 3)));
      overlays.forces('reactions', figure.size, at, 0, at.length / 6, theme.bad);
      this.paintLoad();
    }
    this.scene.draw();
  }

  // ---- payload and wrench ------------------------------------------------------------------------------------------------
  private turned(v: three.Vector3, back = false): three.Vector3 {
    const [w, x, y, z] = this.state!.tool.quaternion, e = new three.Quaternion(x, y, z, w);
    return v.applyQuaternion(back ? e.invert() : e);
  }
  /** N at which the arrow of a force has half its greatest length: a third of the robot's weight. */
  private get usualForce(): number { return Math.max(10, 3.3 * (this.state?.mass ?? 0)); }
  /** Where the tip of the arrow of the wrench is; at no force a little beside the tool, so that it can be taken. */
  forceTip(): three.Vector3 {
    const f = this.turned(vector(this.now.wrench)), n = f.length(), at = vector(this.state!.tool.position);
    return at.addScaledVector(n > 0 ? f.divideScalar(n) : vector(this.thing!.view.up), this.figure!.size * (0.12 + 0.9 * n / (n + this.usualForce)));
  }
  setForceTip(tip: three.Vector3): void {
    const way = tip.clone().sub(vector(this.state!.tool.position)), length = way.length(), x = Math.min(0.97, Math.max(0, (length / this.figure!.size - 0.12) / 0.9));
    const f = this.turned(way.normalize().multiplyScalar(this.usualForce * x / (1 - x)), true);
    this.now.wrench.splice(0, 3, ...f.toArray().map(c => Number(c.toPrecision(3))));
    this.move();
    this.emit('settings');
  }
  payloadCentre(): three.Vector3 { return this.turned(vector(this.now.payload, 1)).add(vector(this.state!.tool.position)); }
  setPayloadCentre(p: three.Vector3): void {
    const c = this.turned(p.clone().sub(vector(this.state!.tool.position)), true).toArray();
    this.now.payload.splice(1, 3, ...c.map(x => Number(x.toFixed(4))));
    this.move();
    this.emit('settings');
  }
  private paintLoad(): void {
    const s = this.now, size = this.figure!.size, tool = vector(this.state!.tool.position), f = vector(s.wrench).length();
    const heaviest = Math.max(1e-12, ...this.robot!.bodies.map(b => b.mass));
    this.overlays.load(tool, s.payload[0] > 0 ? this.payloadCentre() : null, size * Math.min(0.12, Math.max(0.02, 0.06 * Math.cbrt(s.payload[0] / heaviest))),
      f > 0 ? this.forceTip().sub(tool) : new three.Vector3(), size, this.scene.theme);
  }

  // ---- the tool ------------------------------------------------------------------------------------------------------
  putHandle(): void {
    const pose = this.state?.tool, {target} = this.scene;
    if (!pose) return;
    target.position.set(...pose.position);
    target.quaternion.set(pose.quaternion[1], pose.quaternion[2], pose.quaternion[3], pose.quaternion[0]);
  }

  /** All joint positions for where the handle is; `follow`: the robot goes to the nearest; `rpy`: the handle is to be turned so; `redundancy`: where, of
   *  seven joints, the one that is held is to be. */
  solve(follow: boolean, rpy?: number[], redundancy?: number): void {
    if (!this.robot?.inverse_kinematics.explained) return;
    const p = this.scene.target.position, e = this.scene.target.quaternion;
    this.solves.request({id: this.robot.id, follow, position: [p.x, p.y, p.z], ...(rpy ? {rpy} : {quaternion: [e.w, e.x, e.y, e.z]}), near: this.now.q,
      ...(redundancy === undefined ? {feasible: !follow} : {redundancy})});
  }
  /** The handle where the robot has come to, and all solutions of that: once nothing is under way any more. */
  solved(): Promise<string> { return this.solves.verdict(); }
  async rest(): Promise<void> {
    while (this.solves.busy || this.states.busy) { await this.solves.idle(); await this.states.idle(); }
    this.putHandle();
    this.solve(false);
  }

  private takeSolutions(a: SolveAnswer, follow: boolean): void {
    this.solutions = a;
    if (follow && a.nearest) {
      this.now.q = [...a.nearest];
      this.move();
      this.emit('settings');
    }
    this.paintGhosts();
    this.emit('solutions');
  }

  paintGhosts(): void {
    const {thing, solutions} = this;
    if (!thing || !solutions || !this.now.show.ghosts) return this.clearGhosts();
    const each = 7 * thing.view.parts.length, count = Math.min(16, Math.floor(solutions.ghosts.numbers.length / each));
    while (this.ghosts.length < count) {
      const g = new Figure(thing.view, this.scene.theme, true);
      this.ghosts.push(g);
      this.scene.scene.add(g.group);
    }
    const all = solutionsOf(solutions);
    const same = (q?: number[]): boolean => q !== undefined && q.every((x, i) => Math.abs(x - this.now.q[i]!) < 1e-6);
    const named: {at: ReturnType<typeof vector>; text: string}[] = [];
    this.ghosts.forEach((g, k) => {
      const here = same(all[k]?.q);
      g.group.visible = k < count && !here;
      if (k >= count) return;
      g.setPoses(solutions.ghosts.numbers, k * each);
      // the elbow is where solutions lie apart; those at one place share a label
      const middle = Math.floor(thing.view.parts.length / 2) - 1, name = nameOf(all[k], k);
      const at = vector(solutions.ghosts.numbers, k * each + 7 * Math.max(0, middle));
      const other = named.find(o => o.at.distanceTo(at) < 0.03 * thing.view.radius);
      // "shoulder +, elbow −, wrist + | −"
      if (other) other.text += ` | ${shared(other.text, name) ? name.slice(name.lastIndexOf(' ') + 1) : name}`;
      else named.push({at, text: name});
    });
    this.overlays.branches = named;
    this.overlays.label(named);
    this.scene.draw();
  }
  clearGhosts(): void {
    for (const g of this.ghosts) g.dispose();
    this.ghosts = [];
    this.overlays.branches = [];
    if (this.state?.tau) this.paint();
    this.scene.draw();
  }

  // ---- motions -------------------------------------------------------------------------------------------------------
  motionRequest(): object {
    const s = this.now, robot = this.robot!;
    return {id: robot.id, ...this.loads(), kind: s.motion, samples: 401, ...(s.motion === 'published' ? {near: s.q} : {}), ...(s.motion === 'table' ? this.table : {}),
      ...(s.motion === 'points' ? s.path.startsWith('tool-')
        ? {space: 'tool', path: s.path === 'tool-arc' ? 'arc' : s.points.length > 2 ? 'polygon' : 'line', law: 'trapezoid', near: s.points[0]?.q, points: s.points.map(p => ({position: p.position, quaternion: p.quaternion}))}
        : {points: s.points, path: s.path, law: s.path === 'stops' ? s.law : undefined, fastest: s.fastest && this.robot!.velocities.some(v => v.velocity !== null)} : {})};
  }

  /** A table of joint positions instead of a motion of one's own; one that is refused takes nothing's place. */
  async takeTable(table: Table): Promise<void> {
    const {table: before, now: {motion}} = this;
    this.store.mark();
    this.table = table;
    this.now.motion = 'table';
    if (await this.loadMotion()) {
      this.table = before;
      this.now.motion = motion;
    } else this.store.keepTable(table);
    this.store.keep();
  }

  takeDrives(drives: Table | null): void {
    this.driveSheet = drives;
    this.store.keepDrives(drives);
  }

  /** The present position as a way point. */
  addPoint(): void {
    this.store.mark();
    this.now.motion = 'points';
    const {position, quaternion} = this.state?.tool ?? {};
    this.now.points.push({q: [...this.now.q], duration: 1, position, quaternion});
  }

  /** Why there is none, or nothing. */
  async loadMotion(): Promise<string> {
    if (!this.robot) return '';
    try {
      this.motion = await this.engine.call<MotionAnswer>('motion', this.motionRequest());
      this.frame = 0;
      this.emit('motion');
      return '';
    } catch (e) {
      this.fail(e);
      return e instanceof Error ? e.message : String(e);
    }
  }

  async runMechanism(how: 'driven' | 'released'): Promise<void> {
    const {mechanism} = this;
    if (!mechanism) return;
    try {
      const run = await this.engine.call<MechanismRun>('run', {id: mechanism.id, how});
      if (this.mechanism !== mechanism) return;  // something else was opened meanwhile
      this.run = run;
      this.frame = 0;
      this.emit('motion');
      this.paintCurves();
      this.show(0);
    } catch (e) {
      this.fail(e);
    }
  }

  /** What points of the mechanism draw while it runs: coupler curves. */
  paintCurves(): void {
    if (!this.run || !this.thing) return;
    const {view} = this.thing, each = 7 * view.parts.length, poses = this.run.poses.numbers, probe = new three.Object3D();
    view.traces.forEach((trace, k) => {
      const points: number[] = [];
      for (let at = 0; at + each <= poses.length; at += each) {
        place(probe, poses, at + 7 * trace.part);
        points.push(...vector(trace.at).applyQuaternion(probe.quaternion).add(probe.position).toArray());
      }
      this.overlays.path(`curve ${k}`, points, null, this.scene.theme);
    });
  }

  /** One of the sampled instants. */
  show(k: number): void {
    this.frame = k;
    if (this.robot && this.motion) {
      const m = this.motion, n = this.robot.nv;
      const row = (r: {numbers: Float64Array}): number[] => Array.from(r.numbers.subarray(k * n, k * n + n));
      this.now.q = row(m.q);
      this.now.qd = row(m.qd);
      this.now.qdd = row(m.qdd);
      // the poses are here already; the terms of the state come behind
      this.figure?.setPoses(m.poses.numbers, k * 7 * this.robot.bodies.length);
      this.scene.draw();
      this.move();
      this.emit('settings');
    } else if (this.mechanism && this.run && this.figure) {
      const parts = 7 * this.thing!.view.parts.length, n = this.mechanism.drivers.length;
      this.figure.setPoses(this.run.poses.numbers, k * parts);
      this.paintReactions(this.run.reactions.numbers, k);
      this.drive = null;
      this.now.drivers = Array.from(this.run.drivers.numbers.subarray(k * n, k * n + n));
      this.emit('settings');
    }
    this.emit('time');
  }

  private paintReactions(list: Float64Array, k: number): void {
    const joints = this.mechanism!.joint_names.length;
    this.overlays.forces('reactions', this.figure!.size, this.now.show.reactions ? list : [], 6 * joints * k, list.length && this.now.show.reactions ? joints : 0, this.scene.theme.bad);
    this.scene.draw();
  }

  setDrivers(values: number[]): void {
    this.emit('pause');
    this.now.drivers = values;
    this.drives.request({id: this.thing!.id, values});
    this.store.keep();
  }
  /** What became of the newest: why it was refused, or where it ended. */
  async driven(): Promise<string> { return await this.drives.verdict() || (this.drive?.ended ? `it goes no further: ${this.drive.ended}` : ''); }
  takeDrive(a: DriveAnswer): void {
    this.drive = a;
    if (this.lost) this.setLost(false);
    this.figure?.setPoses(a.poses.numbers);
    this.paintReactions(a.reactions.numbers, 0);
    // a driver that goes no further stands where it has come to
    if (!this.drives.pending) {
      this.now.drivers = [...a.values];
      this.store.keep();
      this.emit('settings');
    }
    this.emit('state');
  }
  /** Solutions of a platform as ghosts: their names, where each is to stand. */
  paintShadows(poses: Float64Array, names: string[], at: number): void {
    const each = 7 * this.thing!.view.parts.length;
    this.shadow(this.now.show.ghosts ? Math.min(16, Math.floor(poses.length / each)) : 0);
    this.ghosts.forEach((g, k) => { g.group.visible = k !== at && k < names.length; g.setPoses(poses, k * each); });
    this.scene.draw();
  }
  private shadow(count: number): void {
    while (this.ghosts.length > count) this.ghosts.pop()!.dispose();
    while (this.ghosts.length < count) {
      const g = new Figure(this.thing!.view, this.scene.theme, true);
      this.ghosts.push(g);
      this.scene.scene.add(g.group);
    }
  }

  // ---- when something goes wrong ---------------------------------------------------------------------------------------
  fail(e: unknown): void {
    if (e instanceof EngineError && e.faults[0]?.rule === 'thing-unknown' && this.now.subject.name && !this.now.subject.dropped) {
      // the engine has forgotten it, as after a restart
      void this.open(this.now.subject, true);
      return;
    }
    if (e instanceof EngineLost) return this.setLost(true);
    if (!(e instanceof EngineError && isTyped())) this.say(e instanceof Error ? e.message : String(e));
  }
  setLost(lost: boolean): void { this.lost = lost; keepTyped(lost); this.emit('lost'); }
  say: (text: string) => void = () => undefined;

  undo(back: boolean): void {
    if (!(back ? this.store.undo() : this.store.redo())) return;
    if (this.mechanism) this.setDrivers([...this.now.drivers]);
    else this.move();
    this.emit('settings');
  }
}

// What is drawn upon the robot: torques as arcs and arrows, frames, mass centres, ellipsoids, reactions, paths, and names and numbers
// as text over the picture.
import * as three from 'three';
import type {BodyInfo, RobotInfo, StateAnswer} from './answers';
import {css, shareColour, type Theme} from './colours';
import {h} from './dom';
import {type Figure} from './figure';
import {type Scene, vector} from './scene';
import {digits, torqueUnit} from './units';

interface Label { at: three.Vector3; element: HTMLElement; colour?: string }

export class Overlays {
  readonly group = new three.Group();
  private readonly layers = new Map<string, three.Group>();
  /** Names of solutions, shown instead of the torques. */
  branches: {at: three.Vector3; text: string}[] = [];
  // what is drawn anew at every frame of a drag is put together from these: a material that goes takes its compiled program along, and a
  // program takes longer to compile than all else
  private readonly materials = new Map<string, three.Material>();
  private readonly arcs = new Map<number, three.BufferGeometry>();
  private readonly ring = new three.TorusGeometry(1, 0.035, 8, 48);
  private readonly rod = new three.CylinderGeometry(1, 1, 1, 12);
  private readonly cone = new three.ConeGeometry(1, 1, 16);
  private readonly ball = new three.SphereGeometry(1, 24, 16);
  private labels: Label[] = [];
  private readonly texts = h('div.labels');

  constructor(private readonly scene: Scene) {
    scene.scene.add(this.group);
    scene.holder.append(this.texts);
    scene.onframe = () => this.place();
  }

  /** An empty layer of that name. */
  layer(name: string): three.Group {
    const old = this.layers.get(name);
    if (old) {
      old.traverse(o => {
        if ((o instanceof three.Mesh || o instanceof three.Line || o instanceof three.Points) && !o.userData.kept) o.geometry.dispose();
      });
      old.removeFromParent();
    }
    const group = new three.Group();
    this.layers.set(name, group);
    this.group.add(group);
    return group;
  }

  clear(): void {
    for (const name of [...this.layers.keys()]) this.layer(name);
    this.label([]);
  }

  /** All texts over the picture, anew. */
  label(list: {at: three.Vector3; text: string; colour?: string; strong?: boolean; weight?: number}[]): void {
    // those of most weight choose their places first
    list = list.every(l => l.weight === undefined) ? list : [...list].sort((a, b) => (b.weight ?? 0) - (a.weight ?? 0));
    // the same number of them are told anew, without building elements at every frame
    while (this.labels.length > list.length) this.labels.pop()!.element.remove();
    list.forEach((item, k) => {
      if (!this.labels[k]) {
        this.labels[k] = {at: item.at, element: h('span.label')};
        this.texts.append(this.labels[k]!.element);
      }
      const label = this.labels[k]!;
      label.at = item.at;
      if (label.element.textContent !== item.text) label.element.textContent = item.text;
      if (label.colour !== item.colour) label.element.style.setProperty('--mark', label.colour = item.colour ?? 'transparent');
      label.element.classList.toggle('strong', item.strong ?? false);
    });
  }

  private place(): void {
    // one that would cover another stands below or above it; where there is no place near by, it is left out
    const placed: [number, number, number][] = [], {width} = this.scene;
    for (const {at, element} of this.labels) {
      const p = this.scene.project(at), wide = 6.8 * (element.textContent?.length ?? 0) + 24;
      // one that would be cut by the edge stands before it
      const x = p ? Math.min(p[0], width - wide - 12) : 0;
      const y = p ? [0, 20, -20, 40].map(by => p[1] + by).find(y => !placed.some(o => x < o[0] + o[2] && o[0] < x + wide && Math.abs(o[1] - y) < 19)) : undefined;
      element.hidden = y === undefined;
      if (y === undefined) continue;
      placed.push([x, y, wide]);
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
  }

  private material<M extends three.Material>(key: string, make: () => M): M {
    if (!this.materials.has(key)) this.materials.set(key, make());
    return this.materials.get(key) as M;
  }
  private plain(colour: number): three.Material { return this.material(`plain ${colour}`, () => new three.MeshBasicMaterial({color: colour})); }
  private solid(colour: number): three.Material { return this.material(`solid ${colour}`, () => new three.MeshStandardMaterial({color: colour, roughness: 0.45})); }
  /** Seen through; `front`: through all else, too. */
  private glass(colour: number, opacity: number, front = false): three.Material {
    return this.material(`glass ${colour} ${opacity} ${front}`, () => new three.MeshStandardMaterial({color: colour, transparent: true, opacity, depthWrite: front, depthTest: !front}));
  }
  private thread(colour: number, front = false): three.LineBasicMaterial { return this.material(`thread ${colour} ${front}`, () => new three.LineBasicMaterial({color: colour, depthTest: !front})); }
  /** One of the solids that are always there. */
  private kept(geometry: three.BufferGeometry, material: three.Material): three.Mesh {
    const mesh = new three.Mesh(geometry, material);
    mesh.userData.kept = true;
    return mesh;
  }

  arrow(layer: three.Group, from: three.Vector3, along: three.Vector3, colour: number, thick: number): void {
    const length = along.length();
    if (!(length > 1e-9)) return;
    const head = Math.min(4.5 * thick, 0.5 * length), rod = this.kept(this.rod, this.plain(colour)), cone = this.kept(this.cone, this.plain(colour));
    const group = new three.Group();
    rod.scale.set(thick, length - head, thick);
    rod.position.y = (length - head) / 2;
    cone.scale.set(2.2 * thick, head, 2.2 * thick);
    cone.position.y = length - head / 2;
    group.add(rod, cone);
    group.position.copy(from);
    group.quaternion.setFromUnitVectors(new three.Vector3(0, 1, 0), along.clone().divideScalar(length));
    layer.add(group);
  }

  /** A part of a turn about an axis with a head at its end; share 1 is 300 degrees. */
  private arc(layer: three.Group, centre: three.Vector3, axes: three.Matrix4, radius: number, turn: number, colour: number, thick: number): void {
    const sweep = Math.min(Math.abs(turn), 1) * Math.PI * 5 / 3;
    if (sweep < 0.02) return;
    const sign = Math.sign(turn), head = Math.min(0.4, 0.5 * sweep);
    // of two hundred lengths the nearest
    const step = Math.PI / 100, steps = Math.max(1, Math.round((sweep - head) / step));
    if (!this.arcs.has(steps)) this.arcs.set(steps, new three.TorusGeometry(1, 0.1, 8, Math.max(4, Math.ceil(steps / 3)), steps * step));
    const ring = this.kept(this.arcs.get(steps)!, this.plain(colour)), tip = this.kept(this.cone, this.plain(colour));
    ring.scale.set(radius, radius, 10 * thick);
    tip.scale.set(2.4 * thick, head * radius, 2.4 * thick);
    const a = sweep - head / 2;
    tip.position.set(radius * Math.cos(a), radius * Math.sin(a), 0);
    tip.rotation.z = a;
    const group = new three.Group();
    group.add(ring, tip);
    group.scale.y = sign;
    group.quaternion.setFromRotationMatrix(axes);
    group.position.copy(centre);
    layer.add(group);
  }

  /** Torques on the joints, coloured by the share of their limit; without a limit, by the largest of all. */
  torques(info: RobotInfo, figure: Figure, tau: number[], visible: boolean, labels: boolean, theme: Theme): void {
    const layer = this.layer('torques'), texts: Parameters<Overlays['label']>[0] = [];
    const largest = Math.max(1e-12, ...tau.map(Math.abs));
    const pale = this.material(`pale ${theme.muted}`, () => new three.MeshBasicMaterial({color: theme.muted, transparent: true, opacity: 0.35}));
    figure.symbols.forEach(({mesh, info: symbol}, k) => {
      const v = info.velocities[symbol.share];
      if (symbol.share < 0 || !v) return;
      const t = tau[symbol.share] ?? 0, share = v.effort ? Math.abs(t) / v.effort : Number.NaN;
      figure.colourSymbol(k, visible && Number.isFinite(share) ? shareColour(share) : null);
      const centre = mesh.getWorldPosition(new three.Vector3()), axes = new three.Matrix4().extractRotation(mesh.matrixWorld);
      const r = 0.12 * figure.size, colour = Number.isFinite(share) ? shareColour(share) : theme.accent;
      if (visible) {
        // the drives push the link along its coordinate
        const amount = Number.isFinite(share) ? share : Math.abs(t) / largest * 0.6;
        if (v.kind === 'angle') {
          const track = this.kept(this.ring, pale);
          track.scale.setScalar(r);
          track.quaternion.setFromRotationMatrix(axes);
          track.position.copy(centre);
          layer.add(track);
          this.arc(layer, centre, axes, r, Math.sign(t) * amount, colour, 0.012 * figure.size);
        } else this.arrow(layer, centre, new three.Vector3().setFromMatrixColumn(axes, 2).multiplyScalar(Math.sign(t) * (0.1 + 0.3 * Math.min(1, amount)) * figure.size * (t ? 1 : 0)), colour, 0.011 * figure.size);
      }
      if (labels && visible)
        texts.push({at: centre, text: `${digits(t, 4)} ${torqueUnit(v.kind)}`, colour: css(colour), strong: share > 1, weight: Number.isFinite(share) ? share : Math.abs(t) / largest});
    });
    this.label(this.branches.length ? this.branches : texts);
  }

  /** The axis of each joint, and its range: an arc about it, or a line along it; what is drawn bold is where it stands. */
  axes(figure: Figure, info: RobotInfo, q: number[], visible: boolean, theme: Theme): void {
    const layer = this.layer('axes');
    if (!visible) return;
    const size = figure.size, line = (a: three.Vector3, b: three.Vector3, colour: number): void => {
      layer.add(new three.Line(new three.BufferGeometry().setFromPoints([a, b]), this.thread(colour)));
    };
    for (const {mesh, info: symbol} of figure.symbols) {
      const v = info.velocities[symbol.share];
      if (symbol.share < 0 || !v || v.position < 0) continue;
      const centre = mesh.getWorldPosition(new three.Vector3()), turn = new three.Matrix4().extractRotation(mesh.matrixWorld), axis = new three.Vector3().setFromMatrixColumn(turn, 2);
      line(centre.clone().addScaledVector(axis, -0.22 * size), centre.clone().addScaledVector(axis, 0.22 * size), theme.muted);
      if (v.lower === null || v.upper === null) continue;
      const low = v.lower - q[v.position]!, high = v.upper - q[v.position]!;
      if (v.kind === 'length') {
        const at = (x: number): three.Vector3 => centre.clone().addScaledVector(axis, x);
        line(at(low), at(high), theme.accent);
        continue;
      }
      // more than a turn is a whole ring
      const r = 0.16 * size, sweep = Math.min(high - low, 2 * Math.PI), ring = new three.Mesh(new three.TorusGeometry(r, 0.004 * size, 6, Math.max(6, Math.ceil(sweep * 12)), sweep), this.plain(theme.accent));
      ring.position.copy(centre);
      ring.quaternion.setFromRotationMatrix(turn).multiply(new three.Quaternion().setFromAxisAngle(new three.Vector3(0, 0, 1), low));
      layer.add(ring);
      line(centre, centre.clone().addScaledVector(new three.Vector3().setFromMatrixColumn(turn, 0), 1.12 * r), theme.ink);
    }
  }

  /** Way points, as dots with numbers; the chosen one is larger. */
  points(places: three.Vector3[], chosen: number, size: number, theme: Theme): three.Object3D[] {
    const layer = this.layer('points');
    return places.map((p, k) => {
      const dot = this.kept(this.ball, this.solid(k === chosen ? theme.bad : theme.accent));
      dot.scale.setScalar((k === chosen ? 0.03 : 0.022) * size);
      dot.position.copy(p);
      layer.add(dot);
      return dot;
    });
  }

  /** The payload as a ball where its mass centre is, the force of the wrench as an arrow at the tool. */
  load(tool: three.Vector3, centre: three.Vector3 | null, radius: number, force: three.Vector3, size: number, theme: Theme): void {
    const layer = this.layer('load');
    if (centre) {
      const ball = this.kept(this.ball, this.solid(theme.muted));
      ball.scale.setScalar(radius);
      ball.position.copy(centre);
      layer.add(ball);
    }
    this.arrow(layer, tool, force, theme.bad, 0.012 * size);
  }

  /** A push at the tool while it acts. */
  push(at: three.Vector3 | null, force: number[] | null, size: number, theme: Theme): void {
    const layer = this.layer('push');
    if (at && force && force.some(x => x !== 0)) this.arrow(layer, at, vector(force).normalize().multiplyScalar(0.4 * size), theme.bad, 0.014 * size);
  }

  frames(figure: Figure, info: RobotInfo, visible: boolean, theme: Theme): void {
    const layer = this.layer('frames');
    if (!visible) return;
    const length = 0.13 * figure.size;
    info.bodies.forEach((b, k) => {
      const holder = new three.Group();
      holder.position.set(b.link_frame[0]!, b.link_frame[1]!, b.link_frame[2]!);
      holder.quaternion.set(b.link_frame[4]!, b.link_frame[5]!, b.link_frame[6]!, b.link_frame[3]!);
      const world = new three.Matrix4().multiplyMatrices(figure.parts[k]!.matrixWorld, new three.Matrix4().compose(holder.position, holder.quaternion, new three.Vector3(1, 1, 1)));
      const at = new three.Vector3().setFromMatrixPosition(world);
      for (const axis of [0, 1, 2]) this.arrow(layer, at, new three.Vector3().setFromMatrixColumn(world, axis).multiplyScalar(length), theme.axes[axis]!, 0.005 * figure.size);
    });
  }

  masses(figure: Figure, info: RobotInfo, state: StateAnswer, balls: boolean, ellipsoids: boolean, theme: Theme): void {
    const layer = this.layer('masses');
    const heaviest = Math.max(1e-12, ...info.bodies.map(b => b.mass));
    const at = (b: BodyInfo, k: number): three.Vector3 => vector(b.centre!).applyMatrix4(figure.parts[k]!.matrixWorld);
    info.bodies.forEach((b, k) => {
      if (!b.centre) return;
      if (balls) {
        const ball = this.kept(this.ball, this.glass(theme.accent, 0.85, true));
        ball.scale.setScalar(0.045 * figure.size * Math.cbrt(b.mass / heaviest));
        ball.position.copy(at(b, k));
        ball.renderOrder = 2;
        layer.add(ball);
      }
      if (ellipsoids && b.axes && b.ellipsoid) {
        const body = this.kept(this.ball, this.glass(theme.accent, 0.28));
        const a = b.axes, X = new three.Matrix4().makeBasis(new three.Vector3(a[0], a[3], a[6]), new three.Vector3(a[1], a[4], a[7]), new three.Vector3(a[2], a[5], a[8]));
        X.scale(vector(b.ellipsoid.map(x => Math.max(x, 1e-4)))).setPosition(vector(b.centre));
        body.matrixAutoUpdate = false;
        body.matrix.multiplyMatrices(figure.parts[k]!.matrixWorld, X);
        layer.add(body);
      }
    });
    if (!balls || !(state.mass > 0)) return;
    const c = vector(state.mass_centre), s = 0.05 * figure.size;
    for (const d of [[1, 0, 0], [0, 1, 0], [0, 0, 1]]) {
      const line = new three.Line(new three.BufferGeometry().setFromPoints([c.clone().addScaledVector(vector(d), -s), c.clone().addScaledVector(vector(d), s)]),
        this.thread(theme.bad, true));
      line.renderOrder = 3;
      layer.add(line);
    }
  }

  /** Forces at places, six numbers each; the longest arrow is a third of the robot. */
  forces(name: string, size: number, list: ArrayLike<number>, first: number, count: number, colour: number): void {
    const layer = this.layer(name);
    let largest = 1e-12;
    for (let k = 0; k < count; ++k) largest = Math.max(largest, Math.hypot(list[first + 6 * k + 3]!, list[first + 6 * k + 4]!, list[first + 6 * k + 5]!));
    for (let k = 0; k < count; ++k) {
      const f = vector(list, first + 6 * k + 3);
      if (f.length() > 1e-3 * largest) this.arrow(layer, vector(list, first + 6 * k), f.multiplyScalar(0.6 * size / largest), colour, 0.007 * size);
    }
  }

  /** What the tool can do per unit of all rates: flat where it can do nothing. */
  freedom(figure: Figure, state: StateAnswer, visible: boolean, theme: Theme): void {
    const layer = this.layer('freedom');
    if (!visible) return;
    const {sigma, axes} = state.velocity_ellipsoid, largest = Math.max(...sigma, 1e-12), scale = 0.35 * figure.size / largest;
    const column = (k: number): three.Vector3 => new three.Vector3(axes[k], axes[3 + k], axes[6 + k]);
    const X = new three.Matrix4().makeBasis(column(0), column(1), column(2));
    X.scale(vector(sigma.map(s => Math.max(scale * s, 0.004 * figure.size)))).setPosition(vector(state.tool.position));
    const body = this.kept(this.ball, this.glass(theme.ghost, 0.25));
    body.matrixAutoUpdate = false;
    body.matrix.copy(X);
    layer.add(body);
    // a direction that is lost
    sigma.forEach((s, k) => {
      if (s > 0.05 * largest) return;
      for (const sign of [-1, 1]) this.arrow(layer, vector(state.tool.position), column(k).multiplyScalar(sign * 0.3 * figure.size), theme.bad, 0.006 * figure.size);
    });
  }

  /** Points as small dots, coloured from 0 to 1. */
  cloud(name: string, points: ArrayLike<number>, shares: ArrayLike<number>, size: number): void {
    const layer = this.layer(name), geometry = new three.BufferGeometry(), count = Math.floor(points.length / 3), colours = new Float32Array(3 * count), c = new three.Color();
    geometry.setAttribute('position', new three.BufferAttribute(Float32Array.from(points), 3));
    for (let k = 0; k < count; ++k) c.set(shareColour(shares[k]!)).toArray(colours, 3 * k);
    geometry.setAttribute('color', new three.BufferAttribute(colours, 3));
    layer.add(new three.Points(geometry, this.material(`dots ${size}`, () => new three.PointsMaterial({vertexColors: true, size, sizeAttenuation: false}))));
  }

  /** A line through points, coloured from 0 to 1. */
  path(name: string, points: ArrayLike<number>, shares: ArrayLike<number> | null, theme: Theme): void {
    const layer = this.layer(name), count = Math.floor(points.length / 3);
    if (count < 2) return;
    const geometry = new three.BufferGeometry();
    geometry.setAttribute('position', new three.BufferAttribute(Float32Array.from(points), 3));
    const colours = new Float32Array(3 * count), c = new three.Color();
    for (let k = 0; k < count; ++k) c.set(shares ? shareColour(shares[k]!) : theme.accent).toArray(colours, 3 * k);
    geometry.setAttribute('color', new three.BufferAttribute(colours, 3));
    layer.add(new three.Line(geometry, this.material('way', () => new three.LineBasicMaterial({vertexColors: true, linewidth: 2}))));
  }
}

// A robot or mechanism as solids: links between their joints, joints as symbols, rods, springs and cylinders. Poses come from the
// engine; nothing here computes one.
import * as three from 'three';
import {ConvexGeometry} from 'three/examples/jsm/geometries/ConvexGeometry.js';
import {mergeGeometries} from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import type {Triple, ShapesAnswer, View, ViewSymbol} from './answers';
import type {Theme} from './colours';
import {vector} from './scene';

const up = new three.Vector3(0, 1, 0);

const between = (mesh: three.Object3D, a: three.Vector3, b: three.Vector3): void => {
  const along = b.clone().sub(a), length = along.length();
  mesh.position.copy(a).add(b).multiplyScalar(0.5);
  if (length > 1e-12) mesh.quaternion.setFromUnitVectors(up, along.divideScalar(length));
  mesh.scale.y = Math.max(length, 1e-9);
};

/** Puts an object where seven numbers say: x y z e0 e1 e2 e3. */
export const place = (o: three.Object3D, poses: ArrayLike<number>, at: number): void => {
  o.position.set(poses[at]!, poses[at + 1]!, poses[at + 2]!);
  o.quaternion.set(poses[at + 4]!, poses[at + 5]!, poses[at + 6]!, poses[at + 3]!);
};

/** What the parts of the ghosts of a view look like. */
const ghostSolids = new WeakMap<View, Map<number, three.BufferGeometry>>();

export class Figure {
  readonly group = new three.Group();
  readonly parts: three.Group[] = [];
  readonly symbols: {mesh: three.Mesh; info: ViewSymbol}[] = [];
  private readonly base = new three.Group();
  private readonly sticks: three.Object3D[] = [];
  private readonly bars: {mesh: three.Object3D; view: View['bars'][number]}[] = [];
  private readonly materials: three.Material[] = [];
  readonly size: number;

  /** ghost: pale and see-through, without symbols that could be taken hold of. */
  constructor(readonly view: View, private theme: Theme, ghost = false) {
    this.size = view.radius;
    const r = 0.028 * view.radius;
    const link = this.material(ghost ? theme.ghost : theme.link, ghost);
    // all strokes of a part as one solid; those of ghosts are the same for all of them
    const sticks = (parent: three.Group, strokes: number[][], material: three.Material, key: number): void => {
      if (!strokes.length) return;
      let solid = ghost ? ghostSolids.get(view)?.get(key) : undefined;
      if (!solid) {
        const place = new three.Object3D(), pieces: three.BufferGeometry[] = [];
        const put = (g: three.BufferGeometry): void => { place.updateMatrix(); pieces.push(g.applyMatrix4(place.matrix)); };
        for (const s of strokes) {
          const a = vector(s), b = vector(s, 3);
          between(place, a, b);
          put(new three.CylinderGeometry(r, r, 1, ghost ? 8 : 20, 1, true));
          for (const p of [a, b]) {
            place.scale.set(1, 1, 1);
            place.position.copy(p);
            put(new three.SphereGeometry(r, ghost ? 8 : 20, ghost ? 6 : 14));
          }
        }
        solid = mergeGeometries(pieces);
        if (ghost) {
          if (!ghostSolids.has(view)) ghostSolids.set(view, new Map());
          ghostSolids.get(view)!.set(key, solid);
        }
      }
      const mesh = new three.Mesh(solid, material);
      mesh.userData.kept = ghost;
      parent.add(mesh);
      this.sticks.push(mesh);
    };
    if (!ghost) sticks(this.base, view.base.strokes, link, -1);
    view.parts.forEach((part, key) => {
      const group = new three.Group();
      const material = part.colour < 0 || ghost ? link : this.material(Number.parseInt(theme.series[part.colour % 8]!.slice(1), 16), false);
      sticks(group, part.strokes, material, key);
      if (part.plate.length > 2) this.plate(group, part.plate.map(p => vector(p)), material, r);
      this.parts.push(group);
    });
    for (const bar of view.bars) {
      const mesh = this.bar(bar.kind, r, ghost);
      this.bars.push({mesh, view: bar});
      this.group.add(mesh);
    }
    for (const s of view.symbols) {
      if (ghost) continue;
      const mesh = this.symbol(s, r, ghost);
      (s.part < 0 ? this.base : this.parts[s.part]!).add(mesh);
      if (!ghost) this.symbols.push({mesh, info: s});
    }
    this.group.add(this.base, ...this.parts);
  }

  /** Ends of its links, where they stand. */
  ends(): three.Vector3[] {
    this.group.updateMatrixWorld(true);
    return [[-1, this.view.base] as const, ...this.view.parts.entries()].flatMap(([k, part]) => [...part.strokes.flatMap(s => [vector(s), vector(s, 3)]), ...part.plate.map(p => vector(p))].map(p => this.world(k, p)));
  }
  /** A ball around all of it, where it stands. */
  bounds(): {centre: Triple; radius: number} {
    this.group.updateMatrixWorld(true);
    const ball = new three.Box3().setFromObject(this.group).getBoundingSphere(new three.Sphere());
    return {centre: ball.center.toArray(), radius: ball.radius};
  }

  setPoses(poses: ArrayLike<number>, first = 0): void {
    this.parts.forEach((part, k) => place(part, poses, first + 7 * k));
    this.group.updateMatrixWorld(true);
    for (const {mesh, view} of this.bars) between(mesh, this.world(view.i, vector(view.at_i)), this.world(view.j, vector(view.at_j)));
  }

  /** A point of a part in the world; part -1 is the world. */
  world(part: number, p: three.Vector3): three.Vector3 {
    return part < 0 ? p.clone() : p.clone().applyMatrix4(this.parts[part]!.matrixWorld);
  }
  /** The same point in a part. */
  local(part: number, p: three.Vector3): three.Vector3 { return p.clone().applyMatrix4(this.parts[part]!.matrixWorld.clone().invert()); }
  direction(part: number, d: three.Vector3): three.Vector3 {
    return part < 0 ? d.clone() : d.clone().transformDirection(this.parts[part]!.matrixWorld);
  }

  colourSymbol(k: number, colour: number | null): void {
    (this.symbols[k]!.mesh.material as three.MeshStandardMaterial).color.set(colour ?? this.theme.joint);
  }

  /** Shapes and meshes of the file; where there are any, sticks are hidden. */
  setShapes(answer: ShapesAnswer, visible: boolean): boolean {
    if (!answer.shapes.length) return false;
    const material = this.material(this.theme.link, false);
    for (const s of answer.shapes) {
      const n = s.sizes ?? [];
      let geometry: three.BufferGeometry;
      if (s.shape === 'box') geometry = new three.BoxGeometry(n[0], n[1], n[2]);
      else if (s.shape === 'sphere') geometry = new three.SphereGeometry(n[0], 32, 20);
      else if (s.shape === 'mesh') {
        geometry = new three.BufferGeometry();
        geometry.setAttribute('position', new three.BufferAttribute(new Float32Array(s.corners!.numbers), 3));
        geometry.setIndex(new three.BufferAttribute(new Uint32Array(s.triangles!.numbers), 1));
        geometry = geometry.toNonIndexed();
        geometry.computeVertexNormals();
      } else {
        geometry = s.shape === 'capsule' ? new three.CapsuleGeometry(n[0], n[1], 12, 24) : new three.CylinderGeometry(n[0], n[0], n[1], 32);
        geometry.rotateX(Math.PI / 2);
      }
      const mesh = new three.Mesh(geometry, material);
      place(mesh, s.pose, 0);
      const holder = new three.Group();
      holder.name = 'shape';
      holder.add(mesh);
      (s.body < 0 ? this.base : this.parts[s.body]!).add(holder);
    }
    this.showShapes(visible);
    return true;
  }
  showShapes(visible: boolean): void {
    let any = false;
    this.group.traverse(o => { if (o.name === 'shape') { o.visible = visible; any = true; } });
    for (const s of this.sticks) s.visible = !(any && visible);
    for (const {mesh} of this.symbols) mesh.scale.setScalar(any && visible ? 0.55 : 1);
  }

  dispose(): void {
    this.group.removeFromParent();
    this.group.traverse(o => { if (o instanceof three.Mesh && !o.userData.kept) (o.geometry as three.BufferGeometry).dispose(); });
    for (const m of this.materials) m.dispose();
  }

  private material(colour: number, ghost: boolean): three.Material {
    // ghosts are many and pale: no need of light on them
    const m = ghost ? new three.MeshBasicMaterial({color: colour, transparent: true, opacity: 0.16, depthWrite: false})
      : new three.MeshStandardMaterial({color: colour, roughness: 0.55, metalness: 0.12, side: three.DoubleSide});
    this.materials.push(m);
    return m;
  }

  private plate(group: three.Group, points: three.Vector3[], material: three.Material, r: number): void {
    // flat ones are given a thickness, so that there is a hull; points in a line are rods
    const from = points[0]!, away = points.map(p => p.clone().sub(from)), along = away.reduce((a, b) => (b.lengthSq() > a.lengthSq() ? b : a));
    const normal = away.map(a => a.clone().cross(along)).reduce((a, b) => (b.lengthSq() > a.lengthSq() ? b : a));
    if (normal.length() > 1e-6 * along.lengthSq()) {
      normal.normalize().multiplyScalar(0.5 * r);
      group.add(new three.Mesh(new ConvexGeometry(points.flatMap(p => [p.clone().add(normal), p.clone().sub(normal)])), material));
    } else
      for (const p of points) {
        const rod = new three.Mesh(new three.CylinderGeometry(r, r, 1, 20, 1, true), material);
        between(rod, from, p);
        group.add(rod);
      }
    for (const p of points) {
      const ball = new three.Mesh(new three.SphereGeometry(0.9 * r, 16, 12), material);
      ball.position.copy(p);
      group.add(ball);
    }
  }

  private bar(kind: string, r: number, ghost: boolean): three.Object3D {
    const colour = this.material(kind === 'spring' ? this.theme.accent : kind === 'slide' ? this.theme.muted : this.theme.link, ghost);
    if (kind === 'spring') {
      const turns = 9, points = Array.from({length: turns * 16 + 1}, (_, k) => {
        const a = k / 16 * 2 * Math.PI;
        return new three.Vector3(1.1 * r * Math.cos(a), k / (turns * 16) - 0.5, 1.1 * r * Math.sin(a));
      });
      return new three.Mesh(new three.TubeGeometry(new three.CatmullRomCurve3(points), turns * 16, 0.2 * r, 6), colour);
    }
    if (kind === 'cylinder') {
      const group = new three.Group(), rod = new three.Mesh(new three.CylinderGeometry(0.35 * r, 0.35 * r, 1, 14), this.material(this.theme.muted, ghost));
      const tube = new three.Mesh(new three.CylinderGeometry(0.8 * r, 0.8 * r, 0.6, 18), colour);
      tube.position.y = -0.2;
      group.add(rod, tube);
      return group;
    }
    const width = kind === 'slide' ? 0.45 * r : 0.5 * r;
    return new three.Mesh(new three.CylinderGeometry(width, width, 1, 16), colour);
  }

  private symbol(s: ViewSymbol, r0: number, ghost: boolean): three.Mesh {
    const r = s.radius > 0 ? s.radius : 1.5 * r0, k = s.kind;
    const along = (g: three.BufferGeometry): three.BufferGeometry => g.rotateX(Math.PI / 2);
    const geometry = k === 'revolute' || k === 'helical' ? along(new three.CylinderGeometry(r, r, 2.6 * r, 32))
      : k === 'cylindrical' ? along(new three.CylinderGeometry(0.8 * r, 0.8 * r, 3.6 * r, 28))
      : k === 'prismatic' ? new three.BoxGeometry(1.8 * r, 1.8 * r, 3.1 * r)
      : k === 'planar' ? new three.BoxGeometry(3.2 * r, 3.2 * r, 0.5 * r)
      : k === 'disc' ? along(new three.CylinderGeometry(r, r, 0.12 * r, 40))
      : k === 'ground' ? (this.view.planar ? new three.ConeGeometry(1.5 * r, 1.8 * r, 4) : new three.CylinderGeometry(2.4 * r, 2.8 * r, 0.9 * r, 40))
      : k === 'coil' ? new three.TorusGeometry(1.6 * r, 0.15 * r, 8, 30)
      : new three.SphereGeometry(k === 'fixed' ? 0.5 * r : k === 'mass' ? 0.9 * r : r, 24, 16);
    const grey = k === 'ground' || k === 'mass' || k === 'free';
    const mesh = new three.Mesh(geometry, this.material(ghost ? this.theme.ghost : grey ? this.theme.muted : this.theme.joint, ghost));
    mesh.position.copy(vector(s.at));
    const a = s.axes;
    if (k === 'ground') {
      mesh.quaternion.setFromUnitVectors(up, vector(this.view.up));
      mesh.position.add(vector(this.view.up).multiplyScalar((this.view.planar ? -1.2 : 0.45) * r));
    } else {
      mesh.quaternion.setFromRotationMatrix(new three.Matrix4().makeBasis(vector(a), vector(a, 3), vector(a, 6)));
    }
    return mesh;
  }
}

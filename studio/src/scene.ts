// The picture: camera, light, floor, and drawing only when something has changed.
import * as three from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import {TransformControls} from 'three/examples/jsm/controls/TransformControls.js';
import type {Triple, View} from './answers';
import {type Theme, theme} from './colours';

export const vector = (p: ArrayLike<number>, at = 0): three.Vector3 => new three.Vector3(p[at], p[at + 1], p[at + 2]);

/** What the arrows hold: told when it is taken, moved, let go. */
export interface Grip { object: three.Object3D; mode?: 'translate' | 'rotate'; begin?(): void; change(): void; end?(): void }

/** Whether pictures are drawn by the processor. */
const drawnByProcessor = (): boolean => {
  const gl = document.createElement('canvas').getContext('webgl'), about = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = about ? String(gl!.getParameter(about.UNMASKED_RENDERER_WEBGL)) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
};
/** What a frame may take, ms, before the picture becomes coarser while it moves. */
const patience = 15;

export class Scene {
  readonly scene = new three.Scene();
  readonly camera = new three.PerspectiveCamera(35, 1, 0.01, 100);
  readonly renderer: three.WebGLRenderer;
  readonly orbit: OrbitControls;
  readonly handle: TransformControls;
  readonly target = new three.Object3D();
  private held: Grip | null = null;
  theme: Theme = theme(false);
  onframe: () => void = () => undefined;
  /** Durations of the last frames, ms: of our own work for it. */
  readonly frames: number[] = [];
  /** From one frame to the next, while things move. */
  readonly gaps: number[] = [];
  private last = 0;
  private coarse = 1;  // share of the full resolution while things move
  private quiet = 0;
  /** Of the picture, in pixels of the page: kept, for to ask anew lays out the page at every frame. */
  width = 1;
  private height = 1;
  private floor: three.Object3D | null = null;
  /** Seen from farther away than the robot needs. */
  revealed = false;
  private asked = false;
  private extent = 1;
  private view: View | null = null;
  private key = new three.DirectionalLight(0xffffff, 2.6);
  private fill = new three.HemisphereLight(0xffffff, 0xb4bfcc, 2.3);

  constructor(readonly holder: HTMLElement) {
    this.renderer = new three.WebGLRenderer({antialias: !drawnByProcessor(), powerPreference: 'high-performance'});
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    holder.append(this.renderer.domElement);
    this.orbit = new OrbitControls(this.camera, this.renderer.domElement);
    this.orbit.addEventListener('change', () => this.draw());
    this.handle = new TransformControls(this.camera, this.renderer.domElement);
    this.handle.setSize(0.7);
    this.handle.addEventListener('change', () => this.draw());
    this.handle.addEventListener('dragging-changed', e => { this.orbit.enabled = !e.value; });
    this.handle.addEventListener('mouseDown', () => this.held?.begin?.());
    this.handle.addEventListener('objectChange', () => this.held?.change());
    this.handle.addEventListener('mouseUp', () => this.held?.end?.());
    this.scene.add(this.target, this.key, this.fill, this.handle.getHelper());
    this.handle.getHelper().visible = false;
    new ResizeObserver(() => this.resize()).observe(holder);
    this.resize();
  }

  /** Puts the arrows at something, or takes them away. */
  grip(held: Grip | null): void {
    if (this.held && this.held.object !== this.target) this.held.object.removeFromParent();
    this.held = held;
    this.handle.getHelper().visible = held !== null;
    this.handle.enabled = held !== null;
    if (held) {
      if (held.object !== this.target) this.scene.add(held.object);
      this.handle.setMode(held.mode ?? 'translate');
      this.handle.attach(held.object);
    } else this.handle.detach();
    this.draw();
  }

  draw(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(at => {
      const start = performance.now();
      this.asked = false;
      this.keepPace(at);
      this.key.position.copy(this.camera.position).add(this.camera.up.clone().multiplyScalar(this.camera.position.length()));
      this.renderer.render(this.scene, this.camera);
      this.onframe();
      this.frames.push(performance.now() - start);
      if (this.view && !performance.getEntriesByName('first-picture').length) performance.mark('first-picture');
      if (this.frames.length > 500) this.frames.shift();
    });
  }

  /** Where frames come too slowly the picture is coarser while it moves, and fine again when it rests. */
  private keepPace(at: number): void {
    const gap = at - this.last;
    this.last = at;
    clearTimeout(this.quiet);
    if (gap < 1000) {
      this.gaps.push(gap);
      if (this.gaps.length > 500) this.gaps.shift();
      const recent = this.gaps.slice(-6).sort((a, b) => a - b);
      if (recent.length === 6 && recent[3]! > patience + 3 && this.coarse > 0.5) this.resolve(Math.max(0.5, this.coarse * 0.8));
    }
    // a pause between two slow frames is no rest: to change the size costs more than a frame
    this.quiet = window.setTimeout(() => { if (this.coarse < 1) { this.resolve(1); this.draw(); } }, 180 + (gap < 1000 ? 4 * gap : 0));
  }
  private resolve(share: number): void {
    this.coarse = share;
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio) * share);
  }

  setTheme(dark: boolean): void {
    this.theme = theme(dark);
    this.scene.background = new three.Color(this.theme.background);
    this.fill.groundColor.set(dark ? 0x39424e : 0xb4bfcc);
    if (this.view) this.layFloor(this.view);
    this.draw();
  }

  /** Looks at all of it, from the front and a little above; across the plane of what moves in one. `shown`: points of it, where it stands now. */
  fit(view: View, reach = 0, shown: three.Vector3[] = []): void {
    this.view = view;
    this.revealed = false;
    const centre = vector(view.centre), up = vector(view.up), front = vector(view.front);
    // what it may come to fits into the picture, not only where it stands: the centre is above its foot then
    const far = !view.planar && 0.6 * reach > view.radius;
    if (far) {
      const foot = view.symbols.find(s => s.kind === 'ground')?.at ?? [0, 0, 0];
      centre.copy(vector(foot)).addScaledVector(up, 0.38 * reach);
    }
    const radius = far ? 0.6 * reach : view.radius;
    this.extent = radius;
    this.camera.up.copy(view.planar ? vector(view.planar.up) : up);
    let towards: three.Vector3;
    if (view.planar) towards = vector(view.planar.normal);
    else {
      const east = front.clone().cross(up);
      towards = front.clone().multiplyScalar(-Math.cos(0.75)).add(east.multiplyScalar(Math.sin(0.75))).multiplyScalar(Math.cos(0.35)).add(up.clone().multiplyScalar(Math.sin(0.35)));
    }
    const narrow = Math.min(1, this.camera.aspect);
    // a robot reaches farther than it stands
    let distance = (view.planar ? 1.2 : far ? 0.84 : 1.25) * radius / Math.sin(this.camera.fov * Math.PI / 360) / narrow;
    this.camera.near = distance / 200;
    this.camera.far = distance * 20;
    this.orbit.target.copy(centre);
    for (let step = 0; step < 12; ++step, distance *= 1.08) {
      this.camera.far = distance * 20;
      this.camera.position.copy(centre).addScaledVector(towards, distance);
      this.orbit.update();
      this.camera.updateProjectionMatrix();
      this.camera.updateMatrixWorld();
      // no part of it is cut off where it stands
      if (view.planar || shown.every(p => { const q = p.clone().project(this.camera); return Math.abs(q.x) < 0.88 && Math.abs(q.y) < 0.88; })) break;
    }
    this.layFloor(view);
    this.draw();
  }

  /** From farther away, where some of these places would not be seen. */
  reveal(view: View, places: ArrayLike<number>): void {
    const list = Array.from({length: Math.floor(places.length / 3)}, (_, k) => vector(places, 3 * k));
    if (list.every(p => { const q = p.clone().project(this.camera); return Math.abs(q.x) < 1 && Math.abs(q.y) < 1; })) return;
    const {center, radius} = new three.Box3().setFromPoints(list).getBoundingSphere(new three.Sphere());
    this.fit({...view, centre: center.toArray(), radius: 0.55 * radius});
    this.revealed = true;
  }

  private layFloor(view: View): void {
    if (this.floor) this.scene.remove(this.floor);
    this.floor = null;
    if (view.floor === null || view.planar) return;
    const step = 10 ** Math.floor(Math.log10(this.extent)) / 2, count = Math.ceil(2.6 * this.extent / step) * 2;
    const grid = new three.GridHelper(count * step, count, this.theme.grid, this.theme.grid);
    const up = vector(view.up);
    grid.quaternion.setFromUnitVectors(new three.Vector3(0, 1, 0), up);
    const centre = vector(view.centre);
    grid.position.copy(centre).add(up.clone().multiplyScalar(view.floor - centre.dot(up)));
    (grid.material as three.Material).transparent = true;
    (grid.material as three.Material).opacity = 0.7;
    this.floor = grid;
    this.scene.add(grid);
  }

  /** Where a point of the world is seen, in pixels; null: behind the viewer. */
  project(p: three.Vector3): [number, number] | null {
    const q = p.clone().project(this.camera);
    if (q.z > 1) return null;
    return [(q.x + 1) / 2 * this.width, (1 - q.y) / 2 * this.height];
  }

  ray(e: PointerEvent): three.Raycaster {
    const box = this.renderer.domElement.getBoundingClientRect(), ray = new three.Raycaster();
    ray.setFromCamera(new three.Vector2((e.clientX - box.left) / box.width * 2 - 1, 1 - (e.clientY - box.top) / box.height * 2), this.camera);
    return ray;
  }

  /** Whether the pointer is over an arrow: asked anew, for a finger comes down without having been above it. */
  overArrows(e: PointerEvent): boolean {
    if (!this.held) return false;
    const box = this.renderer.domElement.getBoundingClientRect();
    this.handle.pointerHover({x: (e.clientX - box.left) / box.width * 2 - 1, y: 1 - (e.clientY - box.top) / box.height * 2, button: e.button} as PointerEvent);
    return this.handle.axis !== null;
  }

  setCamera(position: Triple): void { this.camera.position.set(...position); this.orbit.update(); this.draw(); }

  private resize(): void {
    const {clientWidth: w, clientHeight: h} = this.holder;
    if (w < 2 || h < 2) return;
    [this.width, this.height] = [w, h];
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    this.draw();
  }
}

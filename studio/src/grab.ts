// Taking hold of a joint: a drag turns it about its axis, or moves it along.
import * as three from 'three';
import type {App} from './app';

export const grabJoints = (app: App): void => {
  const {scene} = app, canvas = scene.renderer.domElement;
  let held: {position: number; kind: string; centre: three.Vector3; axis: three.Vector3; start: number; last: number; value: number; lower: number; upper: number} | null = null;

  const under = (e: PointerEvent): number => {
    if (!app.figure || !app.robot) return -1;
    const hit = scene.ray(e).intersectObjects(app.figure.symbols.map(s => s.mesh), false)[0];
    return hit ? app.figure.symbols.findIndex(s => s.mesh === hit.object) : -1;
  };
  /** Angle about the axis, or place along it, of what the pointer is over. */
  const measure = (e: PointerEvent, h: NonNullable<typeof held>): number => {
    const ray = scene.ray(e).ray;
    if (h.kind === 'length') {
      const point = new three.Vector3(), far = 10 * app.figure!.size;
      ray.distanceSqToSegment(h.centre.clone().addScaledVector(h.axis, -far), h.centre.clone().addScaledVector(h.axis, far), undefined, point);
      return point.sub(h.centre).dot(h.axis);
    }
    // an axis that lies across the view is turned by moving the pointer across it
    if (Math.abs(ray.direction.dot(h.axis)) < 0.15) {
      const across = h.axis.clone().cross(ray.direction).normalize(), right = new three.Vector3().setFromMatrixColumn(scene.camera.matrixWorld, 0), up = new three.Vector3().setFromMatrixColumn(scene.camera.matrixWorld, 1);
      return (e.clientX * across.dot(right) - e.clientY * across.dot(up)) * -0.008;
    }
    const plane = new three.Plane().setFromNormalAndCoplanarPoint(h.axis, h.centre), point = ray.intersectPlane(plane, new three.Vector3());
    if (!point) return h.last;
    const d = point.sub(h.centre), x = new three.Vector3(1, 0, 0).cross(h.axis);
    if (x.lengthSq() < 0.01) x.set(0, 1, 0).cross(h.axis);
    x.normalize();
    return Math.atan2(d.dot(h.axis.clone().cross(x)), d.dot(x));
  };

  canvas.addEventListener('pointerdown', e => {
    if (e.button !== 0 || scene.overArrows(e)) return;
    const k = under(e);
    if (k < 0) return;
    const {mesh, info} = app.figure!.symbols[k]!, v = app.robot!.velocities[info.share];
    if (info.share < 0 || !v || v.position < 0) return;
    held = {position: v.position, kind: v.kind, centre: mesh.getWorldPosition(new three.Vector3()), axis: new three.Vector3().setFromMatrixColumn(mesh.matrixWorld, 2).normalize(), start: 0, last: 0,
      value: app.now.q[v.position]!, lower: v.lower ?? -Infinity, upper: v.upper ?? Infinity};
    held.last = measure(e, held);
    app.store.mark();
    scene.orbit.enabled = false;
    canvas.setPointerCapture(e.pointerId);
  }, true);
  canvas.addEventListener('pointermove', e => {
    if (!held) {
      canvas.classList.toggle('over-joint', !scene.overArrows(e) && e.buttons === 0 && under(e) >= 0);
      return;
    }
    const at = measure(e, held);
    let by = at - held.last;
    if (held.kind === 'angle') by = Math.atan2(Math.sin(by), Math.cos(by));
    held.last = at;
    held.value += by;
    app.setJoint(held.position, Math.min(held.upper, Math.max(held.lower, held.value)));
  });
  const drop = (): void => {
    if (!held) return;
    held = null;
    scene.orbit.enabled = true;
    if (app.now.tab === 'tool') void app.rest();
  };
  canvas.addEventListener('pointerup', drop);
  canvas.addEventListener('pointercancel', drop);
};

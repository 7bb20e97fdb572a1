// Workspace: where the tool gets inside the limits, as a cloud coloured by how heavy the arm is there, or how far from singular.
import type {Rows} from '../engine';
import {choice, h} from '../dom';
import {digits} from '../units';
import type {Panel} from './panel';

interface Cloud { places: Rows; torque_share: Rows; least_singular_value: Rows }

export const workspace: Panel = {
  name: 'workspace', title: 'Reach', of: 'robot',
  make(app, into) {
    const robot = app.robot!;
    if (!robot.tool) {
      into.append(h('p.empty', null, 'This robot has no tool.'));
      return () => undefined;
    }
    let by = robot.velocities.some(v => v.effort !== null) ? 'torque' : 'singular', cloud: Cloud | null = null;
    const facts = h('dl.facts'), said = h('p.hint', {role: 'status'});
    const paint = (): void => {
      if (!cloud) return;
      const values = by === 'torque' ? cloud.torque_share.numbers : cloud.least_singular_value.numbers;
      const most = Math.max(1e-12, ...values), share = by === 'torque' ? values : values.map(x => 1 - x / most);
      app.overlays.cloud('cloud', cloud.places.numbers, share, 3.5 * devicePixelRatio);
      const p = cloud.places.numbers, low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
      for (let k = 0; k < p.length; ++k) { low[k % 3] = Math.min(low[k % 3]!, p[k]!); high[k % 3] = Math.max(high[k % 3]!, p[k]!); }
      const rows: [string, string][] = ['x', 'y', 'z'].map((n, k) => [`${n} of the tool`, `${digits(low[k]!, 4)} to ${digits(high[k]!, 4)} m`]);
      if (by === 'torque') rows.push(['largest share at rest', `${digits(100 * most, 3)} % of a torque limit`]);
      else rows.push(['largest distance', digits(most, 3)]);
      facts.replaceChildren(...rows.flatMap(([k, v]) => [h('dt', null, k), h('dd', null, v)]));
      said.textContent = by === 'torque' ? 'Blue: light; vermilion: a joint at its torque limit, only to hold the arm there.' : 'Blue: far from singular; vermilion: singular.';
      app.scene.draw();
    };
    const ask = async (): Promise<void> => {
      try { cloud = await app.engine.call<Cloud>('cloud', {id: robot.id, ...app.loads(), samples: 6000}); paint(); } catch (e) { app.fail(e); }
    };
    into.append(h('p.hint', null, 'The tool at 6000 random positions inside the joint limits, with the present payload.'),
      h('div.row', null, choice([['torque', 'by the largest static torque'], ['singular', 'by the distance to singular positions']], by, v => { by = v; paint(); }, 'colour of the cloud'),
        h('button', {onclick: () => { app.overlays.layer('cloud'); app.scene.draw(); }}, 'hide')), said, facts);
    void ask();
    return () => undefined;
  }
};

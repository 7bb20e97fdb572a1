// Workspace: where the tool gets inside the limits, as a cloud coloured by how heavy the arm is there, or how far from singular.
import type {Cloud} from '../answers';
import {choice, h} from '../dom';
import {digits, lengths, shown} from '../units';
import type {Panel} from './panel';

export const workspace: Panel = {
  name: 'workspace', title: 'Reach', of: 'robot',
  make(app, into) {
    const robot = app.robot!;
    if (!robot.tool) {
      into.append(h('p.empty', null, 'This robot has no tool.'));
      return () => undefined;
    }
    let by = robot.velocities.some(v => v.effort !== null) ? 'torque' : 'singular', cloud: Cloud | null = null;
    // a slice: what lies within so much of the extent of a plane across one axis
    const thick = 0.02;
    let across = -1, at = 0.5;
    const where = h('span.number'), slider = h<HTMLInputElement>('input', {type: 'range', min: '0', max: '1', step: 'any', value: '0.5', 'aria-label': 'place of the slice', oninput: () => { at = Number(slider.value); paint(); }});
    const place = h('div.row', {hidden: true}, slider, where);
    const facts = h('dl.facts'), said = h('p.hint', {role: 'status'});
    const paint = (): void => {
      if (!cloud) return;
      const values = {torque: cloud.torque_share, payload: cloud.payload, manipulability: cloud.manipulability, singular: cloud.least_singular_value}[by]!.numbers;
      if (!values.length) { app.overlays.layer('cloud'); facts.replaceChildren(); said.textContent = 'No joint of this robot has a torque limit: any payload can be held.'; app.scene.draw(); return; }
      const most = Math.max(1e-12, ...values), least = Math.min(...values), share = by === 'torque' ? values : values.map(x => 1 - x / most);
      const p = cloud.places.numbers, low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
      for (let k = 0; k < p.length; ++k) { low[k % 3] = Math.min(low[k % 3]!, p[k]!); high[k % 3] = Math.max(high[k % 3]!, p[k]!); }
      let places: ArrayLike<number> = p, shares: ArrayLike<number> = share;
      if (across >= 0) {
        const extent = high[across]! - low[across]!, cut = low[across]! + at * extent, kept: number[] = [];
        for (let k = 0; 3 * k < p.length; ++k) if (Math.abs(p[3 * k + across]! - cut) <= thick * extent) kept.push(k);
        places = kept.flatMap(k => [p[3 * k]!, p[3 * k + 1]!, p[3 * k + 2]!]);
        shares = kept.map(k => share[k]!);
        where.textContent = `${'xyz'[across]!} = ${lengths([cut], 3)}`;
      }
      place.hidden = across < 0;
      app.overlays.cloud('cloud', places, shares, 3.5 * devicePixelRatio);
      const length = `lengths in units of ${lengths([robot.unit_length ?? 1], 3)}`;
      const rows: [string, string][] = ['x', 'y', 'z'].map((n, k) => [`${n} of the tool`, `${digits(shown(low[k]!, 'length'), 4)} to ${lengths([high[k]!], 4)}`]);
      if (by === 'torque') rows.push(['largest share at rest', `${digits(100 * most, 3)} % of a torque limit`]);
      else if (by === 'payload') rows.push(['it holds everywhere', `${digits(least, 3)} kg`], ['and at most', `${digits(most, 3)} kg`]);
      else rows.push([by === 'singular' ? 'largest least singular value' : 'largest manipulability', digits(most, 3)]);
      facts.replaceChildren(...rows.flatMap(([k, v]) => [h('dt', null, k), h('dd', null, v)]));
      said.textContent = {torque: 'Blue: light; vermilion: a joint at its torque limit, only to hold the arm there.', payload: 'What it can hold at the tool besides its present payload, at rest. Blue: much; vermilion: little.', manipulability: `Product of the singular values, ${length}. Blue: large; vermilion: small.`, singular: `Least singular value, ${length}. Blue: far from singular; vermilion: singular.`}[by]!;
      app.scene.draw();
    };
    const ask = async (): Promise<void> => {
      try {
        const first = !cloud;
        cloud = await app.engine.call<Cloud>('cloud', {id: robot.id, q: app.now.q, ...app.loads(), samples: across < 0 ? 6000 : 20000});
        if (!into.isConnected) return;
        if (first) app.scene.reveal(robot.view, cloud.places.numbers);
        paint();
      } catch (e) { app.fail(e); }
    };
    const base = robot.free_base === undefined ? '' : h('p.free-base', null, `The base is free: ${robot.bodies[robot.free_base]!.link} is held where it is, and the torques are those of legs and arms that hang from it.`);
    into.append(h('p.hint', null, `Where ${robot.tool} gets, at random positions inside the joint limits, with the present payload.`), base,
      h('div.row.wrap', null, choice([['torque', 'by the largest static torque'], ['payload', 'by the payload it can hold'], ['manipulability', 'by manipulability'], ['singular', 'by the distance to singular positions']], by, v => { by = v; paint(); }, 'colour of the cloud'),
        choice([['-1', 'all of it'], ['0', 'a slice across x'], ['1', 'a slice across y'], ['2', 'a slice across z']], '-1', v => { across = Number(v); void ask(); }, 'all or a slice'),
        h('button', {onclick: () => { app.overlays.layer('cloud'); app.scene.draw(); }}, 'hide')), place, said, facts);
    void ask();
    return what => { if (what === 'theme') paint(); };
  }
};

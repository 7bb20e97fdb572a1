// Run by page_scripts_test.sh: FOLDER of viewer.js and page.js, a page of torques with its CSV, a page of a mechanism.
const assert = require('assert'), fs = require('fs'), path = require('path');
const [folder, page, csv, linkage] = process.argv.slice(2);
const view = global.TorsorView = require(path.join(folder, 'viewer.js'));
const plots = require(path.join(folder, 'page.js'));
const near = (a, b, within = 1e-12) => assert.ok(Math.abs(a - b) <= within, `${a} is not ${b}`);

// the frame nearest to a time
const times = [0, 1, 2, 4, 8];
for (const [t, f] of [[-5, 0], [0, 0], [.4, 0], [.6, 1], [2.9, 2], [3.1, 3], [6, 3], [6.1, 4], [99, 4]])
  assert.strictEqual(view.frame_at(times, t), f, `frame at ${t}`);
for (let t = -1; t < 10; t += .013) {
  const best = Math.min(...times.map(x => Math.abs(x - t)));
  near(Math.abs(times[view.frame_at(times, t)] - t), best);
}

// the camera: orthonormal, the viewer to the right and above, x to the right, z upwards
const c = view.camera([0, 0, 1], [0, 1, 0], Math.PI / 6, .4);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
for (const [a, b, d] of [['right', 'right', 1], ['up', 'up', 1], ['towards', 'towards', 1], ['right', 'up', 0], ['right', 'towards', 0],
  ['up', 'towards', 0]]) near(dot(c[a], c[b]), d);
assert.ok(c.right[0] > 0 && c.up[2] > 0 && c.towards[1] < 0 && c.towards[2] > 0);
const shot = {...c, centre: [1, 2, 3], scale: 100, x: 400, y: 200};
assert.deepStrictEqual(view.project(shot, [1, 2, 3]), [400, 200, 0]);
assert.ok(view.project(shot, [1, 2, 4])[1] < 200);

// a pose turns and shifts: a quarter turn about z
const h = Math.SQRT1_2;
const p = view.place([9, 9, 1, 2, 3, h, 0, 0, h], 2, [1, 0, 0]);
near(p[0], 1), near(p[1], 3), near(p[2], 3);

// hull, colours, lengths, ticks, CSV
assert.strictEqual(view.hull([[0, 0], [1, 0], [1, 1], [0, 1], [.5, .5], [.2, .9]]).length, 4);
assert.notStrictEqual(view.share_colour(0), view.share_colour(1));
assert.strictEqual(view.share_colour(1), view.share_colour(7));
for (const [x, wanted] of [[.13, .1], [.21, .2], [.99, .5], [7, 5], [1000, 1000]]) near(view.round_length(x), wanted, 1e-9);
assert.deepStrictEqual(plots.ticks(0, 1, 5), [0, .2, .4, .6, .8, 1]);
assert.deepStrictEqual(plots.ticks(-3, 3, 6), [-3, -2, -1, 0, 1, 2, 3]);
assert.strictEqual(plots.quote('a,"b"'), '"a,""b"""');
assert.strictEqual(plots.nearest([3, 1, 2], false, 1.2), 1);

const data_of = file => {
  const text = fs.readFileSync(file, 'utf8').match(/<script type='application\/json' id='data'>(.*?)<\/script>/s)[1];
  const data = JSON.parse(text), columns = data.columns.map(plots.decode);
  for (const {figure} of data.figures)
    for (const panel of figure.panels || [figure]) for (const s of panel.series || []) { s.x = columns[s.x]; s.y = columns[s.y]; }
  return data;
};

// what the page saves as CSV is what the command wrote, digit by digit
const {figures} = data_of(page);
const written = fs.readFileSync(csv, 'utf8').trim().split('\n').map(line => line.split(','));
const efforts = figures.find(f => f.figure.title === 'Torques at the joints').figure;
const saved = plots.rows_of(efforts);
assert.strictEqual(saved.length, written.length);
const waist = written[0].indexOf('tau.waist');
for (let k = 1; k < written.length; ++k) assert.strictEqual(saved[k][1], +written[k][waist]);

// the robot: unit quaternions, instants of the motion, one pose for each part
for (const file of [page, linkage]) {
  const {figure} = data_of(file).figures.find(f => f.figure.kind === 'view');
  for (const clip of figure.clips) {
    const poses = view.decode(clip.poses);
    assert.strictEqual(poses.length, 7 * clip.t.length * figure.parts.length);
    for (let k = 0; k < poses.length; k += 7) near(Math.hypot(...poses.slice(k + 3, k + 7)), 1, 1e-6);
    assert.ok(clip.t.every((t, k) => k === 0 || t > clip.t[k - 1]));
  }
}
console.log('the scripts do as they should');

// Opens robots of a folder in the Studio, each as a person would: it is drawn, its joints are moved, its tool is dragged or its
// drivers are, and its usual motion is played; what the console says is an error. So many of each format, spread over the folder.
//
// usage: node tools/studio-corpus.mjs FOLDER [COUNT] [TORSOR]     COUNT: 60, in all; FOLDER has urdf, xacro, mjcf, sdf, ... below
import {spawn} from 'node:child_process';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const top = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const {chromium} = createRequire(resolve(top, 'studio/package.json'))('playwright-core');
const [folder, count = '60', torsor = `${top}/build/release/bin/torsor`] = process.argv.slice(2);
if (!folder || !existsSync(folder)) { console.error('usage: node tools/studio-corpus.mjs FOLDER [COUNT] [TORSOR]'); process.exit(2); }

/** What its root element says it is; null: it is no robot. */
const format = path => {
  if (!/\.(urdf|xacro|xml|mjcf|sdf|world)$/i.test(path)) return null;
  const text = readFileSync(path, 'utf8').slice(0, 100000);
  if (/<mujoco[\s>]/.test(text)) return /<worldbody/.test(text) && /<body/.test(text) ? 'mjcf' : null;
  if (/<sdf[\s>]/.test(text)) return /<link/.test(text) ? 'sdf' : null;
  if (!/<robot[\s>]/.test(text) || !/<joint/.test(text)) return null;
  // a file of macros alone is no robot
  const own = text.replace(/<xacro:macro[\s\S]*?<\/xacro:macro>/g, '');
  return !/\.xacro$/i.test(path) ? 'urdf' : /<link|<xacro:(?!include|property|arg|macro|if|unless)/.test(own) ? 'xacro' : null;
};
const all = {urdf: [], xacro: [], mjcf: [], sdf: []};
const walk = at => { for (const e of readdirSync(at, {withFileTypes: true}).sort((a, b) => (a.name < b.name ? -1 : 1))) if (e.isDirectory()) walk(join(at, e.name)); else { const f = format(join(at, e.name)); if (f) all[f].push(resolve(at, e.name)); } };
walk(folder);
const formats = Object.keys(all).filter(f => all[f].length), each = Math.ceil(Number(count) / formats.length);
const spread = list => list.filter((_, k) => Math.floor(k * each / list.length) !== Math.floor((k - 1) * each / list.length));

const studio = spawn(torsor, ['studio', '--port', '0', '--no-open', '--json', '--root', resolve(folder)], {env: {...process.env, TORSOR_STUDIO: `${top}/build/studio`}, stdio: ['ignore', 'pipe', 'inherit']});
const {address} = JSON.parse(await new Promise(done => studio.stdout.once('data', d => done(String(d)))));
const browser = await chromium.launch({executablePath: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync), args: ['--headless', '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist']});
const page = await browser.newPage(), said = [];
page.on('console', m => { if (m.type() === 'error') said.push(m.text()); });
page.on('pageerror', e => said.push(e.message));
await page.goto(address);
await page.waitForSelector('html[data-ready=yes]');

let failed = 0;
for (const kind of formats) {
  let moved = 0, refused = 0;
  for (const path of spread(all[kind])) {
    said.length = 0;
    const found = await page.evaluate(async given => {
      const a = window.torsorStudio, until = async (f, what) => { for (let k = 0; k < 2000; ++k) { if (f()) return; await new Promise(done => setTimeout(done, 25)); } throw new Error(what); };
      const frame = () => new Promise(requestAnimationFrame), messages = [], say = a.say;
      a.say = text => messages.push(text);
      try {
        await a.open({path: given});
        if (a.faults) { const why = a.faults.faults[0]; a.faults = null; a.emit('faults'); return {refused: `${why.rule}: ${why.what}`}; }
        const poses = () => a.figure.parts.flatMap(p => [...p.position.toArray(), ...p.quaternion.toArray()]);
        if (a.mechanism) {
          await until(() => a.run !== null || messages.length, 'it does not run');  // what nothing acts on stays where it is
          if (!a.run) throw new Error(messages[0]);
          const before = poses();
          a.show(Math.floor(a.run.t.numbers.length / 2));
          if (a.mechanism.drivers.length) { a.setDrivers(a.mechanism.drivers.map(d => d.value + 0.05)); await until(() => a.drive, 'it cannot be driven'); }
          await frame();
          return {moved: poses().some((x, k) => Math.abs(x - before[k]) > 1e-6) || (!a.mechanism.drivers.length && a.run.ended === ''), what: `${a.mechanism.bodies} bodies, ${a.mechanism.freedoms} dof`, messages};
        }
        await until(() => a.state !== null, 'no state');
        const before = poses(), robot = a.robot;
        for (const v of robot.velocities.filter(v => v.position >= 0)) a.now.q[v.position] += 0.3 * Math.min(1, Math.max(-1, (v.upper ?? 1) - a.now.q[v.position])) || -0.3 * Math.min(1, a.now.q[v.position] - (v.lower ?? -1));
        a.move();
        await until(() => !a.busy, 'no state of another position');
        await frame();
        // joints with several numbers are moved by these
        if (!robot.velocities.some(v => v.position >= 0 && v.lower !== v.upper) && robot.nq > robot.nv) { a.now.q[a.now.q.length - 1] += 0.1; a.move(); await until(() => !a.busy, 'no state'); await frame(); }
        const fixed = robot.velocities.every(v => v.lower !== null && v.lower === v.upper);
        const moves = fixed || poses().some((x, k) => Math.abs(x - before[k]) > 1e-9);
        for (const tab of ['tool', 'torques', 'equations', 'motion', 'workspace', 'file']) { document.querySelector(`[data-tab=${tab}]`)?.click(); await frame(); await until(() => !a.busy, `${tab} waits`); }
        if (robot.inverse_kinematics.explained) { document.querySelector('[data-tab=tool]').click(); await until(() => a.solutions, 'no solutions'); a.scene.target.position.z += 0.01; a.solve(true); await until(() => !a.busy, 'the tool cannot be dragged'); }
        await frame();
        return {moved: moves, what: `${robot.joints}, ${robot.bodies.length} links`, messages};
      } catch (e) { return {failed: String(e.message ?? e), messages}; } finally { a.say = say; }
    }, path).catch(e => ({failed: String(e)}));
    const name = path.slice(resolve(folder).length + 1);
    if (found.refused) { ++refused; console.log(`${kind}  refused  ${name}  ${found.refused}`); continue; }
    if (found.failed || !found.moved || said.length) { ++failed; console.log(`${kind}  FAILED   ${name}  ${found.failed ?? (found.moved ? '' : 'nothing moves')} ${said.join(' | ')}`); continue; }
    ++moved;
    console.log(`${kind}  moved    ${name}  ${found.what}${found.messages.length ? '  said: ' + found.messages[0].split('\n')[0] : ''}`);
  }
  console.log(`${kind}: ${moved} drawn and moved without an error of the console, ${refused} refused with a reason, of ${all[kind].length} files\n`);
}
await browser.close();
studio.kill();
process.exit(failed ? 1 : 0);

// Both engines of the Studio give the same answers: `torsor studio` on this machine, and the library as WebAssembly in a browser's
// worker. Every number of every answer to 1e-12 of the largest beside it.
//
// usage: node engines.mjs TORSOR FOLDER     FOLDER: what ./run studio --static wrote
import {execFileSync, spawn} from 'node:child_process';
import {existsSync, readFileSync, statSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';
import {serve_files} from './serve_files.mjs';

const top = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const {chromium} = createRequire(resolve(top, 'studio/package.json'))('playwright-core');
const [torsor, folder] = process.argv.slice(2);
const failures = [];
let compared = 0, worst = 0;

const studio = spawn(torsor, ['studio', '--port', '0', '--no-open', '--json'], {env: {...process.env, TORSOR_STUDIO: folder}, stdio: ['ignore', 'pipe', 'inherit']});
const {address} = JSON.parse(await new Promise(done => studio.stdout.once('data', d => done(String(d)))));
const files = await serve_files(folder);
const browser = await chromium.launch({executablePath: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync),
  args: ['--headless', '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']});
const page = await browser.newPage();
await page.goto(files.address);
await page.waitForSelector('html[data-ready=yes]');

// rows as lists of numbers; an answer that is refused as its faults
const plain = value => JSON.parse(JSON.stringify(value, (_, v) => (v instanceof Float64Array ? Array.from(v, String) : v)));
const decode = (bytes, rows) => {
  const length = rows ? bytes.readUInt32LE(0) : bytes.length, first = rows ? 4 + length : 0;
  return JSON.parse(bytes.subarray(rows ? 4 : 0, first || length).toString(), (_, v) => {
    if (v === null || typeof v !== 'object' || !('f64' in v)) return v;
    return {numbers: Array.from({length: v.f64[1]}, (_, k) => String(bytes.readDoubleLE(first + 8 * (v.f64[0] + k)))), columns: v.columns};
  });
};
const here = async call => {
  const answer = await fetch(address + 'call', {method: 'POST', headers: {'Content-Type': 'application/json', Origin: new URL(address).origin}, body: JSON.stringify(call)});
  return decode(Buffer.from(await answer.arrayBuffer()), answer.headers.get('content-type') === 'application/octet-stream');
};
const there = call => page.evaluate(async ({call: name, ...fields}) => {
  try {
    return JSON.parse(JSON.stringify(await window.torsorStudio.engine.call(name, fields), (_, v) => (v instanceof Float64Array ? Array.from(v, String) : v)));
  } catch (e) {
    return e.answer?.faults ? e.answer : {lost: String(e)};
  }
}, call);

const leave_out = new Set(['microseconds', 'seconds', 'id', 'version', 'file', 'files', 'subject', 'explained', 'residual', 'position_residual', 'angle_residual', 'closure', 'closure_error', 'balance', 'energy_error',
  // of what is zero but for rounding: where it is largest, how far from rank, the determinant beside a singular position
  'factors', 'at_least', 'at_most', 'relative_size', 'gap_in_rank']);
/** `scale`: the largest number of the list it stands in. */
const compare = (path, a, b, scale) => {
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) { failures.push(`${path}: ${a?.length} and ${b?.length} entries`); return; }
    const size = Math.max(1e-3, ...[...a, ...b].map(x => Math.abs(Number(x))).filter(Number.isFinite));
    a.forEach((x, k) => compare(`${path}[${k}]`, x, b[k], size));
  } else if (a !== null && typeof a === 'object') {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b ?? {})])) if (!leave_out.has(key)) compare(`${path}.${key}`, a[key], b?.[key]);
  } else if (a !== null && a !== '' && Number.isFinite(Number(a)) && typeof a !== 'boolean') {
    const apart = Math.abs(Number(a) - Number(b)) / Math.max(scale ?? 0, Math.abs(Number(a)), 1e-3);
    ++compared;
    worst = Math.max(worst, apart);
    // a solution is as sure as rounding over this number, and so is the number; with a joint held it is what some steps of inverse
    // iteration give, nearly (turning_loop.hpp)
    if (!(apart <= (/solutions\[\d+\]\.smallest_singular_value$/.test(path) ? 1e-10 : path.endsWith('.smallest_singular_value') ? 1e-11 : 1e-12))) failures.push(`${path}: ${a} and ${b}`);
  } else if (typeof a !== 'string' ? a !== b : typeof b !== 'string') {
    failures.push(`${path}: ${a} and ${b}`);
  }
};
/** Turns have two quaternions, and reactions of redundant joints many values: the sign of the former and the latter are left out. */
const comparable_run = (run, other, redundant) => {
  if (!run.poses) return run;  // refused
  const poses = run.poses.numbers.map(Number), theirs = other.poses?.numbers.map(Number) ?? [];
  for (let k = 0; k + 7 <= poses.length; k += 7)
    if (poses[k + 3] * theirs[k + 3] + poses[k + 4] * theirs[k + 4] + poses[k + 5] * theirs[k + 5] + poses[k + 6] * theirs[k + 6] < 0)
      for (let i = 3; i < 7; ++i) poses[k + i] *= -1;
  const reaction = run.columns.map(c => redundant && /[Rr]eaction/.test(c.group)), width = run.columns.length;
  const numbers = run.numbers.numbers.filter((_, k) => !reaction[k % width]);
  return {...run, poses, numbers, reactions: redundant ? [] : run.reactions};
};
const both = async (what, call, id = [], prepare = (a, b) => [a, b]) => {
  const [a, b] = await Promise.all([here({...call, ...(id.length ? {id: id[0]} : {})}), there({...call, ...(id.length ? {id: id[1]} : {})})]);
  if (b.lost) failures.push(`${what}: ${b.lost}`);
  else compare(what, ...prepare(a, b));
  return [a, b];
};

try {
  const [catalogue] = await both('catalogue', {call: 'catalogue'}), looped = [];
  let ran = 0;
  for (const {name} of catalogue.robots) {
    const [a, b] = await both(`${name}: open`, {call: 'open', name}), id = [a.id, b.id];
    if (a.kind === 'mechanism') { looped.push(name); continue; }
    const q = a.start.map((x, k) => (a.nq === a.nv ? x + 0.1 * Math.sin(k + 1) : x)), qd = Array.from({length: a.nv}, (_, k) => Math.cos(k)), qdd = Array.from({length: a.nv}, (_, k) => Math.sin(2 * k));
    const [state] = await both(`${name}: state`, {call: 'state', q, qd, qdd, payload: [2, 0.01, 0.02, 0.1], wrench: [1, -2, 3, 0.1, 0.2, -0.3]}, id);
    if (a.inverse_kinematics?.explained !== undefined && a.nq === a.nv && a.nv <= 7 && state.tool)
      await both(`${name}: solve`, {call: 'solve', position: state.tool.position, quaternion: state.tool.quaternion, near: q}, id);
    if (a.nq === a.nv && a.nv <= 7 && /^[RP]+$/.test(a.joints)) for (const formulation of ['newton-euler-link', 'lagrange-euler', 'dalembert', 'kane']) await both(`${name}: ${formulation}`, {call: 'worked_example', formulation, q, qd, qdd}, id);
    if (a.nv <= 7 || a.free_base !== undefined) await both(`${name}: cloud`, {call: 'cloud', samples: 50, seed: 3, q: a.start}, id);
  }
  // an engine keeps the dozen things that were opened last: each is asked while it is there
  for (const name of [...looped, ...catalogue.mechanisms.map(m => m.name)]) {
    const [a, b] = await both(`${name}: open`, {call: 'open', name});
    // every way of the legs of a platform, next to where it stands
    if (a.tool_pose) await both(`${name}: reach`, {call: 'reach', position: a.tool_pose.position.map((x, k) => x + [0.01, 0, -0.02][k]), quaternion: a.tool_pose.quaternion}, [a.id, b.id]);
    if (!a.driven) continue;
    const [run] = await both(`${name}: run`, {call: 'run', how: 'driven', samples: 11}, [a.id, b.id], (mine, theirs) => [comparable_run(mine, mine, a.redundant), comparable_run(theirs, mine, a.redundant)]);
    if (!run.poses) failures.push(`${name}: it does not run: ${JSON.stringify(run.faults)}`);
    else ++ran;
  }
  if (ran < 12) failures.push(`only ${ran} mechanisms ran`);
  // long questions, each in a worker of its own: their text is that of the command
  for (const [name, question, words] of [['puma560', 'structure', ['structure', 'puma560', '--json']], ['ur5', 'urdf', ['convert', 'ur5', '--to', 'urdf']], ['four_bar', 'mobility', ['mechanism', 'mobility', 'four_bar', '--json']],
    ['stanford', 'mjcf', ['convert', 'stanford', '--to', 'mjcf']], ['two_link', 'equations', ['equations', 'two_link', '--json']]]) {
    const said = await page.evaluate(async ([n, q]) => {
      const {engine} = window.torsorStudio, {id} = await engine.call('open', {name: n});
      return engine.job(id, q).result;
    }, [name, question]);
    const expected = execFileSync(torsor, words, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']});
    if (question === 'structure' || question === 'mobility') compare(question, JSON.parse(expected), JSON.parse(said));
    else if (said !== expected) {
      const [mine, theirs] = [said.split('\n'), expected.split('\n')], line = mine.findIndex((l, k) => l !== theirs[k]);
      failures.push(`${question} of ${name}: another text than the command's, line ${line + 1}: ${mine[line]} and ${theirs[line]}`);
    }
  }
  // what is dropped is read from memory
  const text = execFileSync(torsor, ['convert', 'puma560', '--to', 'urdf'], {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']});
  const dropped = await both('dropped', {call: 'open', main: 'arm/robot.urdf', files: [{name: 'arm/robot.urdf', text}]});
  if (!dropped[1].id) failures.push('what is dropped cannot be opened');
} catch (e) {
  failures.push(String(e.stack ?? e));
} finally {
  await browser.close();
  studio.kill();
  files.close();
}
const size = gzipSync(readFileSync(`${folder}/torsor.wasm`), {level: 9}).length;
if (size > 4e6) failures.push(`torsor.wasm has ${size} bytes compressed, more than four million`);
if (compared < 10000) failures.push(`only ${compared} numbers were compared`);
console.log(`${compared} numbers of both engines compared, the worst ${worst.toExponential(1)} apart; torsor.wasm: ${(statSync(`${folder}/torsor.wasm`).size / 1e6).toFixed(2)} MB, ${(size / 1e6).toFixed(2)} MB compressed`);
console.log(failures.slice(0, Number(process.env.MOST ?? 40)).join('\n') || 'both engines say the same');
process.exit(failures.length ? 1 : 0);

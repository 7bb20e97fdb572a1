// Drives the Studio in a real browser, as a person would: looks, drags, types, breaks things. A page with the library in it
// (torsor.wasm) is served as files and does the same. The main paths; with TORSOR_FULL=1 every panel and every built-in thing.
//
// usage: node browser.mjs TORSOR PAGE [PICTURES]     PICTURES: a folder for screenshots of every panel, in light and dark
import {execFileSync, spawn} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {entered, fits} from './entered.mjs';
import {lost, restored} from './restored.mjs';
import {serve_files} from './serve_files.mjs';

const top = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const {chromium} = createRequire(resolve(top, 'studio/package.json'))('playwright-core');
const [torsor, folder, pictures] = process.argv.slice(2);
const full = process.env.TORSOR_FULL === '1' || pictures !== undefined;
const failures = [];
const check = (what, found, expected = true) => { if (JSON.stringify(found) !== JSON.stringify(expected)) failures.push(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`); };
const command = (...words) => JSON.parse(execFileSync(torsor, [...words, '--json'], {encoding: 'utf8'}));
const browser_path = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (!browser_path) throw new Error('there is no chromium: ./test installs it');

const without_server = existsSync(`${folder}/torsor.wasm`);
const files = without_server ? await serve_files(folder) : null;
const studios = [];
/** An engine of this machine, of what it was started with: the address of its page. */
const started = async (...file) => {
  studios.push(spawn(torsor, ['studio', ...file, '--port', '0', '--no-open', '--json'], {env: {...process.env, TORSOR_STUDIO: folder}, stdio: ['ignore', 'pipe', 'inherit']}));
  return JSON.parse(await new Promise(done => studios.at(-1).stdout.once('data', d => done(String(d))))).address;
};
const address = files?.address ?? await started(), [studio] = studios, addresses = [address];
const with_file = without_server ? null : async file => { addresses.push(await started(file)); return addresses.at(-1); };
// without a graphics card pictures are drawn by the processor (SwiftShader): times of frames are its own
const browser = await chromium.launch({executablePath: browser_path, args: ['--headless', '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist']});
const said = [], asked = [];
const watch = page => {
  page.on('console', m => { if (m.type() === 'error' || (m.type() === 'warning' && /LaTeX|KaTeX/i.test(m.text()))) said.push(m.text()); });
  page.on('pageerror', e => said.push(e.message));
  page.on('request', r => { if (!addresses.some(a => r.url().startsWith(a)) && !/^(blob|data):/.test(r.url())) asked.push(r.url()); });
  page.setDefaultTimeout(120000);
};
const open = async (url, options = {}) => {
  const context = await browser.newContext({viewport: {width: 1440, height: 900}, colorScheme: 'light', ...options}), page = await context.newPage();
  watch(page);
  await page.goto(url);
  await page.waitForSelector('html[data-ready=yes]');
  return page;
};
const settle = (page, f, argument) => page.waitForFunction(f, argument, {polling: 30});
const shown = text => Number(text.replace('−', '-').replace('−', '-'));
/** A screenshot for the documentation: seven tenths of the size, as WebP. */
const small = async png => {
  const blank = await browser.newPage();
  const text = await blank.evaluate(async data => {
    const image = new Image();
    image.src = 'data:image/png;base64,' + data;
    await image.decode();
    const c = Object.assign(document.createElement('canvas'), {width: image.width * 0.7, height: image.height * 0.7}), g = c.getContext('2d');
    g.imageSmoothingQuality = 'high';
    g.drawImage(image, 0, 0, c.width, c.height);
    return c.toDataURL('image/webp', 0.72).split(',')[1];
  }, png.toString('base64'));
  await blank.close();
  return Buffer.from(text, 'base64');
};
const shot = async (page, name) => {
  if (!pictures) return;
  mkdirSync(pictures, {recursive: true});
  const dark = await page.evaluate(() => window.torsorStudio.now.dark);
  for (const theme of ['light', 'dark']) {
    await page.evaluate(t => { window.torsorStudio.now.dark = t === 'dark'; window.torsorStudio.emit('theme'); }, theme);
    await page.waitForTimeout(700);
    writeFileSync(`${pictures}/${name}-${theme}.webp`, await small(await page.screenshot()));
  }
  await page.evaluate(d => { window.torsorStudio.now.dark = d; window.torsorStudio.emit('theme'); }, dark);
};
const quiet = page => settle(page, () => !window.torsorStudio.busy);
/** Waits until what was changed is seen, however slow the machine is. */
const drawn = page => page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
/** Drags what stands at a place of the picture. */
const pull = async (page, [x, y], by, steps = 8) => {
  await page.mouse.move(x, y);
  await drawn(page);
  await page.mouse.down();
  for (let k = 1; k <= steps; ++k) await page.mouse.move(x + by[0] * k / steps, y + by[1] * k / steps);
  await page.mouse.up();
};
/** Where the arrow along z of what the arrows hold is seen. */
const arrow = page => drawn(page).then(() => page.evaluate(() => {
  const a = window.torsorStudio, V = a.scene.target.position.constructor, t = a.scene.handle.object.position, away = t.clone().sub(a.scene.camera.position).length();
  const length = away * 1.9 * Math.tan(Math.PI * a.scene.camera.fov / 360) * 0.7 / 4 * 0.45, box = a.scene.renderer.domElement.getBoundingClientRect();
  const p = a.scene.project(new V(t.x, t.y, t.z + length));
  return [p[0] + box.left, p[1] + box.top];
}));
const show = async (page, name) => {
  await page.evaluate(n => window.torsorStudio.open({name: n}), name);
  await settle(page, () => window.torsorStudio.thing !== null && (window.torsorStudio.state !== null || window.torsorStudio.run !== null))
    .catch(async () => { throw new Error(`${name} is not shown: ${await page.evaluate(() => [window.torsorStudio.thing?.title, window.torsorStudio.now.tab, document.querySelector('.message').textContent])}`); });
};
/** Types into a field and waits for what becomes of it: what is said there, what it shows. */
const type = async (page, label, text) => {
  const e = page.locator(`[aria-label="${label}"]`);
  await e.fill(text);
  await e.press('Enter');
  await page.waitForSelector(`[aria-label="${label}"]:not([aria-busy])`);
  await quiet(page);
  await drawn(page);
  return page.evaluate(l => [document.querySelector('.refusal')?.textContent ?? '', document.querySelector(`[aria-label="${l}"]`).value], label);
};
const tab = (page, name) => page.click(`[data-tab=${name}]`);
const middle = list => [...list].sort((a, b) => a - b)[list.length >> 1];

try {
  // ---- the first picture ---------------------------------------------------------------------------------------------
  const page = await open(address);
  // the page is ready when it has its data, which it draws in the frame after: waited for, up to Playwright's own limit
  await settle(page, () => performance.getEntriesByName('first-picture').length > 0);
  const first = await page.evaluate(() => performance.getEntriesByName('first-picture')[0].startTime);
  check('a first picture', first > 0);
  check('a PUMA is shown first', await page.textContent('.subject'), 'PUMA 560');
  check('something is drawn', await page.evaluate(() => {
    const a = window.torsorStudio, c = document.createElement('canvas').getContext('2d');
    a.scene.renderer.render(a.scene.scene, a.scene.camera);
    c.drawImage(a.scene.renderer.domElement, 0, 0, 300, 150);
    return new Set(c.getImageData(0, 0, 300, 150).data).size > 40;
  }));

  // ---- torques are those of the command ------------------------------------------------------------------------------
  await show(page, 'puma560_drives');
  await tab(page, 'torques');
  await page.evaluate(() => { const a = window.torsorStudio; a.now.q = [0, 0.5, -1, 0, 0.3, 0.2]; a.now.qd = [0.5, -0.2, 0.3, 0, 1, 0]; a.now.qdd = [1, 2, -1, 0.5, 0, 3]; a.move(); });
  await page.fill('[aria-label="payload mass (kg)"]', '2.5');
  await page.fill('[aria-label="payload z (m)"]', '0.1');
  await page.fill('[aria-label="wrench fx (N)"]', '5');
  await page.keyboard.press('Tab');
  const id = command('id', 'puma560_drives', '--q', '0,0.5,-1,0,0.3,0.2', '--qd', '0.5,-0.2,0.3,0,1,0', '--qdd', '1,2,-1,0.5,0,3', '--payload', '2.5,0,0,0.1', '--wrench', '5,0,0,0,0,0');
  await settle(page, tau => Math.abs(window.torsorStudio.state.tau[1] - tau) < 1e-9 * Math.abs(tau), id.tau[1]);
  await page.waitForTimeout(200);
  const torques = await page.$$eval('[data-torque]', list => list.map(e => e.textContent));
  check('torques on the page', torques.map(shown), id.tau.map(x => Number(x.toPrecision(6))).map(x => Math.abs(x) < 1e-12 ? 0 : x));
  await page.fill('[aria-label="payload mass (kg)"]', '-3');
  await page.keyboard.press('Tab');
  const field = '[aria-label="payload mass (kg)"]';
  const refused = () => page.evaluate(f => [document.querySelector('.refusal')?.textContent ?? '', document.querySelector(f).value, window.torsorStudio.now.payload[0]], field);
  check('a negative mass is refused, with a word', await refused(), ['payload mass (kg): a mass is not negative. It stays 2.5.', '2.5', 2.5]);
  await page.fill(field, '');
  await page.keyboard.press('Tab');
  check('and so is an emptied field', await refused(), ['payload mass (kg): a number is needed, such as 1.5. It stays 2.5.', '2.5', 2.5]);
  await type(page, 'payload mass (kg)', '2.25');
  check('and a right one is taken without', await refused(), ['', '2.25', 2.25]);
  await type(page, 'payload mass (kg)', '2.5');
  // the force is drawn out with the mouse
  const pulled = () => page.evaluate(() => Math.hypot(...window.torsorStudio.now.wrench.slice(0, 3)));
  await page.click('[data-grip=force]');
  await pull(page, await arrow(page), [0, -60]);
  await settle(page, () => Math.hypot(...window.torsorStudio.now.wrench.slice(0, 3)) > 8).catch(() => failures.push('the force cannot be dragged'));
  check('the force is a number of few digits', (await page.inputValue('[aria-label="wrench fz (N)"]')).length < 8);
  await shot(page, 'torques');
  await page.keyboard.press('Control+z');
  check('and that is undone', Math.abs(await pulled() - 5) < 1e-9);
  await page.click('[data-grip=payload]');
  const centre = await page.evaluate(() => [...window.torsorStudio.now.payload]);
  await pull(page, await arrow(page), [0, -40]);
  check('the payload is dragged, its mass stays', await page.evaluate(c => { const p = window.torsorStudio.now.payload; return p[0] === c[0] && Math.hypot(p[1] - c[1], p[2] - c[2], p[3] - c[3]) > 0.01; }, centre));

  await entered({page, check, failures, show, tab, settle, quiet, drawn, type, command, shown});

  // ---- the tool: every solution is a ghost ---------------------------------------------------------------------------
  await show(page, 'puma560');
  await tab(page, 'tool');
  await settle(page, () => document.querySelectorAll('.solution').length === 8);
  const [x, y] = await arrow(page);
  await page.mouse.move(x, y);
  await page.waitForTimeout(150);
  const before = await page.evaluate(() => [...window.torsorStudio.now.q]);
  await page.mouse.down();
  const profiler = await page.context().newCDPSession(page);
  await profiler.send('Performance.enable', {timeDomain: 'threadTicks'});
  /** Processor time of the page's own thread, ms. */
  const busy = async () => 1000 * (await profiler.send('Performance.getMetrics')).metrics.find(m => m.name === 'TaskDuration').value;
  const idle = await busy();
  await page.evaluate(() => {
    window.torsorStudio.scene.frames.length = 0;
    window.gaps = [];
    window.engineTimes = [];
    let last = performance.now();
    const tick = now => { window.gaps.push(now - last); last = now; window.engineTimes.push(window.torsorStudio.state.microseconds + (window.torsorStudio.solutions?.microseconds ?? 0)); window.ticking = requestAnimationFrame(tick); };
    requestAnimationFrame(tick);
  });
  for (let k = 1; k <= 40; ++k) await page.mouse.move(x, y + 2 * k);
  await settle(page, q => Math.abs(window.torsorStudio.now.q[1] - q) > 0.01, before[1]).catch(() => failures.push('dragging the tool moves nothing'));
  const dragged = await busy() - idle, frames = await page.evaluate(() => window.torsorStudio.scene.frames.length);
  await shot(page, 'tool');
  await page.mouse.up();
  await page.waitForTimeout(300);
  await settle(page, () => !window.torsorStudio.busy);
  const drag = await page.evaluate(() => { cancelAnimationFrame(window.ticking); return {frames: window.torsorStudio.scene.frames, gaps: window.gaps, engineTimes: window.engineTimes}; });
  const pose = await page.evaluate(() => { const {position: p, quaternion: e} = window.torsorStudio.scene.target; return [p.x, p.y, p.z, e.w, e.x, e.y, e.z]; });
  const ik = command('ik', 'puma560', '--pose', pose.join(','), '--all');
  await settle(page, n => document.querySelectorAll('.solution').length === n, ik.branches.length);
  await settle(page, () => !window.torsorStudio.busy);
  const found = await page.$$eval('.solution', list => list.map(e => JSON.parse(e.dataset.q)));
  check('solutions are those of the command', found.every((q, k) => q.every((v, i) => Math.abs(v - ik.branches[k].q[i]) < 1e-8)));
  await page.click('.solution >> nth=2');
  await settle(page, q => Math.abs(window.torsorStudio.state.poses.numbers.length) > 0 && Math.abs(window.torsorStudio.now.q[2] - q) < 1e-12, found[2][2]);

  // a pose that is typed: the tool is turned by roll, pitch, yaw
  const yaw = await page.evaluate(() => window.torsorStudio.state.tool.rpy[2] * 180 / Math.PI - 10);
  await page.fill('[aria-label="tool yaw in °"]', String(yaw));
  await page.keyboard.press('Tab');
  await settle(page, to => Math.abs(Math.sin((window.torsorStudio.state.tool.rpy[2] * 180 / Math.PI - to) * Math.PI / 360)) < 1e-8, yaw).catch(() => failures.push('the tool cannot be turned by typing'));
  await page.keyboard.press('Control+z');
  await quiet(page);

  // out of reach: it goes as far as it gets, says what is missing, and comes back
  const reached = await page.evaluate(() => [...window.torsorStudio.now.q]);
  await page.fill('[aria-label="tool z in m"]', '9');
  await page.keyboard.press('Tab');
  await settle(page, () => /[\d.]+ m short/.test(document.querySelector('.panel .verdict')?.textContent ?? '')).catch(() => failures.push('what is out of reach is not said'));
  await quiet(page);
  await page.click('[aria-label=undo]');
  check('what was wrong is undone', await page.evaluate(q => window.torsorStudio.now.q.every((x, k) => Math.abs(x - q[k]) < 1e-12), reached));
  await quiet(page);

  // arms of other families, and of seven joints with a slider for the one that is held
  for (const name of full ? ['ur5', 'stanford', 'panda'] : []) {
    await show(page, name);
    await settle(page, () => document.querySelectorAll('.solution').length > 0);
    check(`${name} does not open near a singular position`, await page.evaluate(() => window.torsorStudio.state.least_singular_value > 0.05));
    if (name === 'stanford') check('units of a solution with a slide', /^−?[\d.]+°, −?[\d.]+°, −?[\d.]+ m, −?[\d.]+°, −?[\d.]+°, −?[\d.]+°$/.test(await page.textContent('.solution .joints-text')));
    if (name === 'panda') {
      // values of the redundancy without a solution are not coloured; there the robot stays where it is
      check('where its redundancy has solutions', await page.evaluate(() => [window.torsorStudio.feasible.length > 0, document.querySelectorAll('.reached i').length === window.torsorStudio.feasible.length]), [true, true]);
      const stays = await page.evaluate(() => [...window.torsorStudio.now.q]);
      await page.$eval('[aria-label=redundancy]', e => { e.value = e.max; e.dispatchEvent(new Event('input')); });
      await settle(page, () => /the robot stays where it is/.test(document.querySelector('.panel .verdict').textContent)).catch(() => failures.push('a gap of the redundancy is not said'));
      check('and it stays', await page.evaluate(() => window.torsorStudio.now.q), stays);
      await page.$eval('[aria-label=redundancy]', e => e.dispatchEvent(new Event('change')));
      await settle(page, () => document.querySelectorAll('.solution').length > 0);
      await quiet(page);
    }
    await pull(page, await arrow(page), [0, name === 'panda' ? 12 : -12]);
    if (name === 'panda') await page.$eval('[aria-label=redundancy]', e => { e.value = String(window.torsorStudio.now.q[window.torsorStudio.robot.inverse_kinematics.held_position] + 0.02); e.dispatchEvent(new Event('input')); });
    await page.waitForTimeout(200);
    await quiet(page);
    const [at, held_at] = await page.evaluate(() => { const a = window.torsorStudio, {position: p, quaternion: e} = a.scene.target, k = a.robot.inverse_kinematics.held_position; return [[p.x, p.y, p.z, e.w, e.x, e.y, e.z], k === undefined ? null : a.now.redundancy ?? a.now.q[k]]; });
    const told = command('ik', name, '--pose', at.join(','), '--all', ...(held_at === null ? [] : ['--redundancy', String(held_at)])), theirs = told.branches ?? told.solutions;
    await settle(page, n => document.querySelectorAll('.solution').length === n, theirs.length).catch(() => failures.push(`${name}: other solutions than the command's`));
    const mine = await page.$$eval('.solution', list => list.map(e => JSON.parse(e.dataset.q)));
    check(`${name}: solutions are those of the command`, mine.length > 0 && mine.every((q, k) => q.every((v, i) => Math.abs(v - (theirs[k]?.q[i] ?? 9)) < 1e-8)));
    check(`${name}: as many ghosts`, await page.evaluate(() => window.torsorStudio.solutions.ghosts.numbers.length / 7 / window.torsorStudio.robot.bodies.length), theirs.length);
  }
  if (full) await show(page, 'puma560');

  // ---- a joint taken hold of; undone -------------------------------------------------------------------------------------
  await tab(page, 'joints');
  const at = await page.evaluate(() => {
    const a = window.torsorStudio, m = a.figure.symbols.find(s => s.info.name === 'shoulder').mesh, V = a.scene.target.position.constructor, box = a.scene.renderer.domElement.getBoundingClientRect(), p = a.scene.project(m.getWorldPosition(new V()));
    return [p[0] + box.left, p[1] + box.top];
  });
  const held = await page.evaluate(() => window.torsorStudio.now.q[1]);
  await page.mouse.move(...at);
  await page.mouse.down();
  for (let k = 1; k <= 10; ++k) await page.mouse.move(at[0] + 6 * k, at[1] + 9 * k);
  await page.mouse.up();
  check('a joint can be dragged', Math.abs(await page.evaluate(() => window.torsorStudio.now.q[1]) - held) > 0.02);
  await page.keyboard.press('Control+z');
  check('and that be undone', Math.abs(await page.evaluate(() => window.torsorStudio.now.q[1]) - held) < 1e-12);
  await shot(page, 'joints');

  // ---- a slider, as fast as it goes ------------------------------------------------------------------------------------
  const slide = await page.evaluate(async () => {
    const a = window.torsorStudio, times = [], engineTimes = [];
    for (let k = 0; k < 60; ++k) {
      const start = performance.now();
      await new Promise(done => { a.on('state', () => done(0)); a.setJoint(0, 0.02 * k); });
      times.push(performance.now() - start);
      engineTimes.push(a.state.microseconds);
    }
    return {times, engineTimes};
  });

  // ---- equations: why is it zero -----------------------------------------------------------------------------------------
  await tab(page, 'equations');
  await page.click('[data-entry=G1]');
  await page.waitForSelector('.because');
  check('why G1 is zero', /Zero in every position: .+/.test(await page.textContent('.because')));
  await settle(page, () => ['D', 'C', 'G'].every(w => [...document.querySelectorAll(`[data-entry^=${w}]`)].every(e => !/e−1[5-9]/.test(e.textContent)))).catch(() => failures.push('rounding noise is shown'));
  await page.click('[data-entry=C66]');
  check('why C66 is zero', /Zero in every position and at all velocities: .+/.test(await page.textContent('.because')));
  await page.click('[data-entry=C21]');
  check('what C21 is made of', await page.$eval('.detail .formula annotation', e => /^C_\{21\} = .*c_\{11\}\^\{\(2\)\}\\,\\dot q_\{1\}/.test(e.textContent)));
  check('which is zero at rest', await page.$$eval('.because', l => l.map(e => e.textContent)), ['Zero at rest, as all of C.']);
  await page.click('[data-entry=D12]');
  await page.waitForSelector('.detail .formula .katex');
  check('a formula', (await page.textContent('.detail .symbol')).includes('='));
  await shot(page, 'equations');

  // ---- step by step: the numbers follow the robot -----------------------------------------------------------------------------
  await tab(page, 'formulations');
  for (const [name, symbol] of [['newton-euler-link', '\\omega_2'], ['lagrange-euler', 'D_{12}'], ['dalembert', 'D_{12}^{tran}'], ['kane', '\\tau_1']]) {
    await page.selectOption('[aria-label="which formulation"]', name);
    await page.waitForSelector(`.step[data-symbol="${symbol.replaceAll('\\', '\\\\')}"] .katex`);
    await settle(page, () => /: the torques of the joints,/.test(document.querySelector('.panel')?.textContent ?? '')).catch(() => failures.push(`${name} does not end in the torques`));
  }
  const last_step = () => page.$eval('.step[data-symbol="\\\\tau_2"] .step-value', e => e.textContent);
  const torque_before = await last_step();
  await page.evaluate(() => window.torsorStudio.setJoint(1, 0.2));
  await settle(page, t => document.querySelector('.step[data-symbol="\\\\tau_2"] .step-value')?.textContent !== t, torque_before).catch(() => failures.push('the steps do not follow the robot'));
  check('no digit of noise', await page.$$eval('.step-value', l => l.every(e => !/[1-9]\d*\.\d{6}|0\.0*[1-9]\d{6}/.test(e.textContent))));
  // a sum that was opened stays open, and its numbers follow, too
  await page.selectOption('[aria-label="which formulation"]', 'lagrange-euler');
  await page.waitForSelector('.step details');
  const sum = () => page.$$eval('.step details', l => [l.at(-1).open, l.at(-1).textContent]);
  await page.$$eval('.step details', l => { l.at(-1).open = true; });
  const opened = await sum();
  await page.evaluate(() => window.torsorStudio.setJoint(1, 0.35));
  await page.waitForFunction(t => [...document.querySelectorAll('.step details')].at(-1).textContent !== t, opened[1], {timeout: 8000}).catch(() => failures.push('an open sum does not follow the robot'));
  check('an open sum stays open', (await sum())[0]);
  await page.selectOption('[aria-label="which formulation"]', 'newton-euler-link');
  await page.waitForSelector('.step[data-symbol="n_1"]');
  await page.$eval('.panel', e => { e.scrollTop = e.querySelector('.step').offsetTop - 340; });
  await shot(page, 'steps');

  // ---- motion: played, scrubbed --------------------------------------------------------------------------------------------
  await tab(page, 'motion');
  await page.waitForSelector('.timeline:not([hidden]) canvas');
  await page.click('.play');
  await settle(page, () => window.torsorStudio.frame > 5);
  await page.click('.play');
  await page.$eval('.timeline input[type=range]', e => { e.value = '200'; e.dispatchEvent(new Event('input')); });
  check('scrubbed', await page.evaluate(() => window.torsorStudio.frame), 200);
  await shot(page, 'motion');
  // way points of one's own
  await page.selectOption('[aria-label="which motion"]', 'points');
  await page.click('text=Add this position');
  await page.evaluate(() => window.torsorStudio.setJoint(0, -0.5));
  await page.click('text=Add this position');
  await settle(page, () => window.torsorStudio.motion?.name === 'way points');
  const joints = await page.evaluate(() => Array.from(window.torsorStudio.motion.tool.numbers.slice(600, 603)));
  await page.selectOption('[aria-label="between the points"]', 'tool-lines');
  await settle(page, other => Math.abs(window.torsorStudio.motion.tool.numbers[601] - other[1]) > 1e-6, joints);
  check('the tool goes straight', await page.evaluate(() => {
    const p = window.torsorStudio.motion.tool.numbers, n = p.length / 3, at = k => [p[3 * k], p[3 * k + 1], p[3 * k + 2]], [a, b] = [at(0), at(n - 1)], d = b.map((x, i) => x - a[i]), length = Math.hypot(...d);
    let worst = 0;
    for (let k = 0; k < n; ++k) { const e = at(k).map((x, i) => x - a[i]), along = e.reduce((s, x, i) => s + x * d[i], 0) / length; worst = Math.max(worst, Math.sqrt(Math.max(0, Math.hypot(...e) ** 2 - along ** 2))); }
    return length > 0.1 && worst < 1e-6;
  }));
  // three points make an arc; one of them is dragged in the picture
  await page.evaluate(() => window.torsorStudio.setJoint(1, 0.7));
  await quiet(page);
  await page.click('text=Add this position');
  await page.selectOption('[aria-label="between the points"]', 'tool-arc');
  await settle(page, () => { const m = window.torsorStudio.motion, p = window.torsorStudio.now.points[2].position, n = m.tool.numbers.length; return Math.hypot(...p.map((x, i) => x - m.tool.numbers[n - 3 + i])) < 1e-6; });
  await page.click('.point .link >> nth=2');
  await quiet(page);
  const point = await page.evaluate(() => { window.motion_before = window.torsorStudio.motion; return [...window.torsorStudio.now.points[2].position]; });
  await pull(page, await arrow(page), [0, -14]);
  await settle(page, p => { const q = window.torsorStudio.now.points[2].position; return Math.hypot(...q.map((x, i) => x - p[i])) > 0.005 && window.torsorStudio.motion !== window.motion_before; }, point).catch(async () => failures.push('a way point cannot be dragged: ' + await page.evaluate(() => JSON.stringify([window.torsorStudio.now.points[2], window.torsorStudio.motion === window.motion_before, window.torsorStudio.scene.handle.object?.position, document.querySelector('.message').textContent]))));
  await shot(page, 'points');
  await page.selectOption('[aria-label="colour of the path"]', 'manipulability');
  await page.click('.point >> nth=2 >> text=×');
  await page.selectOption('[aria-label="between the points"]', 'stops');
  // rows of a file: what the timeline writes is read again
  const exported = await page.evaluate(() => { const m = window.torsorStudio.motion, n = 6; return ['t,' + Array.from({length: n}, (_, i) => `q${i + 1}`), ...Array.from(m.t.numbers, (t, k) => [t, ...m.q.numbers.slice(k * n, k * n + n)].join())].join('\n') + '\n'; });
  await page.selectOption('[aria-label="which motion"]', 'table');
  await page.setInputFiles('[aria-label="CSV of a motion"]', {name: 'mine.csv', mimeType: 'text/csv', buffer: Buffer.from(exported)});
  await settle(page, () => window.torsorStudio.motion?.name === 'mine.csv');
  check('rates of a table are derived, and that is said', /smoothing spline/.test(await page.textContent('.panel .notes')));
  check('where the rows were', await page.evaluate(() => Math.abs(window.torsorStudio.motion.q.numbers[0] + window.torsorStudio.now.points[0].q[0] * -1) < 1e-4));
  await page.setInputFiles('[aria-label="CSV of a motion"]', {name: 'broken.csv', mimeType: 'text/csv', buffer: Buffer.from('t,q1\n0,x\n')});
  await page.waitForSelector('.message:not([hidden])');
  await page.selectOption('[aria-label="which motion"]', 'points');
  await settle(page, () => window.torsorStudio.motion?.name === 'way points');
  await tab(page, 'sizing');
  const cloud = await page.$eval('.torque-speed', e => ({dots: e.querySelectorAll('circle').length, most: e.dataset.most.split(' ').map(Number)}));
  check('every instant is a dot of torque over speed', [cloud.dots, Math.abs(cloud.most[1] - await page.evaluate(() => Math.max(...Array.from(window.torsorStudio.motion.tau.numbers).filter((_, k) => k % 6 === 0).map(Math.abs)))) < 1e-9], [401, true]);
  check('a limit is labelled with the limit', await page.$$eval('.torque-speed text', l => l.map(e => e.textContent).filter(t => t.startsWith('limit 97.6')).length), 1);
  await page.click('text=Size the drives');
  await page.waitForSelector('.margin-bar');
  await page.setInputFiles('[aria-label="drive file"]', {name: 'motors.toml', mimeType: 'text/plain', buffer: Buffer.from(readFileSync(resolve(top, 'examples/data/servo.toml'), 'utf8').replace(/(joint = "waist")/, '$1\ngear = 62.6'))});
  await page.waitForSelector('.torque-speed[aria-label^="torque over speed of the motor"]');
  check('inside the curve of its motor', await page.$$eval('.torque-speed .limit', l => l.length), 1);
  await page.evaluate(() => { document.querySelector('.message').hidden = true; });
  await page.setInputFiles('[aria-label="drive file"]', {name: 'broken.toml', mimeType: 'text/plain', buffer: Buffer.from('format = 1\nmotor = 3\n')});
  await page.waitForSelector('.message:not([hidden])');
  await settle(page, () => document.querySelector('.torque-speed[aria-label^="torque over speed of the motor"]') !== null).catch(() => failures.push('a drive file that is refused takes the place of the one that counts'));
  check('a drive file that is refused is not kept', await page.evaluate(() => [window.torsorStudio.driveSheet.name, window.torsorStudio.store.drives().name]), ['motors.toml', 'motors.toml']);
  await shot(page, 'sizing');

  // ---- simulation ----------------------------------------------------------------------------------------------------------
  await tab(page, 'simulation');
  await page.selectOption('[aria-label="who drives it"]', 'none');
  const high = await page.evaluate(() => window.torsorStudio.state.potential_energy);
  await page.click('.panel button.primary');
  await settle(page, () => /^[\d.]+ s$/.test(document.querySelector('.panel .verdict')?.textContent ?? '') && parseFloat(document.querySelector('.panel .verdict').textContent) > 0.4);
  await shot(page, 'simulation');
  await page.click('.panel button.primary');
  await settle(page, p => !window.torsorStudio.running && window.torsorStudio.state.potential_energy < p - 1, high);

  // ---- reach -----------------------------------------------------------------------------------------------------------------
  await tab(page, 'workspace');
  await page.waitForSelector('.panel .facts dd');
  await shot(page, 'reach');
  const dots = () => page.evaluate(() => { let found = null; window.torsorStudio.scene.scene.traverse(o => { if (o.isPoints) found = o; }); return found ? Array.from(found.geometry.attributes.position.array) : []; });
  check('the cloud', (await dots()).length, 18000);
  await page.selectOption('[aria-label="all or a slice"]', '2');
  await page.waitForSelector('[aria-label="place of the slice"]:visible');
  await settle(page, () => { let n = 0; window.torsorStudio.scene.scene.traverse(o => { if (o.isPoints) n = o.geometry.attributes.position.count; }); return n > 0 && n < 6000; });
  const slice = (await dots()).filter((_, k) => k % 3 === 2);
  check('a slice is thin', Math.max(...slice) - Math.min(...slice) < 0.1 && slice.length > 100);
  await page.selectOption('[aria-label="colour of the cloud"]', 'payload');
  check('what it can hold', /it holds everywhere/.test(await page.textContent('.panel .facts')));
  // millimetres, and back
  await page.keyboard.press('m');
  await settle(page, () => / mm$/.test(document.querySelector('.panel .facts dd')?.textContent ?? ''));
  await page.keyboard.press('m');

  // ---- formulations, and long work that is cancelled --------------------------------------------------------------------------
  await tab(page, 'formulations');
  if (full) await page.click('text=The tables of the papers'), await page.waitForSelector('.wide-table');
  await page.click('text=Do all formulations agree?');
  await page.waitForSelector('.answer .verdict');
  check('they agree', /All \d+ agree: .* is [1-9].*e−1[3-6]\.$/.test(await page.textContent('.answer .verdict')));
  await shot(page, 'methods');
  check('long work is cancelled', await page.evaluate(async () => {
    const a = window.torsorStudio, job = a.engine.job(a.thing.id, 'page');
    await new Promise(done => setTimeout(done, 60));
    job.cancel();
    return job.result.then(() => 'done', e => e.faults[0].rule);
  }), 'job-cancelled');

  // ---- mechanisms ------------------------------------------------------------------------------------------------------------
  await show(page, 'four_bar');
  await tab(page, 'mechanism');
  const crank = await page.$eval('.joint input[type=range]', e => { e.dispatchEvent(new Event('pointerdown')); e.value = String(Number(e.value) + 0.7); e.dispatchEvent(new Event('input')); return Number(e.value); });
  await settle(page, v => Math.abs((window.torsorStudio.drive?.values[0] ?? 1e9) - v) < 1e-9, crank);
  await page.keyboard.press('Control+z');
  await settle(page, v => Math.abs((window.torsorStudio.drive?.values[0] ?? 1e9) - v) > 0.1, crank);
  check('then its clock says who holds it', await page.textContent('.clock'), 'held by its drivers');
  await page.click('text=reactions of the joints');
  await page.click('.play');
  await settle(page, () => window.torsorStudio.frame > 5);
  await page.click('.play');
  check('its driver is where the motion is', await page.evaluate(() => {
    const a = window.torsorStudio, prescribed = a.run.drivers.numbers[a.frame];
    return [a.now.drivers[0] === prescribed, Math.abs(Number(document.querySelector('.joint input[type=range]').value) - prescribed) < 1e-9, / s of /.test(document.querySelector('.clock').textContent)];
  }), [true, true, true]);
  await shot(page, 'mechanism');
  for (const question of ['driven_page', 'released_page'])
    check(`${question} of a four-bar`, /<!doctype html>[\s\S]*<\/html>/i.test(await page.evaluate(q => { const a = window.torsorStudio; return a.engine.job(a.thing.id, q).result; }, question)));
  await page.click('text=Small motions about the place of rest');
  await page.waitForSelector('.modes .verdict');
  check('its motor holds it', /Nothing is free to move/.test(await page.textContent('.modes .verdict')));
  await show(page, 'double_four_bar');
  await tab(page, 'mechanism');
  await page.click('text=Small motions about the place of rest');
  await page.waitForSelector('.mode');
  const swings = command('mechanism', 'modes', 'double_four_bar').modes;
  check('modes are those of the command', await page.$$eval('.mode', l => l.map(e => Number(e.dataset.frequency))), swings.map(m => m.frequency));
  const posture = () => page.evaluate(() => window.torsorStudio.figure.parts.flatMap(p => p.position.toArray()));
  await page.click('.mode');
  const began = await posture();
  await settle(page, from => window.torsorStudio.figure.parts.flatMap(p => p.position.toArray()).some((x, k) => Math.abs(x - from[k]) > 1e-3), began).catch(() => failures.push('a mode does not move'));
  await shot(page, 'modes');
  await page.keyboard.press('d');
  const dusk = await posture();
  await settle(page, from => window.torsorStudio.figure.parts.flatMap(p => p.position.toArray()).some((x, k) => Math.abs(x - from[k]) > 1e-3), dusk).catch(() => failures.push('a mode stops when the light changes'));
  await page.keyboard.press('d');

  // a link restores where its drivers stood
  if (full) {
    await show(page, 'four_bar');
    await page.$eval('.joint input[type=range]', e => { e.value = String(Number(e.value) + 0.5); e.dispatchEvent(new Event('input')); });
    await settle(page, () => window.torsorStudio.drive !== null);
    const stood = await page.evaluate(() => { window.torsorStudio.store.flush(); return window.torsorStudio.drive.values; });
    const restored = await open(page.url());
    await settle(restored, v => Math.abs((window.torsorStudio.drive?.values[0] ?? 1e9) - v) < 1e-9, stood[0]).catch(() => failures.push('a link does not restore the drivers'));
    await restored.context().close();
  }

  // a robot with loops: its independent joints are drivers
  await show(page, 'five_bar');
  const handle = await page.$eval('.joint input[type=range]', e => { e.dispatchEvent(new Event('pointerdown')); e.value = String(Number(e.value) + 0.2); e.dispatchEvent(new Event('input')); return Number(e.value); });
  await settle(page, v => Math.abs((window.torsorStudio.drive?.values[0] ?? 1e9) - v) < 1e-9 && window.torsorStudio.drive.ended === '', handle);
  await shot(page, 'loops');

  // ---- every built-in thing ----------------------------------------------------------------------------------------------------
  const names = await page.evaluate(() => [...window.torsorStudio.catalogue.robots, ...window.torsorStudio.catalogue.mechanisms].map(r => r.name));
  check('built-in things', names.length > 30);
  for (const name of full ? names : []) {
    await show(page, name);
    check(`${name} is open`, await page.evaluate(() => window.torsorStudio.now.subject.name), name);
    check(`${name} stands inside its limits`, await page.evaluate(() => { const {robot, now} = window.torsorStudio; return (robot?.velocities ?? []).filter(v => v.position >= 0 && (now.q[v.position] < (v.lower ?? -1e9) - 1e-9 || now.q[v.position] > (v.upper ?? 1e9) + 1e-9)).length; }), 0);
    await drawn(page);
    check(`${name}: no label covers another`, await page.$$eval('.label:not([hidden])', l => { const boxes = l.map(e => e.getBoundingClientRect()); return boxes.filter((a, i) => boxes.some((b, k) => k < i && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)).length; }), 0);
    // as it stands no end of a link is out of the picture
    check(`${name} is in the picture`, await page.evaluate(() => {
      const a = window.torsorStudio, {clientWidth: w, clientHeight: h} = a.scene.holder;
      return a.figure.ends().map(p => a.scene.project(p)).filter(p => !p || p[0] < 0 || p[0] > w || p[1] < 0 || p[1] > h).length;
    }), 0);
  }

  // ---- a broken file, with its lines --------------------------------------------------------------------------------------------
  await page.keyboard.press('o');
  check('the key that opens is not searched for', await page.inputValue('.chooser [type=search]'), '');
  await page.setInputFiles('.chooser input[type=file]', {name: 'arm.toml', mimeType: 'text/plain', buffer: Buffer.from('format = 1\nname = "arm"\n\n[[link]]\nname = "one"\njoint = "revolut"\nmas = 3\n')});
  await page.waitForSelector('.broken:not([hidden]) .finding.error');
  check('the same file can be chosen again', await page.$eval('.chooser input[type=file]', e => e.value), '');
  check('the line of a fault', /line \d/.test(await page.textContent('.broken .finding')));
  check('and it is marked', await page.$$eval('.broken .marked', l => l.length > 0));
  await shot(page, 'broken');
  await page.click('text=apply all 2 fixes');
  check('what was meant is put in', /joint = "revolute"\nmass = 3/.test(await page.inputValue('[aria-label="text of the file"]')));
  await page.click('text=Open with these changes');
  await settle(page, () => document.querySelector('.broken').hidden && window.torsorStudio.thing?.title === 'arm');
  await show(page, 'puma560');

  if (full) {
    await tab(page, 'file');
    await shot(page, 'file');
  }

  // ---- dark, radians, a link that restores all --------------------------------------------------------------------------------------
  await show(page, 'ur5');
  await page.evaluate(() => { const a = window.torsorStudio; a.now.q = [0.3, -1.1, 1.4, -0.6, 0.8, 0.2]; a.move(); });
  await tab(page, 'tool');
  await settle(page, () => document.querySelectorAll('.solution').length === 8);
  await page.keyboard.press('u');
  await page.keyboard.press('d');
  check('dark', await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await settle(page, () => document.querySelectorAll('.solution').length === 8);
  await shot(page, 'dark');
  await page.evaluate(() => window.torsorStudio.store.flush());
  const other = await open(page.url());
  check('the link restores the robot', await other.textContent('.subject'), 'UR5');
  check('and its position', await other.evaluate(() => window.torsorStudio.now.q), [0.3, -1.1, 1.4, -0.6, 0.8, 0.2]);
  check('panel, unit, colours', await other.evaluate(() => [window.torsorStudio.now.tab, window.torsorStudio.now.degrees, document.documentElement.dataset.theme]), ['tool', false, 'dark']);

  // a tab that was closed: another one goes on from there
  const later = await page.context().newPage();
  watch(later);
  await later.goto(address);
  await later.waitForSelector('html[data-ready=yes]');
  check('a closed tab loses nothing', await later.evaluate(() => [window.torsorStudio.thing.title, window.torsorStudio.now.q, window.torsorStudio.now.tab]), ['UR5', [0.3, -1.1, 1.4, -0.6, 0.8, 0.2], 'tool']);
  await later.close();

  // ---- a finger on a small screen ------------------------------------------------------------------------------------------------------
  const phone = await open(address, {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true});
  const cdp = await phone.context().newCDPSession(phone), touch = (type, points) => cdp.send('Input.dispatchTouchEvent', {type, touchPoints: points.map(([x, y]) => ({x, y}))});
  const finger = await phone.evaluate(() => {
    const a = window.torsorStudio, m = a.figure.symbols.find(s => s.info.name === 'shoulder').mesh, V = a.scene.target.position.constructor, box = a.scene.renderer.domElement.getBoundingClientRect(), p = a.scene.project(m.getWorldPosition(new V()));
    return [p[0] + box.left, p[1] + box.top];
  });
  const touched = await phone.evaluate(() => window.torsorStudio.now.q[1]);
  await touch('touchStart', [finger]);
  for (let k = 1; k <= 8; ++k) await touch('touchMove', [[finger[0] + 4 * k, finger[1] + 6 * k]]);
  await touch('touchEnd', []);
  await settle(phone, q => Math.abs(window.torsorStudio.now.q[1] - q) > 0.02, touched).catch(() => failures.push('a finger cannot move a joint'));
  check('no button lies outside of a small screen', await phone.$$eval('header button, .tabs button', l => l.every(e => { const b = e.getBoundingClientRect(); return b.left >= 0 && b.right <= innerWidth; })));
  check('its buttons stand in one row', await phone.$eval('header', e => e.clientHeight < 48));
  await shot(phone, 'phone');
  await phone.click('[data-tab=motion]');
  await phone.waitForSelector('.timeline:not([hidden]) canvas');
  check('curves have the width of the screen', await phone.$eval('.chart', e => e.clientWidth > 340));
  check('no control of time lies outside of it', await phone.$$eval('.timeline button, .timeline select, .timeline input', l => l.every(e => { const b = e.getBoundingClientRect(); return b.left >= 0 && b.right <= innerWidth; })));
  await shot(phone, 'phone-motion');
  await fits({page: phone, check, tab, drawn});
  await phone.context().close();

  await restored({browser, watch, check, failures, address, settle, quiet, drawn, tab, type, show, with_file});

  // ---- the address of a Studio that was ended --------------------------------------------------------------------------------------------
  if (!without_server) {
    const old = await browser.newPage();
    await old.goto(address.replace(/[0-9a-f]{32}/, '0'.repeat(32)));
    check('an old address says where to go on', /Open the one that torsor studio printed/.test(await old.textContent('body')));
    await old.close();
  }

  check('nothing is said to the console', said, []);
  check('nothing is asked of anyone else', asked, []);

  // the numbers that turn grey
  await show(page, 'puma560');
  await tab(page, 'joints');
  await quiet(page);

  // ---- the engine is lost: nothing that was entered is ---------------------------------------------------------------------------------
  if (without_server) {
    await page.evaluate(() => window.torsorStudio.engine.lose());
  } else {
    studio.kill();
    await new Promise(done => studio.once('exit', done));
  }
  await page.evaluate(() => window.torsorStudio.setJoint(0, 1));
  await page.waitForSelector('.lost:not([hidden])');
  if (!without_server) {  // which begins anew by itself
    await lost({page, check, tab, type});
    await page.evaluate(() => window.torsorStudio.setJoint(0, 1));
  }
  const [banner, place] = [await page.locator('.lost').boundingBox(), await page.locator('.tabs').boundingBox()];
  check('the banner stands above the tabs', banner.y + banner.height <= place.y);
  if (!without_server) check('it says where to go on', /open the address that it prints/.test(await page.textContent('.lost')));
  check('the position is kept', await page.evaluate(() => window.torsorStudio.now.q[0]), 1);
  if (without_server) {
    await page.click('.lost >> text=Try again');
    await settle(page, () => window.torsorStudio.state !== null && document.querySelector('.lost').hidden);
    check('and it goes on from there', await page.evaluate(() => window.torsorStudio.now.q[0]), 1);
  }

  console.log(`first picture ${first.toFixed(0)} ms after the page was asked for`);
  const cost = dragged / Math.max(1, frames);
  console.log(`dragging the tool: a frame takes ${cost.toFixed(1)} ms of the page's thread (all of it: events, answers, labels, drawing calls) and ${middle(drag.engineTimes).toFixed(0)} us of the library; from frame to frame ${middle(drag.gaps).toFixed(1)} ms (median; the display gives one in 16.7), ${frames} frames`);
  check('frames were drawn', frames > 2);
  console.log(`a joint: median ${middle(slide.times).toFixed(1)} ms from the slider to the state, library ${middle(slide.engineTimes).toFixed(0)} us`);
  check('the library takes less than 2 ms of a frame', middle(drag.engineTimes) < 2000 && middle(slide.engineTimes) < 2000);
} catch (e) {
  failures.push(String(e.stack ?? e), ...said);
} finally {
  await browser.close();
  for (const each of studios) each.kill();
  files?.close();
}
console.log(failures.join('\n') || 'the page does what a person asks of it');
process.exit(failures.length ? 1 : 0);

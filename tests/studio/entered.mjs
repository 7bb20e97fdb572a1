// What a person types, drops and clicks in the Studio, and what becomes of it: what is refused goes back and is told where it was typed;
// no number stands beside another state's.

/** Every kind of field: on a page that shows some robot. */
export const entered = async ({page, check, failures, show, tab, settle, quiet, drawn, type, command, shown}) => {
  const now = f => page.evaluate(f);
  const payload = 'payload mass (kg)';
  const torques = () => page.$$eval('[data-torque]', list => list.map(e => e.textContent));
  const of_state = () => now(() => [window.torsorStudio.now.payload[0], window.torsorStudio.now.wrench[0], window.torsorStudio.now.qd[0], window.torsorStudio.now.q[0]]);

  // what the engine refuses
  await show(page, 'puma560_drives');
  await tab(page, 'torques');
  check('2.5 kg', await type(page, payload, '2.5'), ['', '2.5']);
  check('a decimal comma is read', await type(page, 'wrench fx (N)', '1,5'), ['', '1.5']);
  check('and is what counts', await of_state(), [2.5, 1.5, 0, 0]);
  const before = await torques();
  const refused = async (what, label, text, why, value) => {
    const [said, stands] = await type(page, label, text);
    if (!why.test(said)) failures.push(`${what}: nothing like ${why} is said at the field, but "${said}"`);
    check(`${what}: the field goes back`, stands, value);
    check(`${what}: and so does the state`, await of_state(), [2.5, 1.5, 0, 0]);
  };
  await refused('a payload that cannot be', payload, '1e13', /1e\+13 kg.*It stays 2\.5\./, '2.5');
  await page.waitForTimeout(6500);
  check('the reason stays for as long as nothing else is typed', /1e\+13 kg/.test(await page.textContent('.refusal')));
  check('its torques are those of what stands', await torques(), before);
  await refused('no number', payload, '1.234,5', /a number is needed/, '2.5');
  await refused('a word', payload, 'two', /a number is needed/, '2.5');
  await refused('a force beyond all', 'wrench fx (N)', '1e13', /beyond 1e9 N.*It stays 1\.5\./, '1.5');
  await refused('an infinite one', 'wrench fx (N)', '1e999', /too large/, '1.5');
  check('what is right is taken, and nothing is said any more', await type(page, payload, '2,25'), ['', '2.25']);
  await type(page, payload, '2.5');
  await tab(page, 'joints');
  await refused('a billion degrees', 'waist as a number', '1e9', /beyond 100000.*It stays 0\./, '0');
  await page.selectOption('[aria-label="what the sliders set"]', '1');
  await refused('a velocity without digits', 'waist as a number', '1e200', /velocity.*It stays 0\./, '0');
  check('a velocity with a comma', [...await type(page, 'waist as a number', '57,29577951308232'), Math.abs(await now(() => window.torsorStudio.now.qd[0]) - 1) < 1e-12], ['', '57.2958', true]);
  check('and down again by a key', (await page.press('[aria-label="waist as a number"]', 'ArrowDown'), await quiet(page), await drawn(page), await page.inputValue('[aria-label="waist as a number"]')), '56.2958');
  await type(page, 'waist as a number', '0');
  // what is no field, as a link or a drag
  await now(() => { const a = window.torsorStudio; a.now.q[0] = 1e9; a.move(); });
  await settle(page, () => window.torsorStudio.now.q[0] === 0).catch(() => failures.push('a state that is refused stays'));
  check('and the reason is told', /beyond 100000/.test(await page.textContent('.message:not([hidden])')));
  // what an assembly leaves of a zero
  await page.selectOption('[aria-label="what the sliders set"]', '0');
  await now(() => { const a = window.torsorStudio; a.now.q[1] = 1e-17; a.move(); a.emit('settings'); });
  check('noise reads 0', await page.inputValue('[aria-label="shoulder as a number"]'), '0');

  // beyond a limit, in words; and back
  const limits = () => page.$$eval('.joint .limit', list => list.map(e => e.textContent).filter(Boolean));
  await type(page, 'waist as a number', '200');
  check('a joint beyond its limit says which', await limits(), ['beyond its limit, 160 °']);
  await type(page, 'waist as a number', '0');
  check('inside nothing is said', await limits(), []);
  // cells of a matrix are as wide as their numbers
  await tab(page, 'equations');
  check('no number of a matrix is cut', await page.$$eval('.heat .cell', list => list.filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent)), []);

  await tab(page, 'simulation');
  check('a friction beyond all', await type(page, 'friction factor', '1e30'), ['friction factor: it is not a factor from 0 to 100. It stays 1.', '1']);
  check('kp with a comma', await type(page, 'kp', '150,5'), ['', '150.5']);
  check('a gain that cannot be', (await type(page, 'kp', '-1'))[1], '150.5');
  check('a push without bounds', (await type(page, 'push in N', '1e9'))[1], '50');

  // a click is a push of the length that is stated, however long a frame takes
  await type(page, 'length of the push in s', '0,25');
  check('its impulse is stated', await page.textContent('.row:has(.push) .hint'), 'a click gives 12.5 N s');
  await now(() => {
    const {engine} = window.torsorStudio, call = engine.call.bind(engine);
    window.impulse = 0;
    window.pushes = 0;
    engine.call = async (name, fields) => { const a = await call(name, fields); if (name === 'go_on') { window.impulse += fields.seconds * fields.push[0]; window.pushes += fields.push[0] > 0; } return a; };
    window.give_back = () => { engine.call = call; };
  });
  await page.selectOption('[aria-label="who drives it"]', 'pd-gravity');
  await page.click('button.push');
  await settle(page, () => window.pushes > 0 && parseFloat(document.querySelector('.panel .verdict').textContent) > 0.4);
  check('a click gives it, all of it', Math.abs(await now(() => window.impulse) - 12.5) < 1e-9);
  check('which does work', /[1-9]/.test(await now(() => [...document.querySelectorAll('.facts dt')].find(e => e.textContent === 'work of pushes').nextSibling.textContent)));
  await page.click('.panel button.primary');
  await settle(page, () => !window.torsorStudio.running);
  await now(() => window.give_back());

  // ---- the tool: one measure beside every solution, signs with names; poses that are typed -------------------------------------
  await show(page, 'puma560');
  await tab(page, 'motion');
  check('without velocity limits nothing is as fast as they allow', await page.$$eval('.no-limits', list => list.length), 1);
  await tab(page, 'tool');
  await settle(page, () => document.querySelectorAll('.solution').length === 8);
  check('the measure has a name and lengths a unit', /least singular value.*lengths in units of 1\.69 m/.test(await page.textContent('.measure')));
  check('signs are named', await page.$$eval('.solution b', l => l.every(e => /^shoulder [+−], elbow [+−], wrist [+−]$/.test(e.textContent))));
  await settle(page, () => document.querySelector('.solution.here') !== null);
  check('beside the solution where it stands is what Joints says of it', await now(() => Math.abs(Number(document.querySelector('.solution.here .margin').dataset.least) - window.torsorStudio.state.least_singular_value) < 1e-12));
  const [far, z] = await type(page, 'tool z in m', '9,5');
  check('out of reach: the field is where the tool is, with the reason', [/[\d.]+ m short/.test(far), Math.abs(Number(z) - await now(() => window.torsorStudio.state.tool.position[2])) < 1e-5], [true, true]);
  await page.click('[aria-label=undo]');
  await quiet(page);

  // the gripper of so101 moves nothing of its tool
  await show(page, 'so101');
  await tab(page, 'joints');
  await settle(page, () => /least singular value/.test(document.querySelector('.panel .facts').textContent));
  check('a gripper is no direction lost', await now(() => [window.torsorStudio.state.least_singular_value > 0.05, /near-singular/.test(document.querySelector('.panel .facts').textContent)]), [true, false]);

  // ---- a base that is free -----------------------------------------------------------------------------------------------------
  await show(page, 'go2');
  await tab(page, 'torques');
  check('what a free base would need is said', [/hang from it/.test(await page.textContent('.free-base')), await page.$$eval('.free-base + .torques [data-torque]', l => l.length)], [true, 6]);
  const weight = await now(() => window.torsorStudio.state.mass * 9.81);
  check('and is the weight of the robot', Math.abs(shown(await page.textContent('[data-torque="root.vz"]')) - weight) < 1e-3 * weight);
  await tab(page, 'joints');
  await settle(page, () => /carried by a moment/.test(document.querySelector('.panel .facts').textContent)).catch(() => failures.push('Joints does not say what carries a free base'));
  await tab(page, 'workspace');
  await page.waitForSelector('.panel .facts dd');
  check('its reach says so, too', /held where it is/.test(await page.textContent('.free-base')));
  await tab(page, 'tool');
  await page.selectOption('[aria-label="which tool"]', 'FL_foot');
  await settle(page, () => window.torsorStudio.robot?.tool === 'FL_foot' && document.querySelectorAll('.solution').length > 0).catch(() => failures.push('no other foot can be the tool'));
  const [front, base] = await now(() => [window.torsorStudio.state.tool.position, window.torsorStudio.now.q.slice(0, 7)]);
  check('the left front foot', front[0] > 0 && front[1] > 0);
  const [, moved] = await type(page, 'tool z in m', String(front[2] + 0.02).replace('.', ','));
  check('it is moved, and the base stays', [Math.abs(Number(moved) - front[2] - 0.02) < 1e-5, await now(() => window.torsorStudio.now.q.slice(0, 7))], [true, base]);
  check('no name of a quaternion without a unit', await page.$$eval('.joints-text', l => l.every(e => !/ ,|, ,| $/.test(e.textContent) && e.textContent.split(' ').length > 3)));
  await page.reload();
  await page.waitForSelector('html[data-ready=yes]');
  check('a page that is loaded again has that foot', await now(() => window.torsorStudio.robot.tool), 'FL_foot');

  // ---- a motion without way points is sized as it is ------------------------------------------------------------------------------
  await show(page, 'puma560_drives');
  await tab(page, 'sizing');
  await page.waitForSelector('.torque-speed');
  await page.click('text=Size the drives');
  await page.waitForSelector('.margin-bar').catch(async () => failures.push('a built-in motion cannot be sized: ' + await page.textContent('.answer')));
  const peak = await page.$eval('.answer table tbody tr:nth-child(2) td:nth-child(2)', e => e.textContent), largest = await now(() => Math.max(...Array.from(window.torsorStudio.motion.tau.numbers).filter((_, k) => k % 6 === 1).map(Math.abs)));
  check('its peak is that of its curves', Math.abs(parseFloat(peak) - largest) < 0.01 * largest);

  // ---- loaded again at once -----------------------------------------------------------------------------------------------------
  await show(page, 'puma560');
  await tab(page, 'joints');
  await type(page, 'waist as a number', '5');
  await page.fill('[aria-label="waist as a number"]', '12,5');
  await page.press('[aria-label="waist as a number"]', 'Enter');
  await page.reload();
  await page.waitForSelector('html[data-ready=yes]');
  check('loaded again at once it has what was typed last', Math.abs(await now(() => window.torsorStudio.now.q[0]) * 180 / Math.PI - 12.5) < 1e-9);

  // ---- a drop that has files and no entries -----------------------------------------------------------------------------------------
  await now(() => {
    const data = new DataTransfer();
    data.items.add(new File(['format = 1\nname = "dropped arm"\n\n[[link]]\nname = "one"\njoint = "revolute"\nmass = 3\n'], 'arm.toml', {type: 'text/plain'}));
    const items = [...data.items].map(i => ({kind: 'file', webkitGetAsEntry: () => null, getAsFile: () => i.getAsFile()}));
    const e = new DragEvent('drop', {bubbles: true, cancelable: true});
    Object.defineProperty(e, 'dataTransfer', {value: {items, files: data.files}});
    document.body.dispatchEvent(e);
  });
  await settle(page, () => window.torsorStudio.thing?.title === 'dropped arm').catch(() => failures.push('a file without an entry cannot be dropped'));

  // ---- robots with loops: drivers typed, the tool dragged, every way of the legs ----------------------------------------------------
  await show(page, 'delta');
  await tab(page, 'mechanism');
  await settle(page, () => window.torsorStudio.run !== null);
  check('a driver is typed', await type(page, 'motor1 as a number', '100'), ['', '100']);
  check('and beyond its limit it says which', await limits(), ['beyond its limit, 80 °']);
  check('a driver is typed', await type(page, 'motor1 as a number', '22,5'), ['', '22.5']);
  await settle(page, () => Math.abs((window.torsorStudio.drive?.values[0] ?? 9) * 180 / Math.PI - 22.5) < 1e-9).catch(() => failures.push('a typed driver does not move'));
  const [end, stands] = await type(page, 'motor1 as a number', '1e4');
  check('one that it cannot have goes back to where it ends', [/goes no further/.test(end), Math.abs(Number(stands)) < 360], [true, true]);
  check('beyond all it is refused', /beyond 1e5/.test((await type(page, 'motor1 as a number', '1e30'))[0]));
  await tab(page, 'platform');
  await settle(page, () => document.querySelectorAll('.solution').length === 8);
  const pose = () => now(() => { const {position: p, quaternion: e} = window.torsorStudio.scene.target; return [p.x, p.y, p.z, e.w, e.x, e.y, e.z]; });
  const compared = async what => {
    const theirs = command('ik', 'delta', '--pose', (await pose()).join(','), '--all').solutions, mine = await page.$$eval('.solution', l => l.map(e => JSON.parse(e.dataset.joints)));
    check(what, mine.length === theirs.length && mine.every((q, k) => q.every((x, i) => Math.abs(x - theirs[k].joints[i]) < 1e-9)));
  };
  await compared('ways of the legs are those of the command');
  const height = (await pose())[2];
  check('its tool is typed', [Math.abs(Number((await type(page, 'tool z in m', String(height - 0.03)))[1]) - height + 0.03) < 1e-5, Math.abs(await now(() => window.torsorStudio.drive.tool_pose.position[2]) - height + 0.03) < 1e-9], [true, true]);
  await compared('and so are those there');
  const was = await now(() => window.torsorStudio.drive.tool_pose.position[2]);
  const [out, still] = await type(page, 'tool z in m', '-9');
  check('what no leg reaches is said, and it stays', [/does not reach|out of reach/.test(out), Math.abs(Number(still) - was) < 1e-5], [true, true]);
  await settle(page, () => document.querySelectorAll('.solution').length === 8).catch(() => undefined);
  await type(page, 'tool z in m', String(was));
  await settle(page, () => document.querySelectorAll('.solution').length === 8);
  await page.click('.solution >> nth=1');
  await settle(page, () => { const q = window.torsorStudio.drive.values, other = JSON.parse(document.querySelectorAll('.solution')[1].dataset.joints); return q.some((x, k) => Math.abs(x - window.torsorStudio.mechanism.drivers[k].value) > 0.5) && other.length > 0; }).catch(() => failures.push('another way of the legs cannot be taken'));
  await page.click('.solution >> nth=0');
  await settle(page, () => document.querySelector('.solution.here') !== null);
  await page.click('text=All assemblies at these drivers');
  await settle(page, () => /ways to put the loops together/.test(document.querySelector('.panel .verdict').textContent));
  const values = await now(() => window.torsorStudio.drive.values);
  check('assemblies are those of the command', await page.$$eval('.solution', l => l.length), command('fk', 'delta', '--q', values.join(','), '--modes').modes.length);
  await show(page, 'pendulum');
  await tab(page, 'mechanism');
  check('without drivers none are held', !/Drivers are held/.test(await page.textContent('.panel')));

  // ---- equations: any entry of many, and what is true of a zero ---------------------------------------------------------------------
  await show(page, 'g1');
  await tab(page, 'equations');
  check('a matrix of many rows', await page.$$eval('[data-entry^="D"]', l => l.length), 35 * 35);
  await page.selectOption('[aria-label="which row"]', '34');
  await page.selectOption('[aria-label="which column"]', '33');
  await settle(page, () => document.querySelector('.cell.chosen')?.dataset.entry === 'D35,34').catch(() => failures.push('an entry of many cannot be chosen'));
  check('the chosen one is in sight', await page.$eval('.cell.chosen', e => { const b = e.getBoundingClientRect(), w = e.closest('.heat-window').getBoundingClientRect(); return b.left >= w.left - 1 && b.right <= w.right + 1 && b.top >= w.top - 1 && b.bottom <= w.bottom + 1; }));
  check('with its value', await now(() => { const a = window.torsorStudio.state.M; return [a.length, document.querySelector('.detail .symbol annotation').textContent.startsWith('D_{35,34} =')]; }), [1225, true]);
  await show(page, 'puma560');
  await tab(page, 'equations');
  await page.click('[data-entry=D45]');
  await page.waitForSelector('.detail .cancels');
  check('D45 is zero, its formula in letters is not, and that is said', [/with the numbers of this robot/.test(await page.textContent('.because')), /cancel/.test(await page.textContent('.cancels')), (await page.$$eval('.detail > .parts annotation', l => l.map(e => e.textContent))).some(t => /I_\{yy,6\} = /.test(t))], [true, true, true]);
  await now(() => { const a = window.torsorStudio; a.now.q = [0, 0.3, -0.4, 0.1, 0.5, 0]; a.now.qd = [1, 0, 0, 0, 0, 0]; a.move(); });
  await quiet(page);
  await page.evaluate(() => { const k = window.torsorStudio.state.C.findIndex(x => Math.abs(x) > 1e-14 && Math.abs(x) < 9e-5); window.small = `C${Math.floor(k / 6) + 1}${k % 6 + 1}`; });
  await page.click(`[data-entry=${await now(() => window.small)}]`);
  check('a small number is typeset with a power of ten', /\\cdot 10\^\{-\d+\}/.test(await page.$eval('.detail .symbol annotation', e => e.textContent)));
};

/** Nothing of a panel is cut on a small screen, and the robot is seen. */
export const fits = async ({page, check, tab, drawn}) => {
  for (const name of await page.$$eval('.tabs button', l => l.map(e => e.dataset.tab))) {
    await tab(page, name);
    await page.waitForTimeout(150);
    await drawn(page);
    check(`${name}: nothing is cut`, await page.evaluate(() => [...document.querySelectorAll('.panel *')].filter(e => {
      if (!e.checkVisibility() || e.closest('.formula, .wide-table, .heat-window, .katex, .steps, svg, table') || e.tagName === 'OPTION') return false;
      const b = e.getBoundingClientRect();
      return b.width > 0 && (b.right > innerWidth + 1 || b.left < -1);
    }).map(e => e.outerHTML.slice(0, 80))), []);
    check(`${name}: there is room for it`, await page.$eval('.panel', e => e.clientHeight > 150 ? '' : e.clientHeight), '');
    check(`${name}: the robot is seen`, await page.evaluate(() => {
      const {clientWidth: w, clientHeight: h} = window.torsorStudio.scene.holder;
      return h > 210 && window.torsorStudio.figure.ends().map(p => window.torsorStudio.scene.project(p)).every(p => p && p[0] >= 0 && p[0] <= w && p[1] >= 0 && p[1] <= h) ? '' : `${w} x ${h}`;
    }), '');
  }
};

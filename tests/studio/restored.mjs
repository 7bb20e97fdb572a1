// What a link or a page that is loaded again brings back: all that was set, and what of it could not be used, told.

export const restored = async ({browser, watch, check, failures, address, settle, quiet, drawn, tab, type, show, with_file}) => {
  const link = s => '#s=' + Buffer.from(JSON.stringify(s)).toString('base64url');
  const ready = page => page.waitForSelector('html[data-ready=yes]').then(() => quiet(page));
  /** A page of a browser that has kept nothing. */
  const fresh = async url => {
    const page = await (await browser.newContext({viewport: {width: 1440, height: 900}})).newPage();
    watch(page);
    await page.goto(url);
    await ready(page);
    return page;
  };
  const again = async page => { await page.reload(); await ready(page); };
  const left = page => page.evaluate(() => document.querySelector('.left').hidden ? '' : document.querySelector('.left').textContent);
  const told = async (page, what, ...reasons) => { const text = await left(page); for (const why of reasons) if (!why.test(text)) failures.push(`${what}: nothing like ${why} is told, but "${text}"`); };
  const now = (page, ...names) => page.evaluate(l => l.map(n => window.torsorStudio.now[n]), names);
  const puma = {name: 'puma560'}, q = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];

  // ---- a state that the engine refuses, part by part ----------------------------------------------------------------------------
  let page = await fresh(address + link({subject: puma, tab: 'torques', q, payload: [-5, 0, 0, 0], wrench: [3, 0, 0, 0, 0, 0]}));
  await settle(page, () => window.torsorStudio.state !== null);
  await told(page, 'a negative payload', /payload: .*mass/);
  check('a negative payload of a link goes, the rest stays', await now(page, 'q', 'payload', 'wrench'), [q, [0, 0, 0, 0], [3, 0, 0, 0, 0, 0]]);
  check('its field shows what counts', await page.inputValue('[aria-label="payload mass (kg)"]'), '0');
  await page.context().close();

  // ---- what has not the form of its setting --------------------------------------------------------------------------------------
  page = await fresh(address + link({subject: puma, q: [1, 2], qd: ['x', 0, 0, 0, 0, 0], motion: 'slow', speed: 3}));
  await told(page, 'a link in disorder', /q: 2 numbers, where PUMA 560 has 6/, /qd: a list of numbers is needed/, /motion: usual or published/, /speed: there is no such setting/);
  check('and all of it is as it opens', await page.evaluate(() => [window.torsorStudio.now.q, window.torsorStudio.now.qd]), await page.evaluate(() => [window.torsorStudio.robot.start, [0, 0, 0, 0, 0, 0]]));
  await page.context().close();
  page = await fresh(address + link({subject: {name: 'nosuch'}, q}));
  check('a robot that is not there: why', /nosuch/.test(await page.textContent('.broken:not([hidden]) h2', {timeout: 3000}).catch(() => 'nothing')));
  check('and what is shown instead', await page.textContent('.subject'), 'PUMA 560');
  await page.goto('about:blank');
  await page.goto(address + '#s=%%%');
  await ready(page);
  await told(page, 'a link that cannot be read', /cannot be read; what was open last is shown/);
  await page.click('.left button');
  check('told once', [await left(page), (await again(page), await left(page))], ['', '']);

  // ---- a simulation ----------------------------------------------------------------------------------------------------------------
  await show(page, 'puma560');
  await tab(page, 'simulation');
  for (const [label, value] of [['kp', '1000'], ['friction factor', '3'], ['push in N', '80'], ['length of the push in s', '0.2']]) await type(page, label, value);
  await page.selectOption('[aria-label="who drives it"]', 'computed-torque');
  await page.selectOption('[aria-label="direction of the push"]', '4');
  const driver = '[aria-label="who drives it"]', entered = async () => [...await page.$$eval('.panel input.number', l => l.map(e => e.value)), await page.inputValue(driver), await page.inputValue('[aria-label="direction of the push"]')];
  const set = await entered();
  check('gains, friction, push', set, ['1000', '20', '3', '80', '0.2', 'computed-torque', '4']);
  const laws = await page.$$eval(`${driver} option`, l => l.length);
  check('laws to choose from', laws > 10);
  await again(page);
  check('loaded again it has what was set', await entered(), set);
  check('and all laws', await page.$$eval(`${driver} option`, l => l.length), laws);
  // a gain that is refused while it runs is refused, and no more
  await page.click('.panel button.primary');
  const clock = () => page.evaluate(() => parseFloat(document.querySelector('.panel .verdict').textContent) || 0);
  await settle(page, () => parseFloat(document.querySelector('.panel .verdict').textContent) > 0.1);
  const [why, stands] = await type(page, 'kp', '-5');
  check('a gain refused while it runs', [/kp: .*It stays 1000\./.test(why), stands], [true, '1000']);
  const then = await clock();
  await settle(page, t => parseFloat(document.querySelector('.panel .verdict').textContent) > t + 0.1, then).catch(() => failures.push('a gain that is refused ends the run'));
  check('it runs on', [await page.evaluate(() => window.torsorStudio.running), await page.textContent('.panel button.primary')], [true, 'Stop']);
  // another friction begins it anew: one run, not two beside each other
  await page.evaluate(() => {
    const {engine} = window.torsorStudio, call = engine.call.bind(engine);
    window.under_way = window.most = 0;
    engine.call = async (name, fields) => {
      if (name !== 'go_on') return call(name, fields);
      window.most = Math.max(window.most, ++window.under_way);
      try { return await call(name, fields); } finally { --window.under_way; }
    };
  });
  await type(page, 'friction factor', '2');
  await page.waitForTimeout(300);
  await page.evaluate(() => { window.most = 0; });
  await settle(page, () => window.most > 0);
  await page.waitForTimeout(300);
  check('one run at a time', await page.evaluate(() => [window.torsorStudio.running, window.most]), [true, 1]);
  await page.click('.panel button.primary');
  await settle(page, () => !window.torsorStudio.running);
  await page.context().close();
  page = await fresh(address + link({subject: puma, tab: 'simulation', run: {law: 'nosuch', kp: -1, kv: 7, push: -3}}));
  await told(page, 'settings of a run', /kp: /, /law: nosuch: there is no such law/, /push: choose the direction/);
  check('those that can be are', await page.$$eval('.panel input.number', l => l.map(e => e.value)), ['100', '7', '1', '50', '0.1']);
  check('and the usual law', await page.inputValue(driver), 'pd-gravity');
  await page.context().close();

  // ---- a table of a motion that is refused takes nothing's place -------------------------------------------------------------------
  page = await fresh(address + link({subject: puma, tab: 'motion'}));
  const csv = (name, ...rows) => page.setInputFiles('[aria-label="CSV of a motion"]', {name, mimeType: 'text/csv', buffer: Buffer.from(['t,q1,q2,q3,q4,q5,q6', ...rows].join('\n') + '\n')});
  const rows = [0, 1, 2, 3, 4, 5].map(k => `${k},${0.1 * k},0,0,0,0,0`);
  await csv('good.csv', ...rows);
  await settle(page, () => window.torsorStudio.motion?.name === 'good.csv');
  await csv('bad.csv', rows[0], rows[2], rows[1], rows[3]);
  await page.waitForSelector('.message:not([hidden])');
  check('the good one is there', await page.evaluate(() => [window.torsorStudio.motion.name, window.torsorStudio.table.name, /good\.csv/.test(document.querySelector('.panel').textContent)]), ['good.csv', 'good.csv', true]);
  await again(page);
  await settle(page, () => window.torsorStudio.motion !== null).catch(() => undefined);
  check('and after the page is loaded again', await page.evaluate(() => window.torsorStudio.motion?.name), 'good.csv');

  // ---- a robot that was dropped ----------------------------------------------------------------------------------------------------
  const arm = mass => `format = 1\nname = "arm of ${mass}"\n\n[[link]]\nname = "one"\njoint = "revolute"\nmass = ${mass}\n`;
  const dropped = async (where, what) => {
    const own = await fresh(where);
    await own.setInputFiles('.chooser input[type=file]', {name: 'own.toml', mimeType: 'text/plain', buffer: Buffer.from(arm(3))});
    await settle(own, () => window.torsorStudio.thing?.title === 'arm of 3');
    await own.evaluate(() => window.torsorStudio.setJoint(0, 0.75));
    await quiet(own);
    const titled = p => p.evaluate(() => [window.torsorStudio.thing.title, window.torsorStudio.now.q[0]]);
    await again(own);
    check(`${what}: loaded again it is there`, await titled(own), ['arm of 3', 0.75]);
    const second = await own.context().newPage();
    watch(second);
    await second.goto(own.url());
    await ready(second);
    check(`${what}: and in a second tab`, await titled(second), ['arm of 3', 0.75]);
    // another file of the same name is another robot: each tab has its own, and no link opens the other's
    await second.setInputFiles('.chooser input[type=file]', {name: 'own.toml', mimeType: 'text/plain', buffer: Buffer.from(arm(4))});
    await settle(second, () => window.torsorStudio.thing?.title === 'arm of 4');
    const third = await own.context().newPage();
    watch(third);
    await third.goto(own.url());
    await ready(third);
    check(`${what}: another of the same name is not taken for it`, await third.textContent('.subject'), 'PUMA 560');
    await told(third, what, /own\.toml: it was dropped, and is not in this browser/);
    await again(own);
    check(`${what}: each tab its own`, await titled(own), ['arm of 3', 0.75]);
    await own.context().close();
  };
  await dropped(address, 'dropped');
  if (with_file) await dropped(await with_file('puma560'), 'dropped beside a FILE');
  await page.context().close();
};

/** The engine does not answer any more: what is typed is kept, and the numbers beside it are told to be those of before. */
export const lost = async ({page, check, tab, type}) => {
  const seen = selector => page.$$eval(selector, l => [...new Set(l.map(e => Number(getComputedStyle(e).opacity)))]);
  const [why, value] = await type(page, 'waist as a number', '22,5');
  check('what is typed is kept, and that is told', [/22\.5 is kept; grey numbers are those of before/.test(why), /It stays/.test(why), value], [true, false, '22.5']);
  check('what was at the state before is grey', await seen('.panel .facts dd'), [0.4]);
  await tab(page, 'torques');
  check('and so are its torques', await seen('.panel .value'), [0.4]);
  check('what was typed is not', await seen('.panel input.number'), [1]);
  await tab(page, 'joints');
};

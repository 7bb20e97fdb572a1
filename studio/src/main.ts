// The page: bar above, picture left, panels right, time below.
import 'katex/dist/katex.min.css';
import 'uplot/dist/uPlot.min.css';
import './style.css';
import {App} from './app';
import type {Catalogue} from './answers';
import {acceptDrops, chooser} from './chooser';
import {h} from './dom';
import {grabJoints} from './grab';
import {HttpEngine} from './http_engine';
import {equations} from './panels/equations';
import {file, findings, picture, share} from './panels/file';
import {formulations, sizing} from './panels/insight';
import {joints} from './panels/joints';
import {mechanism} from './panels/mechanism';
import {motion} from './panels/motion';
import {platform} from './panels/platform';
import type {Panel} from './panels/panel';
import {simulation} from './panels/simulation';
import {tool} from './panels/tool';
import {torques} from './panels/torques';
import {workspace} from './panels/workspace';
import {Timeline} from './timeline';
import {units} from './units';
import {WorkerEngine} from './worker_engine';

/** Set by build.mjs: whether a server answers, or the library in a worker. */
declare const WITHOUT_SERVER: boolean;

const panels: Panel[] = [joints, mechanism, platform, tool, torques, motion, equations, simulation, workspace, formulations, sizing, file];

const picture3d = h('main.picture', {'aria-label': 'the robot'});
const app = new App(WITHOUT_SERVER ? new WorkerEngine() : new HttpEngine(), picture3d);
const timeline = new Timeline(app);
const choose = chooser(app);
const message = h('div.message', {role: 'alert', hidden: true}), lost = h('div.lost', {hidden: true}, WITHOUT_SERVER ? 'The engine does not answer. What was entered is kept; grey numbers are those of before. '
  : 'The engine does not answer: start it again and open the address that it prints; what was entered is kept; grey numbers are those of before. ',
  h('button', {onclick: () => void begin()}, 'Try again'));
const left = h('div.left', {role: 'alert', hidden: true});
let body = h('div.panel', {role: 'tabpanel'});
const title = h('button.subject', {onclick: () => choose.show(), title: 'open another: O'}, 'Open …');
const tabs = h('nav.tabs', {role: 'tablist'}), broken = h('div.broken', {hidden: true});
const back = h<HTMLButtonElement>('button', {title: 'undo: Ctrl Z', 'aria-label': 'undo', onclick: () => app.undo(true)}, '↶');
const forth = h<HTMLButtonElement>('button', {title: 'redo: Ctrl Shift Z', 'aria-label': 'redo', onclick: () => app.undo(false)}, '↷');
const unit = h<HTMLButtonElement>('button', {title: 'degrees or radians: U', onclick: () => toggleUnits()}, '°');
const length = h<HTMLButtonElement>('button', {title: 'metres or millimetres: M', onclick: () => toggleLengths()}, 'm');
const light = h<HTMLButtonElement>('button', {title: 'light or dark: D', 'aria-label': 'light or dark', onclick: () => toggleTheme()}, '◐');
const help = h('dialog.help', null, h('h2', null, 'Keys and mouse'), h('dl.facts', null, ...([
  ['drag a joint', 'turns or moves it'], ['drag the arrows at the tool', 'inverse kinematics, all solutions as ghosts'], ['drag beside them', 'turns the view; right button moves it, wheel zooms'],
  ['space', 'play or pause'], ['← →', 'one instant; with Shift ten'], ['1 … 9', 'panels'], ['W, E', 'move or turn the tool'], ['P', 'add a way point'], ['F', 'see all of it'],
  ['Ctrl Z, Ctrl Shift Z', 'undo, redo'], ['O', 'open'], ['U', 'degrees or radians'], ['M', 'metres or millimetres'], ['D', 'light or dark'], ['?', 'this']] as const).flatMap(([k, v]) => [h('dt', null, k), h('dd', null, v)])),
  h('button', {onclick: () => (help as HTMLDialogElement).close()}, 'Close'));

document.body.append(
  h('header', null, h('span.brand', null, h('img', {src: 'icon.svg', alt: ''}), 'Torsor Studio'), title, h('span.line'), h('span.spring'), back, forth, unit, length, light,
    h('button', {onclick: () => share(app), title: 'a link that restores all of this'}, 'link'), h('button.optional', {onclick: () => picture(app), title: 'the picture as a file'}, 'PNG'),
    h('button', {onclick: () => (help as HTMLDialogElement).showModal(), title: 'keys and mouse: ?', 'aria-label': 'help'}, '?')),
  lost, left, h('div.middle', null, picture3d, h('aside', null, tabs, body)), timeline.element, message, broken, choose.element, help);
const scale = h('div.scale', null, h('span', null, 'share of the torque limit'), h('i'), h('span', null, '0'), h('span', null, '100 %'));
picture3d.append(scale);

// ---- panels ------------------------------------------------------------------------------------------------------------
type Update = ReturnType<Panel['make']>;
let update: Update = () => undefined;
const shown = (): Panel[] => panels.filter(p => app.thing && (p.of === 'both' || p.of === app.thing.kind) && (p !== platform || app.mechanism?.of_robot));
const showTab = (name: string): void => {
  const list = shown(), panel = list.find(p => p.name === name) ?? list[0];
  if (!panel) return;
  app.now.tab = panel.name;
  document.body.dataset.tab = panel.name;
  tabs.replaceChildren(...list.map((p, k) => h('button', {role: 'tab', 'aria-selected': String(p === panel), 'data-tab': p.name, title: `key ${k + 1}`, onclick: () => showTab(p.name)}, p.title)));
  // each has a place of its own: what an old one still waits for finds that it is gone
  const place = h('div.panel', {role: 'tabpanel'});
  body.replaceWith(place);
  body = place;
  // what a panel draws and holds goes with it
  app.scene.grip(null);
  if (panel !== tool && panel !== platform) { app.solutions = null; app.clearGhosts(); }
  if (panel === platform) app.solutions = null;
  for (const layer of ['cloud', 'points']) app.overlays.layer(layer);
  if (app.scene.revealed) app.fit();
  update = panel.make(app, body);
  app.store.keep();
  app.scene.draw();
};
for (const event of ['state', 'settings', 'solutions', 'motion', 'time', 'catalogue'] as const) app.on(event, () => update(event));

// ---- what happens ------------------------------------------------------------------------------------------------------
app.on('thing', () => {
  const t = app.thing!;
  title.textContent = t.title;
  document.title = `${t.title}: Torsor Studio`;
  document.querySelector('header .line')!.textContent = t.kind === 'robot' ? t.line : `${t.bodies} bodies, ${t.joints} joints, ${t.freedoms} dof`;
  showTab(app.now.tab);
  scale.hidden = t.kind !== 'robot' || t.velocities.every(v => v.effort === null);
  if (t.findings.some(f => f.severity === 'error')) app.say('The check finds errors: see File.');
});
app.on('faults', () => {
  broken.hidden = !app.faults;
  if (app.faults)
    broken.replaceChildren(h('div.card', null, h('h2', {title: app.faults.name}, `${app.faults.name.split('/').pop() || 'This file'} cannot be opened`), findings(app, app.faults.faults, app.faults.text, app.faults.name),
      h('div.row', null, h('button.primary', {onclick: () => { broken.hidden = true; choose.show(); }}, 'Open another'), h('button', {onclick: () => { broken.hidden = true; }}, 'Close'))));
});
app.on('left', () => {
  left.hidden = app.left.length === 0;
  left.replaceChildren(h('span', null, `Of what was to be restored this could not be used:\n${app.left.join('\n')}`),
    h('button', {onclick: () => { app.left = []; left.hidden = true; }}, 'Close'));
});
app.on('theme', () => setTheme());
app.on('lost', () => { if (app.lost) app.store.flush(); lost.hidden = !app.lost; document.body.classList.toggle('old', app.lost); });
let timer = 0;
app.say = text => {
  message.textContent = text;
  message.hidden = false;
  clearTimeout(timer);
  timer = window.setTimeout(() => { message.hidden = true; }, 6000);
};
app.store.onhistory = () => { back.disabled = !app.store.canUndo; forth.disabled = !app.store.canRedo; };
const setTheme = (): void => {
  document.documentElement.dataset.theme = app.dark ? 'dark' : 'light';
  app.scene.setTheme(app.dark);
  if (!app.thing) return;
  app.draw();
  update('theme');  // panels keep what was chosen in them
  timeline.redraw();
  if (app.robot) app.move();
  else { app.paintCurves(); if (!app.oscillating) app.show(app.frame); }
};
const toggleTheme = (): void => { app.now.dark = !app.dark; setTheme(); app.store.keep(); };
const setUnits = (): void => {
  units.degrees = app.now.degrees;
  units.millimetres = app.now.millimetres;
  unit.textContent = units.degrees ? '°' : 'rad';
  length.textContent = units.millimetres ? 'mm' : 'm';
};
const changeUnits = (): void => { setUnits(); showTab(app.now.tab); timeline.redraw(); };
const toggleUnits = (): void => { app.now.degrees = !app.now.degrees; changeUnits(); };
const toggleLengths = (): void => { app.now.millimetres = !app.now.millimetres; changeUnits(); };
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => setTheme());

addEventListener('keydown', e => {
  const typing = e.target instanceof HTMLInputElement && e.target.type !== 'range' && e.target.type !== 'checkbox';
  if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 'z' && !typing) { e.preventDefault(); app.undo(!e.shiftKey); return; }
  if (e.ctrlKey || e.metaKey || e.altKey || typing || document.querySelector('dialog[open]')) return;
  const key = e.key, list = shown();
  if (/^[1-9]$/.test(key) && list[Number(key) - 1]) showTab(list[Number(key) - 1]!.name);
  else if (key === ' ' && timeline.shown && !(e.target instanceof HTMLButtonElement)) { e.preventDefault(); timeline.toggle(); }
  else if ((key === 'ArrowLeft' || key === 'ArrowRight') && !(e.target instanceof HTMLInputElement)) timeline.step((key === 'ArrowLeft' ? -1 : 1) * (e.shiftKey ? 10 : 1));
  else if (key === 'w' || key === 'e') app.scene.handle.setMode(key === 'w' ? 'translate' : 'rotate');
  else if (key === 'p' && app.robot && app.robot.nq === app.robot.nv) { app.addPoint(); showTab('motion'); if (app.now.points.length > 1) void app.loadMotion(); }
  else if (key === 'f') app.fit();
  else if (key === 'o') { e.preventDefault(); choose.show(); }  // else the o is typed into its field
  else if (key === 'u') toggleUnits();
  else if (key === 'm') toggleLengths();
  else if (key === 'd') toggleTheme();
  else if (key === '?') (help as HTMLDialogElement).showModal();
});
acceptDrops(app, document.body);
grabJoints(app);

// ---- the beginning -----------------------------------------------------------------------------------------------------
const begin = async (): Promise<void> => {
  app.setLost(false);
  app.left = [];
  const found = app.store.restore(why => app.leave(why));
  setUnits();
  setTheme();
  app.store.onhistory();
  try {
    // both at once: the first picture does not wait for the list
    const list = app.engine.call<Catalogue>('catalogue').then(c => { app.catalogue = c; app.emit('catalogue'); return c; });
    const subject = app.now.subject, dropped = subject.dropped ? app.store.dropped(subject) : null;
    const known = found !== null && (subject.dropped ? dropped !== null : Boolean(subject.name ?? subject.path));
    const c = found === 'link' && known ? null : await list;
    if (found && !known && (found === 'link' || !c?.file))
      app.leave(subject.dropped ? `${subject.name}: it was dropped, and is not in this browser, or too large to be kept there; drop it again` : 'subject: no robot or mechanism is named');
    if (c?.file) await app.open(c.robots.some(r => r.name === c.file) || c.mechanisms.some(m => m.name === c.file) ? {name: c.file} : {path: c.file}, c.file === (subject.path ?? subject.name));
    else if (known && dropped) await app.open({tool: subject.tool}, true, dropped.files, dropped.main);
    else await app.open(known ? subject : {name: 'puma560'}, known);
    if (!app.thing) {
      // why it could not be opened stays to be read, over what is shown instead
      const why = app.faults;
      await app.open({name: 'puma560'});
      app.faults = why;
      app.emit('faults');
    }
    await list;
    document.documentElement.dataset.ready = 'yes';
  } catch (e) {
    app.fail(e);
  }
};
// what is typed and not yet taken is: a field tells of its change when it is left
addEventListener('beforeunload', () => { if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur(); });
for (const event of ['beforeunload', 'pagehide'] as const) addEventListener(event, () => app.store.flush());
Object.assign(window, {torsorStudio: app});
void begin();

// The file: what `check` finds, with the lines of the text; and everything that can be taken away from here.
import type {Fault} from '../engine';
import {h, save} from '../dom';
import type {App} from '../app';
import type {Panel} from './panel';

/** What a fault's "did you mean" would put where: the line it changes, and the line then. */
interface Fix { line: number; before: string; after: string; says: string }
export const fixesOf = (fault: Fault, lines: string[]): Fix[] => {
  const said = /did you mean ([^?]*)\?/.exec(fault.remedy)?.[1];
  if (!said || !fault.line) return [];
  const meant = [...said.matchAll(/"([^"]+)"|<([^>]+)>/g)].map(m => m[1] ?? m[2]!);
  // what is misspelt is quoted in what was found, or is the last name of whom it is about
  const words = [...[...fault.what.matchAll(/"([^"]+)"|<([^>]+)>/g)].map(m => m[1] ?? m[2]!), fault.offender.replaceAll('"', '').split(/[\s,.]+/).pop() ?? ''].filter(w => w && !meant.includes(w));
  for (const wrong of words) {
    const word = new RegExp(`(?<![\\w-])${wrong.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`, 'g');
    for (let k = fault.line - 1; k < Math.min(lines.length, fault.line + 2); ++k)
      if (word.test(lines[k]!)) return meant.map(m => ({line: k + 1, before: lines[k]!, after: lines[k]!.replaceAll(word, m), says: `${wrong} → ${m}`}));
  }
  return [];
};

/** Faults beside the text they are about, which can be mended here: by their own fixes or by hand; then it is opened again, and saved. */
export const findings = (app: App, faults: Fault[], text: string, name: string): HTMLElement => {
  const lines = text.split('\n'), marked = new Set(faults.map(f => f.line ?? 0));
  const source = h<HTMLTextAreaElement>('textarea', {spellcheck: false, value: text, 'aria-label': 'text of the file', wrap: 'off', oninput: () => touched()}), gutter = h('div.gutter', {'aria-hidden': 'true'});
  const number = (): void => gutter.replaceChildren(...source.value.split('\n').map((_, k) => h(marked.has(k + 1) ? 'div.marked' : 'div', {'data-line': String(k + 1)}, String(k + 1))));
  source.onscroll = () => { gutter.scrollTop = source.scrollTop; };
  const jump = (line?: number): void => {
    if (!line) return;
    const before = source.value.split('\n').slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
    source.focus();
    source.setSelectionRange(before, before + (source.value.split('\n')[line - 1]?.length ?? 0));
    source.scrollTop = Math.max(0, (line - 4) * 18);
  };
  const again = h<HTMLButtonElement>('button.primary', {disabled: true, onclick: () => void app.reopen(name, source.value)}, 'Open with these changes');
  const saved = h<HTMLButtonElement>('button', {disabled: true, onclick: () => save(name.split('/').pop() || 'robot.toml', source.value, 'text/plain')}, 'Save the file');
  const touched = (): void => {
    again.disabled = saved.disabled = source.value === text;
    if (source.value.split('\n').length !== gutter.childElementCount) number();
  };
  const all: [Fix, HTMLButtonElement][] = [];
  const apply = (fix: Fix, b: HTMLButtonElement): void => {
    const now = source.value.split('\n');
    // what else was changed in the line stays
    const k = now[fix.line - 1] === fix.before ? fix.line - 1 : now.indexOf(fix.before);
    if (k >= 0) now[k] = fix.after;
    else { const [wrong, meant] = fix.says.split(' → ') as [string, string]; now[fix.line - 1] = now[fix.line - 1]?.replace(wrong, meant) ?? ''; }
    source.value = now.join('\n');
    b.disabled = true;
    b.textContent = `✓ ${fix.says}`;
    touched();
  };
  const list = h('div.findings', null, ...faults.map(f => {
    const fixes = text ? fixesOf(f, lines) : [];
    return h('div.found', null, h(`button.finding.${f.severity}`, {onclick: () => jump(f.line)},
      h('b', null, f.severity), h('span.where', null, f.line ? `line ${f.line}` : ''), h('span.what', null, `${f.offender ? f.offender + ': ' : ''}${f.what}`),
      f.remedy ? h('span.remedy', null, f.remedy) : null, h('code', null, f.rule)),
    ...fixes.map((fix, k) => { const b: HTMLButtonElement = h<HTMLButtonElement>('button.fix', {title: `line ${fix.line}: ${fix.after.trim()}`, onclick: () => apply(fix, b)}, fix.says); if (k === 0) all.push([fix, b]); return b; }));
  }));
  if (!text) return h('div', null, list);
  number();
  if (all.length > 1) list.prepend(h('div.row', null, h('button.fix', {onclick: (e: Event) => { for (const [fix, b] of all) if (!b.disabled) apply(fix, b); (e.target as HTMLButtonElement).disabled = true; }}, `apply all ${all.length} fixes`)));
  return h('div', null, list, h('div.source', null, gutter, source), h('div.row', null, again, saved, h('span.hint', null, 'The text can be changed here.')));
};

const outs: [string, string, string, string][] = [['toml', 'robot file', 'toml', 'text/plain'], ['urdf', 'URDF', 'urdf', 'text/xml'], ['mjcf', 'MJCF', 'xml', 'text/xml'],
  ['sdf', 'SDF', 'sdf', 'text/xml'], ['c', 'C code', 'c', 'text/plain'], ['page', 'report page', 'html', 'text/html']];

const motionPages: typeof outs = [['driven_page', 'page of its motion', 'html', 'text/html'], ['released_page', 'page of it let go', 'html', 'text/html']];

export const picture = (app: App): void => {
  app.scene.renderer.render(app.scene.scene, app.scene.camera);
  app.scene.renderer.domElement.toBlob(blob => { if (blob) save('torsor.png', blob, 'image/png'); });
};

export const share = (app: App): void => {
  app.store.flush();
  navigator.clipboard?.writeText(location.href).then(() => app.say('The link is in the clipboard.'), () => app.say('The link is in the address bar.'));
};

export const file: Panel = {
  name: 'file', title: 'File', of: 'both',
  make(app, into) {
    const thing = app.thing!;
    into.append(h('p', null, h('b', null, thing.title), ' ', h('span.hint', null, thing.source)),
      h('p.verdict', null, thing.findings.length ? `${thing.findings.length} finding${thing.findings.length === 1 ? '' : 's'} of the check.` : 'The check finds nothing wrong.'),
      findings(app, thing.findings, thing.text ?? '', thing.subject), h('h3', null, 'Take away'));
    const row = h('div.row.wrap', null, h('button', {onclick: () => share(app), title: 'restores all of this'}, 'link'), h('button', {onclick: () => picture(app)}, 'picture (PNG)'));
    // a robot with loops is neither: its file is a robot's, and these are of trees
    const pages = thing.kind === 'robot' ? outs : thing.of_robot ? [] : motionPages.filter(p => thing.driven || p[0] !== 'driven_page');
    for (const [question, text, ending, type] of pages) {
      const b = h<HTMLButtonElement>('button', {onclick: () => void (async () => {
        b.disabled = true;
        if (question === 'page') app.say('The report page compares and times all formulations: this takes a while.');
        try { save(`${thing.title.replaceAll(/[^\w-]+/g, '_')}${question === 'released_page' ? '-let-go' : ''}.${ending}`, await app.engine.job(thing.id, question).result, type); } catch (e) { app.fail(e); }
        b.disabled = false;
      })()}, text);
      row.append(b);
    }
    into.append(row);
    return () => undefined;
  }
};

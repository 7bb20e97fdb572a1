// The file: what `check` finds, with the lines of the text; and everything that can be taken away from here.
import type {Fault} from '../engine';
import {h, save} from '../dom';
import type {App} from '../app';
import type {Panel} from './panel';

export const findings = (faults: Fault[], text: string): HTMLElement => {
  const lines = text.split('\n'), source = h('pre.source');
  const marked = new Set(faults.map(f => f.line ?? 0));
  if (text) source.append(...lines.map((line, k) => h(marked.has(k + 1) ? 'div.line.marked' : 'div.line', {'data-line': String(k + 1)}, line || ' ')));
  const jump = (line?: number): void => { if (line) source.querySelector(`[data-line="${line}"]`)?.scrollIntoView({block: 'center', behavior: 'smooth'}); };
  const list = h('div.findings', null, ...faults.map(f => h(`button.finding.${f.severity}`, {onclick: () => jump(f.line)},
    h('b', null, f.severity), h('span.where', null, f.line ? `line ${f.line}` : ''), h('span.what', null, `${f.offender ? f.offender + ': ' : ''}${f.what}`),
    f.remedy ? h('span.remedy', null, f.remedy) : null, h('code', null, f.rule))));
  return h('div', null, list, text ? source : null);
};

const outs: [string, string, string, string][] = [['toml', 'robot file', 'toml', 'text/plain'], ['urdf', 'URDF', 'urdf', 'text/xml'], ['mjcf', 'MJCF', 'xml', 'text/xml'],
  ['sdf', 'SDF', 'sdf', 'text/xml'], ['c', 'C code', 'c', 'text/plain'], ['page', 'report page', 'html', 'text/html']];

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
      findings(thing.findings, thing.text ?? ''), h('h3', null, 'Take away'));
    const row = h('div.row.wrap', null, h('button', {onclick: () => share(app), title: 'restores all of this'}, 'link'), h('button', {onclick: () => picture(app)}, 'picture (PNG)'));
    if (thing.kind === 'robot')
      for (const [question, text, ending, type] of outs) {
        const b = h<HTMLButtonElement>('button', {onclick: () => void (async () => {
          b.disabled = true;
          if (question === 'page') app.say('The report page compares and times all formulations: this takes a while.');
          try { save(`${thing.title.replaceAll(/[^\w-]+/g, '_')}.${ending}`, await app.engine.job(thing.id, question, '', () => undefined).result, type); } catch (e) { app.fail(e); }
          b.disabled = false;
        })()}, text);
        row.append(b);
      }
    into.append(row);
    return () => undefined;
  }
};

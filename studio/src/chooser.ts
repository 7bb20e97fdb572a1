// What to open: built-in robots and mechanisms, files below the given folders, and whatever is dropped on the page.
import type {App, Dropped} from './app';
import {h} from './dom';

const isText = /\.(toml|urdf|xacro|xml|mjcf|sdf|world|csv|yaml|yml|obj|dae|gltf)$/i, isRobot = /\.(toml|urdf|xacro|xml|mjcf|sdf|world)$/i;
const isKept = /\.(toml|urdf|xacro|xml|mjcf|sdf|world|csv|yaml|yml|obj|dae|gltf|glb|stl|bin)$/i;

const base64 = (bytes: Uint8Array): string => {
  let text = '';
  for (let k = 0; k < bytes.length; k += 0x8000) text += String.fromCharCode(...bytes.subarray(k, k + 0x8000));
  return btoa(text);
};

const filesOf = async (entry: FileSystemEntry, path: string, out: {path: string; file: File}[]): Promise<void> => {
  if (out.length > 450) return;
  if (entry.isFile) out.push({path: path + entry.name, file: await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail))});
  else {
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
      if (!some.length) break;
      for (const e of some) await filesOf(e, `${path}${entry.name}/`, out);
    }
  }
};

export const openFiles = async (app: App, list: {path: string; file: File}[]): Promise<void> => {
  const kept = list.filter(f => isKept.test(f.path)), robots = kept.filter(f => isRobot.test(f.path));
  const tables = list.filter(f => /\.csv$/i.test(f.path));
  if (!robots.length && tables.length === 1) {
    if (app.robot && app.robot.nq === app.robot.nv) return app.takeTable({name: tables[0]!.file.name, text: await tables[0]!.file.text()});
    return app.say('A CSV file is a motion of a robot: open the robot first.');
  }
  if (!robots.length) return app.say('There is no robot file among these: .toml, .urdf, .xacro, .xml, .mjcf, .sdf.');
  // the one that lies highest; of several, the one that names what a robot is
  const rank = (f: {path: string}): number => f.path.split('/').length * 10 + ['urdf', 'toml', 'xml', 'mjcf', 'sdf', 'xacro', 'world'].indexOf(f.path.split('.').pop()!.toLowerCase());
  const main = robots.sort((a, b) => rank(a) - rank(b))[0]!.path;
  const files: Dropped[] = await Promise.all(kept.map(async f => isText.test(f.path) ? {name: f.path, text: await f.file.text()} : {name: f.path, base64: base64(new Uint8Array(await f.file.arrayBuffer()))}));
  await app.open({}, false, files, main);
};

export const acceptDrops = (app: App, element: HTMLElement): void => {
  element.addEventListener('dragover', e => { e.preventDefault(); element.classList.add('drop'); });
  element.addEventListener('dragleave', e => { if (!e.relatedTarget) element.classList.remove('drop'); });
  element.addEventListener('drop', e => {
    e.preventDefault();
    element.classList.remove('drop');
    // folders are known by entries alone; what has none, as from some programs, is a file all the same
    const entries = [...e.dataTransfer?.items ?? []].filter(i => i.kind === 'file').map(i => ({entry: i.webkitGetAsEntry(), file: i.getAsFile()})), plain = [...e.dataTransfer?.files ?? []];
    void (async () => {
      const list: {path: string; file: File}[] = [];
      for (const {entry, file} of entries)
        if (entry) await filesOf(entry, '', list);
        else if (file) list.push({path: file.name, file});
      if (!entries.length) for (const file of plain) list.push({path: file.name, file});
      await openFiles(app, list).catch((why: unknown) => app.fail(why));
    })();
  });
};

/** The list over the picture; type to narrow it. */
export const chooser = (app: App): {element: HTMLElement; show: () => void; hide: () => void} => {
  const field = h<HTMLInputElement>('input', {type: 'search', placeholder: 'Search robots and mechanisms', 'aria-label': 'search', oninput: () => fill(),
    onkeydown: (e: KeyboardEvent) => { if (e.key === 'Enter') { e.preventDefault(); list.querySelector<HTMLElement>('.choice')?.click(); } }});
  const list = h('div.choices'), parts = h('div.row.wrap');
  const input = h<HTMLInputElement>('input', {type: 'file', multiple: true, hidden: true, onchange: () => {
    const files = [...input.files ?? []].map(f => ({path: f.name, file: f}));
    input.value = '';  // the same file again is a change, too
    hide();
    void openFiles(app, files);
  }});
  const element = h('dialog.chooser', {'aria-label': 'open'}, h('div.row', null, field, h('button', {onclick: () => input.click()}, 'File …'), h('button', {onclick: () => hide(), title: 'Escape'}, '×')), parts, list, input) as HTMLDialogElement;
  const hide = (): void => element.close();
  const item = (title: string, note: string, source: string, open: () => void): HTMLElement => h('button.choice', {title: source, onclick: () => { hide(); open(); }}, h('b', null, title), h('span', null, note));
  const fill = (): void => {
    const c = app.catalogue, words = field.value.toLowerCase();
    if (!c) return;
    const fits = (...texts: string[]): boolean => texts.some(t => t.toLowerCase().includes(words));
    const heads: HTMLElement[] = [];
    const group = (name: string, items: HTMLElement[]): Node[] => {
      if (!items.length) return [];
      const head = h('h3', null, name);
      heads.push(h('button', {onclick: () => head.scrollIntoView()}, `${name} ${items.length}`));
      return [head, h('div.grid', null, ...items)];
    };
    list.replaceChildren(
      ...group('Robots', c.robots.filter(r => fits(r.name, r.title, r.joints)).map(r => item(r.title, r.joints, r.source, () => void app.open({name: r.name})))),
      ...group('Mechanisms', c.mechanisms.filter(r => fits(r.name, r.title)).map(r => item(r.title, '', r.source, () => void app.open({name: r.name})))),
      ...group('Files', c.files.filter(f => fits(f)).map(f => item(f.split('/').pop()!, f, f, () => void app.open({path: f})))),
      h('p.hint', null, 'Or drop a file or a folder on the page: TOML, URDF, xacro, MJCF, SDF, with their meshes.'));
    parts.replaceChildren(...heads.length > 1 ? heads : []);
  };
  return {element, hide, show: () => { field.value = ''; fill(); element.showModal(); field.focus(); }};
};

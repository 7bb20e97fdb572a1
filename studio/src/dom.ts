// Elements in one line each.
type Child = Node | string | null | undefined | false;
type Properties = Record<string, unknown>;

/** h('button.primary', {title: 'x', onclick: f}, 'text') */
export const h = <E extends HTMLElement = HTMLElement>(tag: string, properties: Properties | null = null, ...children: Child[]): E => {
  const [name, ...classes] = tag.split('.');
  const e = document.createElement(name!) as E;
  if (classes.length) e.className = classes.join(' ');
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null) continue;
    if (key in e && !key.includes('-')) (e as unknown as Properties)[key] = value;
    else e.setAttribute(key, String(value));
  }
  e.append(...children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false));
  return e;
};

export const choice = (options: [string, string][], value: string, change: (v: string) => void, label: string): HTMLSelectElement => {
  const e = h<HTMLSelectElement>('select', {'aria-label': label, onchange: () => change(e.value)},
    ...options.map(([v, text]) => h('option', {value: v}, text)));
  e.value = value;
  return e;
};

export const check = (text: string, value: boolean, change: (v: boolean) => void, title?: string): HTMLElement => {
  const box = h<HTMLInputElement>('input', {type: 'checkbox', checked: value, onchange: () => change(box.checked)});
  return h('label.check', {title}, box, text);
};

export const save = (name: string, content: BlobPart, type: string): void => {
  const url = URL.createObjectURL(new Blob([content], {type}));
  h<HTMLAnchorElement>('a', {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
};

// What a report page does with its data: values under the pointer, a cursor that plots and moving robots share, zoom, legends
// that hide and show, figures and tables saved as CSV.
const TorsorPage = (() => {
  'use strict';

  // doubles, little-endian, as base64
  const decode = text => new Float64Array(Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer);

  // the index of the nearest of ascending numbers; of others the first that is nearest
  const nearest = (xs, ascending, x) => {
    if (ascending) return TorsorView.frame_at(xs, x);
    let best = 0;
    for (let k = 1; k < xs.length; ++k) if (Math.abs(xs[k] - x) < Math.abs(xs[best] - x)) best = k;
    return best;
  };
  const is_ascending = xs => { for (let k = 1; k < xs.length; ++k) if (!(xs[k] >= xs[k - 1])) return false; return true; };

  // round numbers that divide a range, about so many
  const ticks = (low, high, count) => {
    const rough = (high - low) / count, decade = 10 ** Math.floor(Math.log10(rough));
    const step = decade * (rough / decade > 5 ? 10 : rough / decade > 2 ? 5 : rough / decade > 1 ? 2 : 1);
    const found = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) found.push(+(k * step).toPrecision(12));
    return found;
  };

  const quote = cell => {
    if (cell === null || cell === undefined || Number.isNaN(cell)) return '';
    return /[",\n]/.test(cell) ? '"' + String(cell).replaceAll('"', '""') + '"' : cell;
  };
  const head = (name, unit) => unit ? name + ' (' + unit + ')' : name;

  // columns of a figure or rows of a table, as CSV
  const rows_of = figure => {
    if (figure.kind === 'matrix')
      return [['', ...figure.columns], ...figure.values.map((row, i) => [figure.rows[i], ...row])];
    if (figure.kind === 'view')
      return [[head(figure.axis.label, figure.axis.unit), 'motion', 'part', 'x (m)', 'y (m)', 'z (m)', 'e0', 'e1', 'e2', 'e3'],
        ...figure.clips.flatMap(clip => {
          const poses = TorsorView.decode(clip.poses), n = figure.parts.length;
          return clip.t.flatMap((t, f) => figure.parts.map((part, p) =>
            [t, clip.name, part.name, ...poses.slice(7 * (f * n + p), 7 * (f * n + p) + 7)]));
        })];
    const columns = [];
    let shared = null;
    for (const panel of figure.panels || [figure]) for (const s of panel.series) {
      if (s.x !== shared) columns.push([head(panel.x.label || 'x', panel.x.unit), ...s.x]);
      shared = s.x;
      const name = [figure.panels ? panel.title : '', s.name].filter(Boolean).join(' ') || panel.y.label || 'y';
      columns.push([head(name, panel.y.unit), ...s.y]);
    }
    const length = Math.max(0, ...columns.map(c => c.length));
    return Array.from({length}, (_, i) => columns.map(c => c[i]));
  };

  const make = (name, parent, text) => {
    const node = parent.appendChild(document.createElement(name));
    if (text !== undefined) node.textContent = text;
    return node;
  };
  const draw = (name, parent, attributes) => {
    const node = parent.appendChild(document.createElementNS(parent.namespaceURI, name));
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  };
  const add_save = (node, id, rows) => {
    const button = make('button', node, 'CSV');
    button.className = 'save';
    button.title = 'Save these data as ' + id + '.csv';
    button.onclick = () => {
      const text = rows().map(row => row.map(quote).join(',')).join('\n') + '\n';
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([text], {type: 'text/csv'}));
      link.download = id + '.csv';
      link.click();
      URL.revokeObjectURL(link.href);
    };
  };

  // one plot: reads off values, zooms along x, hides series
  const open_plot = (svg, panel, told) => {
    const drawing = svg.parentElement, inner = svg.querySelector('svg'), was = svg.innerHTML;
    const [left, top, width, height] = svg.dataset.frame.split(' ').map(Number);
    const range = text => { const [low, high, log] = text.split(' ').map(Number); return {low, high, log}; };
    const whole = {x: range(svg.dataset.x), y: range(svg.dataset.y)};
    let {x, y} = whole, marks = null, box = null;
    const hidden = new Set();
    const position = ({low, high, log}, v) => log && v <= 0 ? NaN : ((log ? Math.log10(v) : v) - low) / (high - low);
    const value = ({low, high, log}, f) => log ? 10 ** (low + f * (high - low)) : low + f * (high - low);
    const px = v => left + width * position(x, v), py = v => top + height * (1 - position(y, v));
    const clear = () => { marks?.remove(); box?.remove(); marks = box = null; };

    // the cursor at a value of x; with a pointer, its numbers beside it
    const mark = (at, pointer) => {
      clear();
      const f = position(x, at);
      if (!(f >= -1e-9 && f <= 1 + 1e-9)) return;
      marks = draw('g', svg, {});
      draw('path', marks, {class: 'hair', d: `M${px(at)} ${top}v${height}`});
      const lines = [];
      panel.series.forEach((s, i) => {
        if (hidden.has(i) || s.x.length === 0) return;
        const k = nearest(s.x, s.ascending ??= is_ascending(s.x), at);
        if (!Number.isFinite(s.y[k]) || Math.abs(position(x, s.x[k]) - f) > .05) return;
        lines.push([i, s.name, s.y[k]]);
        const h = position(y, s.y[k]);
        if (h >= 0 && h <= 1) draw('circle', marks, {class: 'c' + i % 8, cx: px(s.x[k]), cy: py(s.y[k]), r: 3.5});
      });
      if (!pointer || lines.length === 0) return;
      box = make('div', drawing);
      box.className = 'read-out';
      make('div', box, `${panel.x.label || 'x'} = ${+at.toPrecision(6)} ${panel.x.unit}`);
      for (const [i, name, v] of lines) {
        const line = make('div', box);
        make('i', line).style.background = `var(--c${i % 8})`;
        make('span', line, name);
        make('b', line, `${+v.toPrecision(5)} ${panel.y.unit}`);
      }
      const bounds = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / bounds.width;
      box.style.top = bounds.top - drawing.getBoundingClientRect().top + top / scale + 'px';
      const from_left = pointer.clientX - bounds.left;
      if (from_left < bounds.width / 2) box.style.left = from_left + 18 + 'px';
      else box.style.right = bounds.width - from_left + 18 + 'px';
    };
    const share_at = event => {
      const bounds = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / bounds.width;
      return ((event.clientX - bounds.left) * scale - left) / width;
    };
    // the sample nearest to the pointer, of the series that has one nearest
    const sample_at = f => {
      let found = null, best = .05;
      panel.series.forEach((s, i) => {
        if (hidden.has(i) || s.x.length === 0) return;
        const k = nearest(s.x, s.ascending ??= is_ascending(s.x), value(x, f)), d = Math.abs(position(x, s.x[k]) - f);
        if (d < best) { best = d; found = s.x[k]; }
      });
      return found;
    };

    // a part of the x axis, y fitted to it; null: all of it
    const show_hidden = () => {
      svg.querySelectorAll('[data-series]').forEach(g => g.classList.toggle('off', hidden.has(+g.dataset.series)));
      svg.querySelectorAll('[data-key]').forEach(g => {
        g.classList.toggle('off', hidden.has(+g.dataset.key));
        g.setAttribute('aria-pressed', !hidden.has(+g.dataset.key));
      });
    };
    const zoom = part => {
      clear();
      svg.innerHTML = was;
      ({x, y} = whole);
      if (part) {
        x = {low: part[0], high: part[1], log: 0};
        const seen = panel.series.flatMap((s, i) => hidden.has(i) ? [] :
          Array.from(s.y).filter((v, k) => Number.isFinite(v) && s.x[k] >= part[0] && s.x[k] <= part[1]));
        if (seen.length && !y.log) {
          const low = seen.reduce((a, b) => Math.min(a, b)), high = seen.reduce((a, b) => Math.max(a, b));
          const room = .06 * (high - low) || .06 * Math.abs(high) || 1;
          y = {low: low - room, high: high + room, log: 0};
        }
        svg.querySelectorAll('.grid, .minor, .zero, .limit, .marker, .note').forEach(node => node.remove());
        const labels = svg.querySelector('.ticks'), paper = svg.querySelector('svg');
        labels.replaceChildren();
        paper.replaceChildren();
        const rule = (class_name, d) => svg.insertBefore(draw('path', svg, {class: class_name, d}), svg.querySelector('.axis'));
        for (const t of ticks(x.low, x.high, width / 90)) {
          rule('grid', `M${px(t)} ${top}v${height}`);
          draw('text', labels, {x: px(t), y: top + height + 18, 'text-anchor': 'middle'}).textContent = t;
        }
        for (const t of y.log ? [] : ticks(y.low, y.high, height / 50)) {
          rule('grid', `M${left} ${py(t)}h${width}`);
          draw('text', labels, {x: left - 8, y: py(t) + 4.5, 'text-anchor': 'end'}).textContent = t;
        }
        for (const limit of panel.limits) draw('path', paper, {class: 'limit', d: `M${left} ${py(limit.value)}h${width}`});
        for (const at of panel.markers) draw('path', paper, {class: 'marker', d: `M${px(at.value)} ${top}v${height}`});
        panel.series.forEach((s, i) => {
          let d = '', open = false;
          for (let k = 0; k < s.x.length; ++k) {
            const [u, v] = [px(s.x[k]), py(s.y[k])];
            if (!Number.isFinite(u) || !Number.isFinite(v)) { open = false; continue; }
            d += (open ? 'L' : 'M') + u.toFixed(1) + ' ' + v.toFixed(1);
            open = true;
          }
          const group = draw('g', paper, {'data-series': i});
          draw('path', group, {class: `line c${i % 8} d${(i + Math.floor(i / 8)) % 8}`, d});
        });
      }
      show_hidden();
      svg.classList.toggle('zoomed', !!part);
    };

    let pressed = null, band = null;
    svg.addEventListener('pointerdown', event => {
      const f = share_at(event);
      if (event.pointerType !== 'mouse' || event.button || f < 0 || f > 1 || x.log || event.target.closest('[data-key]')) return;
      pressed = f;
      event.preventDefault();
    });
    svg.addEventListener('pointermove', event => {
      const f = share_at(event);
      band?.remove();
      band = null;
      if (pressed !== null && event.buttons & 1) {
        clear();
        const [a, b] = [Math.min(pressed, f), Math.max(pressed, f)].map(v => Math.min(1, Math.max(0, v)));
        band = draw('rect', svg, {class: 'band', x: left + width * a, y: top, width: width * (b - a), height});
        return;
      }
      pressed = null;
      if (f < 0 || f > 1) return told.clear();
      const at = sample_at(f);
      if (at === null) return told.clear();
      told.point(at, event);
    });
    svg.addEventListener('pointerup', event => {
      if (pressed === null) return;
      const [a, b] = [pressed, Math.min(1, Math.max(0, share_at(event)))].sort((p, q) => p - q);
      pressed = null;
      band?.remove();
      band = null;
      if (b - a > .02) told.zoom([value(x, a), value(x, b)]);
    });
    svg.addEventListener('dblclick', () => told.zoom(null));
    svg.addEventListener('pointerleave', () => { pressed = null; band?.remove(); band = null; told.clear(); });
    const toggle = event => {
      const key = event.target.closest('[data-key]');
      if (!key || event.type === 'keydown' && event.key !== 'Enter' && event.key !== ' ') return;
      const i = +key.dataset.key;
      // with Shift, this one alone; and all of them again
      if (event.shiftKey) {
        const alone = hidden.size === panel.series.length - 1 && !hidden.has(i);
        hidden.clear();
        if (!alone) panel.series.forEach((_, k) => { if (k !== i) hidden.add(k); });
      } else if (!hidden.delete(i)) {
        hidden.add(i);
      }
      event.preventDefault();
      clear();
      show_hidden();
    };
    svg.addEventListener('click', toggle);
    svg.addEventListener('keydown', toggle);
    if (inner) svg.classList.add('live');
    return {axis: panel.x.label, svg, mark, clear, zoom};
  };

  const start = () => {
    const data = JSON.parse(document.getElementById('data').textContent);
    const columns = data.columns.map(decode);
    for (const {figure} of data.figures)
      for (const panel of figure.panels || [figure])
        for (const s of panel.series || []) { s.x = columns[s.x]; s.y = columns[s.y]; }
    for (const {id, figure} of data.figures) add_save(document.getElementById(id), id, () => rows_of(figure));
    for (const {id, table} of data.tables)
      add_save(document.getElementById(id), id, () => [table.columns.map(c => head(c.name, c.unit)), ...table.rows]);

    // one cursor for all that has the same axis: a pointer over a curve moves the robot, a robot that plays moves the cursor
    const plots = [], views = [];
    const in_sight = node => { const r = node.getBoundingClientRect(); return r.bottom > 0 && r.top < innerHeight; };
    const mark_all = (axis, at) => {
      for (const plot of plots) if (plot.axis === axis) in_sight(plot.svg) ? plot.mark(at) : plot.clear();
    };
    for (const {id, figure} of data.figures) {
      const node = document.getElementById(id);
      if (figure.kind === 'view' && figure.clips.length)
        views.push(TorsorView.mount(node.querySelector('.view'), figure, at => mark_all(figure.axis.label, at)));
    }
    for (const svg of document.querySelectorAll('svg[data-frame]')) {
      const node = svg.closest('figure'), {figure} = data.figures.find(f => f.id === node.id);
      const panel = figure.panels ? figure.panels[svg.parentElement.dataset.panel] : figure;
      const plot = open_plot(svg, panel, {
        clear: () => plots.forEach(each => each.clear()),
        point: (at, event) => {
          for (const each of plots)
            if (each === plot) each.mark(at, event); else if (each.axis === plot.axis && in_sight(each.svg)) each.mark(at);
          for (const view of views) if (view.axis === plot.axis) view.show(at);
        },
        zoom: part => plots.filter(each => each.figure === node).forEach(each => each.zoom(part)),
      });
      plots.push(Object.assign(plot, {figure: node}));
    }
    // for tests: what is on the page
    document.documentElement.dataset.ready = `${plots.length} ${views.length}`;
  };
  return {decode, nearest, ticks, rows_of, quote, start};
})();
if (typeof module !== 'undefined') module.exports = TorsorPage;
else if (document.getElementById('data')) TorsorPage.start();

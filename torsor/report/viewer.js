// The moving robot of a page: a figure of kind "view" (moving_view.hpp) drawn on a canvas in parallel projection.
// Poses come with the page as the library computed them; this script places shapes, projects and paints.
const TorsorView = (() => {
  'use strict';

  // ---- numbers -----------------------------------------------------------------------------------------------------
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const add = (a, b, k = 1) => [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]];
  const unit = a => { const n = Math.hypot(...a) || 1; return [a[0] / n, a[1] / n, a[2] / n]; };
  const clamp = (x, low, high) => Math.min(high, Math.max(low, x));

  // little-endian float32 numbers, as base64
  const decode = text => new Float32Array(Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer);

  // a pose is seven numbers, x y z and the quaternion e0 e1 e2 e3; `at` is where they begin
  const place = (poses, at, s) => {
    const [w, x, y, z] = [poses[at + 3], poses[at + 4], poses[at + 5], poses[at + 6]];
    const q = [x, y, z], t = cross(q, s).map(c => 2 * c), u = cross(q, t);
    return [0, 1, 2].map(k => poses[at + k] + s[k] + w * t[k] + u[k]);
  };

  // the frame nearest to a time, of ascending times
  const frame_at = (times, t) => {
    let low = 0, high = times.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] < t) low = middle + 1; else high = middle;
    }
    return low > 0 && t - times[low - 1] <= times[low] - t ? low - 1 : low;
  };

  // directions of the page for a viewer who stands `yaw` to the right of the front and `pitch` above the horizon
  const camera = (up, front, yaw, pitch) => {
    const east = cross(front, up);
    const viewer = add(front.map(c => -c * Math.cos(yaw)), east, Math.sin(yaw));
    const towards = add(viewer.map(c => c * Math.cos(pitch)), up, Math.sin(pitch));
    const right = cross(up, viewer);
    return {right, up: cross(towards, right), towards};
  };
  const project = (view, p) => {
    const d = add(p, view.centre, -1);
    return [view.x + view.scale * dot(d, view.right), view.y - view.scale * dot(d, view.up), dot(d, view.towards)];
  };

  // the convex hull of points of the page, by Andrew's monotone chain
  const hull = points => {
    const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const turn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    const side = list => {
      const chain = [];
      for (const p of list) {
        while (chain.length > 1 && turn(chain.at(-2), chain.at(-1), p) <= 0) chain.pop();
        chain.push(p);
      }
      return chain.slice(0, -1);
    };
    return sorted.length < 3 ? sorted : [...side(sorted), ...side(sorted.reverse())];
  };

  // blue, yellow, vermilion: told apart by their lightness, too; what is over its limit has a ring besides
  const share_colour = share => {
    const stops = [[59, 108, 181], [244, 214, 92], [208, 52, 32]];
    const x = clamp(share, 0, 1) * 2, k = Math.min(1, Math.floor(x)), f = x - k;
    return 'rgb(' + stops[k].map((c, i) => Math.round(c + f * (stops[k + 1][i] - c))).join(' ') + ')';
  };

  // 0.1, 0.2, 0.5, 1, ...: the largest that is no longer than this
  const round_length = x => {
    const decade = 10 ** Math.floor(Math.log10(x));
    return decade * (5 * decade <= x ? 5 : 2 * decade <= x ? 2 : 1);
  };

  // ---- painting ----------------------------------------------------------------------------------------------------
  // everything that is to be seen at a frame, from the farthest to the nearest: {depth, name, share, points, paint}
  const scene = (figure, view, pose, theme) => {
    const at = (part, s) => part < 0 ? s : place(pose.poses, pose.first + 7 * part, s);
    const page = (part, s) => project(view, at(part, s));
    const unitpx = view.scale * figure.radius / 100;  // a hundredth of the robot
    const line = clamp(2.6 * unitpx, 2.2, 26), edge = Math.max(1, .22 * line);
    const things = [];
    const stroke = (g, points, width, colour, closed) => {
      g.beginPath();
      points.forEach((p, i) => i ? g.lineTo(p[0], p[1]) : g.moveTo(p[0], p[1]));
      if (closed) g.closePath();
      g.lineWidth = width; g.strokeStyle = colour; g.lineCap = g.lineJoin = 'round';
      g.stroke();
    };
    const fill = (g, points, colour, rim) => {
      g.beginPath();
      points.forEach((p, i) => i ? g.lineTo(p[0], p[1]) : g.moveTo(p[0], p[1]));
      g.closePath();
      g.fillStyle = colour; g.fill();
      if (rim) { g.lineWidth = Math.max(1, .9 * edge); g.strokeStyle = rim; g.lineJoin = 'round'; g.stroke(); }
    };
    const mean = points => points.reduce((sum, p) => sum + p[2], 0) / points.length;

    // bodies: strokes between their joints, or the hull of three and more of them
    [[-1, figure.base], ...figure.parts.entries()].forEach(([part, body]) => {
      const lines = body.strokes.map(s => [page(part, s.slice(0, 3)), page(part, s.slice(3))]);
      const plate = body.plate.length > 0 ? hull(body.plate.map(s => page(part, s))) : [];
      if (!lines.length && !plate.length) return;
      const tint = body.colour < 0 ? theme.link : theme.colours[body.colour % 8];
      things.push({
        depth: mean(lines.flat().concat(plate)), name: body.name, lines: plate.length ? [...lines, ...plate.map(
          (p, i) => [p, plate[(i + 1) % plate.length]])] : lines, reach: line / 2,
        paint: g => {
          if (plate.length) {
            g.globalAlpha = .35; fill(g, plate, tint); g.globalAlpha = 1;
            stroke(g, plate, line * .8 + 2 * edge, theme.rim, true);
            stroke(g, plate, line * .8, tint, true);
          }
          for (const l of lines) stroke(g, l, line + 2 * edge, theme.rim);
          for (const l of lines) stroke(g, l, line, tint);
        }
      });
    });

    // what reaches from one body to another: rods, slides, springs, cylinders
    for (const bar of figure.bars) {
      const a = page(bar.i, bar.at_i), b = page(bar.j, bar.at_j);
      const along = [b[0] - a[0], b[1] - a[1]], length = Math.hypot(...along) || 1;
      const across = [-along[1] / length, along[0] / length];
      const on = (f, side) => [a[0] + f * along[0] + side * across[0], a[1] + f * along[1] + side * across[1]];
      things.push({
        depth: (a[2] + b[2]) / 2, name: bar.name, share: bar.share, lines: [[a, b]], reach: line / 2,
        paint: g => {
          if (bar.kind === 'spring') {
            const turns = 9, zigzag = [a, on(.15, 0)];
            for (let k = 0; k < turns; ++k) zigzag.push(on(.15 + .7 * (k + .5) / turns, (k % 2 ? -1 : 1) * 1.3 * line));
            stroke(g, [...zigzag, on(.85, 0), b], Math.max(1.4, .35 * line), theme.ink);
          } else if (bar.kind === 'cylinder') {
            stroke(g, [on(.5, 0), b], .5 * line, theme.muted);
            stroke(g, [a, on(.6, 0)], 1.25 * line + 2 * edge, theme.rim);
            stroke(g, [a, on(.6, 0)], 1.25 * line, bar.colour || theme.link);
          } else {
            const width = bar.kind === 'slide' ? .6 * line : .55 * line;
            stroke(g, [a, b], width + 2 * edge, theme.rim);
            stroke(g, [a, b], width, bar.kind === 'slide' ? theme.muted : theme.link);
          }
        }
      });
    }

    // joints: small solids along their axes
    for (const joint of figure.symbols) {
      const [x, y, z] = [0, 3, 6].map(k => joint.axes.slice(k, k + 3));
      const r = joint.radius > 0 ? joint.radius : clamp(3.4 * unitpx, 3.4, 30) / view.scale;
      const point = (u, v, w) => page(joint.part, joint.at.map((c, k) => c + r * (u * x[k] + v * y[k] + w * z[k])));
      const ring = (radius, height, steps = 24) => Array.from({length: steps}, (_, k) =>
        point(radius * Math.cos(2 * Math.PI * k / steps), radius * Math.sin(2 * Math.PI * k / steps), height));
      const faces = [];  // [points, is an end]
      const prism = (rim, half) => {
        const [low, high] = [rim(-half), rim(half)];
        faces.push([hull([...low, ...high]), false], [mean(high) > mean(low) ? high : low, true]);
      };
      const box = (a, b, c) => prism(h => [[a, b], [-a, b], [-a, -b], [a, -b]].map(([u, v]) => point(u, v, h)), c);
      const ball = radius => {
        const c = point(0, 0, 0), px = radius * r * view.scale;
        faces.push([Array.from({length: 28}, (_, k) =>
          [c[0] + px * Math.cos(k * Math.PI / 14), c[1] + px * Math.sin(k * Math.PI / 14), c[2]]), true]);
      };
      const kind = joint.kind;
      if (kind === 'revolute') prism(h => ring(1, h), 1.45);
      else if (kind === 'prismatic') box(1, 1, 1.7);
      else if (kind === 'cylindrical') { prism(h => ring(.62, h), 2.4); prism(h => ring(1, h), 1.3); }
      else if (kind === 'helical') for (const h of [-1.2, -.4, .4, 1.2]) prism(k => ring(h * h > 1 ? .8 : 1, h + k), .3);
      else if (kind === 'planar') box(1.7, 1.7, .25);
      else if (kind === 'universal') { prism(h => ring(.55, h), 1.5);
        prism(h => ring(.55, 0).map((_, k, all) => point(.55 * Math.cos(2 * Math.PI * k / all.length), h,
          .55 * Math.sin(2 * Math.PI * k / all.length))), 1.5); }
      else if (kind === 'disc') prism(h => ring(1, h), .08);
      else if (kind === 'fixed') ball(.55);
      else if (kind === 'mass') ball(1);
      else if (kind !== 'ground' && kind !== 'free' && kind !== 'coil') ball(1.05);
      const centre = point(0, 0, 0);
      const share = joint.share >= 0 ? pose.share(joint.share) : NaN;
      const colour = kind === 'mass' ? theme.muted : Number.isFinite(share) ? share_colour(share) : theme.joint;
      const px = r * view.scale;
      things.push({
        depth: kind === 'ground' ? -1e9 : centre[2] + .05 * figure.radius, name: joint.name, share, lines: [[centre, centre]],
        reach: kind === 'ground' ? 0 : 1.2 * px, joint: true,
        paint: g => {
          if (kind === 'ground') {  // hatched from below
            const w = 2.1 * px, yb = centre[1] + 1.5 * px, marks = [-1, -.5, 0, .5, 1];
            fill(g, [centre, [centre[0] - .6 * w, yb], [centre[0] + .6 * w, yb]], theme.soft, theme.muted);
            stroke(g, [[centre[0] - w, yb], [centre[0] + w, yb]], Math.max(1.2, edge), theme.muted);
            for (const m of marks)
              stroke(g, [[centre[0] + m * w, yb], [centre[0] + m * w - .35 * w, yb + .35 * w]], 1, theme.muted);
          } else if (kind === 'free') {
            g.setLineDash([3, 3]);
            g.beginPath(); g.arc(centre[0], centre[1], 1.2 * px, 0, 7); g.lineWidth = 1.2; g.strokeStyle = theme.muted;
            g.stroke(); g.setLineDash([]);
          } else if (kind === 'coil')
            stroke(g, Array.from({length: 61}, (_, k) => point((1.2 + k / 50) * Math.cos(k / 4), (1.2 + k / 50) * Math.sin(k / 4), 0)),
              1.4, theme.ink);
          for (const [points, end] of faces) {
            fill(g, points, colour, theme.rim);
            if (!end) { g.globalAlpha = .22; fill(g, points, '#000'); g.globalAlpha = 1; }
          }
          if (share > 1) {
            g.beginPath(); g.arc(centre[0], centre[1], 2.1 * px, 0, 7);
            g.lineWidth = 2; g.strokeStyle = theme.bad; g.stroke();
          }
        }
      });
    }

    // axes of the tools
    for (const trace of figure.traces) {
      const o = page(trace.part, trace.at), length = clamp(9 * unitpx, 12, 60) / view.scale;
      const ends = (trace.axes.length ? [0, 3, 6] : []).map(k => page(trace.part, add(trace.at, trace.axes.slice(k, k + 3), length)));
      things.push({depth: o[2] + .02 * figure.radius, name: trace.name, lines: [[o, o]], reach: 7,
        paint: g => ends.forEach((e, k) => stroke(g, [o, e], 2, theme.axes[k]))});
    }
    return things.sort((a, b) => a.depth - b.depth);
  };

  // squares on the floor below the robot
  const floor = (g, figure, view, theme) => {
    const step = round_length(figure.radius / 1.5), count = 3;
    const down = add(figure.centre, figure.up, figure.floor - dot(figure.centre, figure.up));
    const east = cross(figure.front, figure.up);
    const at = (i, j) => project(view, add(add(down, east, i * step), figure.front, j * step));
    g.beginPath();
    for (let k = -count; k <= count; ++k)
      for (const [a, b] of [[at(k, -count), at(k, count)], [at(-count, k), at(count, k)]]) {
        g.moveTo(a[0], a[1]);
        g.lineTo(b[0], b[1]);
      }
    g.lineWidth = 1; g.strokeStyle = theme.grid; g.stroke();
  };

  const distance = (p, [a, b]) => {
    const d = [b[0] - a[0], b[1] - a[1]], n = d[0] * d[0] + d[1] * d[1];
    const f = n > 0 ? clamp(((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / n, 0, 1) : 0;
    return Math.hypot(p[0] - a[0] - f * d[0], p[1] - a[1] - f * d[1]);
  };

  // ---- the element -------------------------------------------------------------------------------------------------
  // Shows the figure in `box`; `moved(value)` hears of every frame. Gives {axis, show(value)}: others may move it.
  const mount = (box, figure, moved = () => {}) => {
    const make = (name, parent, properties = {}) =>
      Object.assign(parent.appendChild(document.createElement(name)), properties);
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const clips = figure.clips.map(c => ({...c, poses: decode(c.poses), shares: decode(c.shares)}));
    const frames = clips.some(c => c.t.length > 1);
    const canvas = make('canvas', box, {tabIndex: 0});
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', figure.title + (frames ? '; space plays, arrows step' : '') + '; drag turns');
    const tip = make('div', box, {className: 'tip', hidden: true});
    const bar = make('div', box, {className: 'controls'});
    let clip = clips[0], frame = 0, playing = false, clock = 0, last = 0, speed = 1, planar = !!figure.planar;
    let yaw = 30 * Math.PI / 180, pitch = 22 * Math.PI / 180, zoom = 1, shift = [0, 0], hovered = null, drawn = [];

    const play = make('button', bar, {type: 'button', hidden: !frames});
    const slider = make('input', bar, {type: 'range', min: 0, step: 1, value: 0, hidden: !frames});
    slider.setAttribute('aria-label', figure.axis.label);
    const time = make('output', bar, {hidden: !frames});
    const rates = make('select', bar, {hidden: !frames, title: 'speed'});
    for (const s of [.1, .25, .5, 1, 2, 5]) make('option', rates, {value: s, textContent: s + '×', selected: s === 1});
    const which = make('select', bar, {hidden: clips.length < 2, title: figure.clip_label || 'motion'});
    clips.forEach((c, i) => make('option', which, {value: i, textContent: c.name}));
    const flat = make('button', bar, {type: 'button', hidden: !figure.planar});
    const home = make('button', bar, {type: 'button', textContent: 'reset view'});
    if (figure.share) {
      const scale = make('span', bar, {className: 'share', title: figure.share});
      make('span', scale, {textContent: '0'});
      make('i', scale).style.background =
        `linear-gradient(90deg, ${[0, .25, .5, .75, 1].map(share_colour).join(', ')})`;
      make('span', scale, {textContent: '100 % of the ' + figure.share});
    }

    const theme = () => {
      const style = getComputedStyle(box), v = name => style.getPropertyValue('--' + name).trim();
      return {ink: v('ink'), muted: v('muted'), rim: v('view-rim'), link: v('view-link'), joint: v('view-joint'),
        grid: v('grid'), soft: v('soft'), bad: v('bad'), accent: v('accent'), card: v('card'),
        axes: [v('c1'), v('c2'), v('c0')], colours: Array.from({length: 8}, (_, k) => v('c' + k))};
    };
    const number = x => String(+x.toPrecision(4));

    // the scale at which what is seen from the first direction, or across the plane, fills the picture
    const fits = {};
    const fit = (side, width, height) => {
      const key = `${!!side} ${width} ${height}`;
      if (fits[key]) return fits[key];
      const directions = side ? {right: cross(side.up, side.normal), up: side.up, towards: side.normal}
        : camera(figure.up, figure.front, 30 * Math.PI / 180, 22 * Math.PI / 180);
      const view = {...directions, centre: figure.centre, scale: 1, x: 0, y: 0}, n = 7 * figure.parts.length, seen = [];
      const see = (poses, f, part, s) => seen.push(project(view, part < 0 ? s : place(poses, f * n + 7 * part, s)));
      for (const c of clips) {
        const step = Math.max(1, Math.floor(c.t.length / 40)), start = c.start ?? 0;
        for (let f = figure.fits_start ? start : 0; f < (figure.fits_start ? start + 1 : c.t.length); f += step) {
          [[-1, figure.base], ...figure.parts.entries()].forEach(([part, body]) => {
            for (const s of body.strokes) { see(c.poses, f, part, s.slice(0, 3)); see(c.poses, f, part, s.slice(3)); }
            for (const s of body.plate) see(c.poses, f, part, s);
          });
          for (const b of figure.bars) { see(c.poses, f, b.i, b.at_i); see(c.poses, f, b.j, b.at_j); }
          for (const s of [...figure.symbols, ...figure.traces]) see(c.poses, f, s.part, s.at);
        }
      }
      const ends = k => seen.reduce(([a, b], p) => [Math.min(a, p[k]), Math.max(b, p[k])], [Infinity, -Infinity]);
      const [[x0, x1], [y0, y1]] = [ends(0), ends(1)], round = .47 * Math.min(height, width) / figure.radius;
      const room = figure.fits_start ? .68 : 1;
      const scale = Math.min(room * (width - 110) / (x1 - x0 || 1e-9), room * (height - 96) / (y1 - y0 || 1e-9), 3 * round);
      return fits[key] = {scale, x: scale * (x0 + x1) / 2, y: scale * (y0 + y1) / 2};
    };

    let wanted = false;
    const redraw = () => { if (!wanted) { wanted = true; requestAnimationFrame(() => { wanted = false; paint(); }); } };
    const paint = () => {
      const width = box.clientWidth, height = clamp(.56 * width, 260, 460), dense = window.devicePixelRatio || 1;
      if (canvas.width !== Math.round(width * dense) || canvas.height !== Math.round(height * dense)) {
        canvas.width = Math.round(width * dense);
        canvas.height = Math.round(height * dense);
        canvas.style.height = height + 'px';
      }
      const g = canvas.getContext('2d'), colours = theme();
      g.setTransform(dense, 0, 0, dense, 0, 0);
      g.clearRect(0, 0, width, height);
      const side = planar ? figure.planar : null;
      const directions = side ? {right: cross(side.up, side.normal), up: side.up, towards: side.normal}
        : camera(figure.up, figure.front, yaw, pitch);
      const fitted = fit(side, width, height), scale = zoom * fitted.scale;
      const view = {...directions, centre: figure.centre, scale,
        x: width / 2 + shift[0] - zoom * fitted.x, y: height / 2 + shift[1] - zoom * fitted.y};
      if (!planar && figure.floor !== null) floor(g, figure, view, colours);
      const n = 7 * figure.parts.length, shares = clip.shares.length / clip.t.length;
      const pose = {poses: clip.poses, first: frame * n, share: k => clip.shares[frame * shares + k]};
      // the way of the tools over the whole motion, and what of it is done
      for (const trace of clip.t.length > 1 ? figure.traces : []) {
        const points = clip.t.map((_, f) => project(view, trace.part < 0 ? trace.at :
          place(clip.poses, f * n + 7 * trace.part, trace.at)));
        for (const [until, alpha, dash] of [[points.length, .45, [4, 4]], [frame + 1, .95, []]]) {
          g.beginPath();
          points.slice(0, until).forEach((p, i) => i ? g.lineTo(p[0], p[1]) : g.moveTo(p[0], p[1]));
          g.globalAlpha = alpha; g.setLineDash(dash); g.lineWidth = 1.6; g.strokeStyle = colours.accent; g.stroke();
        }
        g.globalAlpha = 1; g.setLineDash([]);
      }
      drawn = scene(figure, view, pose, colours);
      for (const thing of drawn) thing.paint(g);
      // a length for scale
      const length = round_length(110 / scale), px = length * scale;
      g.lineWidth = 1.3; g.strokeStyle = g.fillStyle = colours.muted;
      g.beginPath();
      g.moveTo(14, height - 18); g.lineTo(14, height - 12); g.lineTo(14 + px, height - 12); g.lineTo(14 + px, height - 18);
      g.stroke();
      g.font = '12px system-ui, sans-serif';
      g.fillText(length >= 1 ? number(length) + ' m' : number(1000 * length) + ' mm', 20, height - 18);
      ['x', 'y', 'z'].forEach((name, k) => {
        const e = [0, 0, 0]; e[k] = 1;
        const o = [width - 42, height - 36], d = [26 * dot(e, view.right), -26 * dot(e, view.up)];
        if (Math.hypot(...d) < 3) return;
        g.beginPath(); g.moveTo(...o); g.lineTo(o[0] + d[0], o[1] + d[1]);
        g.lineWidth = 2; g.strokeStyle = g.fillStyle = colours.axes[k]; g.stroke();
        g.fillText(name, o[0] + 1.35 * d[0] - 3, o[1] + 1.35 * d[1] + 4);
      });
      canvas.dataset.painted = frame;
    };

    const set_frame = (f, quietly) => {
      frame = clamp(f, 0, clip.t.length - 1);
      slider.value = frame;
      const value = clip.t[frame], unit = clip.unit ?? figure.axis.unit;
      time.textContent = `${number(value)}${unit ? ' ' + unit : ''}`;
      slider.setAttribute('aria-valuetext', time.textContent);
      if (!quietly) moved(value);
      redraw();
    };
    const set_playing = on => {
      playing = on && clip.t.length > 1;
      play.textContent = playing ? '❚❚' : '▶';
      play.setAttribute('aria-label', playing ? 'pause' : 'play');
      if (!playing) return;
      if (frame === clip.t.length - 1) set_frame(0);
      clock = clip.t[frame];
      last = performance.now();
      requestAnimationFrame(tick);
    };
    const tick = now => {
      if (!playing) return;
      const [begin, end] = [clip.t[0], clip.t.at(-1)];
      // what has no seconds takes six of them
      const pace = (clip.unit ?? figure.axis.unit) === 's' ? 1 : (end - begin) / 6;
      clock += speed * pace * (now - last) / 1000;
      last = now;
      if (clock >= end && figure.loops) clock = begin + (clock - begin) % (end - begin || 1);
      const f = frame_at(clip.t, clock);
      if (f !== frame) set_frame(f);
      if (clock >= end && !figure.loops) set_playing(false); else requestAnimationFrame(tick);
    };
    play.onclick = () => set_playing(!playing);
    slider.oninput = () => { set_playing(false); set_frame(+slider.value); };
    rates.onchange = () => { speed = +rates.value; };
    const choose = i => {
      clip = clips[i];
      slider.max = clip.t.length - 1;
      set_frame(clip.start ?? 0, true);
      if (playing) clock = clip.t[frame];
    };
    which.onchange = () => choose(+which.value);
    const set_planar = on => { planar = on; flat.textContent = on ? 'in space' : 'in its plane'; redraw(); };
    flat.onclick = () => set_planar(!planar);
    home.onclick = () => {
      [yaw, pitch, zoom, shift] = [30 * Math.PI / 180, 22 * Math.PI / 180, 1, [0, 0]];
      set_planar(!!figure.planar);
    };

    // drag to turn, with shift or the other button to move; wheel to zoom once the picture has been touched
    let held = null;
    canvas.addEventListener('pointerdown', e => {
      held = {x: e.clientX, y: e.clientY, move: e.shiftKey || e.button > 0};
      canvas.setPointerCapture(e.pointerId);
    });
    canvas.addEventListener('contextmenu', e => e.preventDefault());
    canvas.addEventListener('pointerup', () => { held = null; });
    canvas.addEventListener('pointercancel', () => { held = null; });
    canvas.addEventListener('pointermove', e => {
      if (held) {
        const [dx, dy] = [e.clientX - held.x, e.clientY - held.y];
        [held.x, held.y] = [e.clientX, e.clientY];
        if (held.move || planar) shift = [shift[0] + dx, shift[1] + dy];
        else { yaw -= .01 * dx; pitch = clamp(pitch + .01 * dy, -Math.PI / 2, Math.PI / 2); }
        return redraw();
      }
      const bounds = canvas.getBoundingClientRect(), p = [e.clientX - bounds.left, e.clientY - bounds.top];
      hovered = null;
      for (const thing of drawn)
        if (thing.name && thing.lines.some(l => distance(p, l) <= thing.reach + 3) && (thing.joint || !hovered?.joint))
          hovered = thing;
      tip.hidden = !hovered;
      if (!hovered) return;
      const share = hovered.share;
      tip.textContent = hovered.name + (Number.isFinite(share) && figure.share
        ? `: ${number(100 * share)} % of the ${figure.share}` : '');
      tip.style.left = Math.min(p[0] + 14, bounds.width - 150) + 'px';
      tip.style.top = p[1] + 14 + 'px';
    });
    canvas.addEventListener('pointerleave', () => { tip.hidden = true; });
    canvas.addEventListener('wheel', e => {
      if (document.activeElement !== canvas && !e.ctrlKey) return;  // a page that is scrolled by goes on
      e.preventDefault();
      zoom = clamp(zoom * Math.exp(-.0015 * e.deltaY), .2, 40);
      redraw();
    }, {passive: false});
    canvas.addEventListener('keydown', e => {
      const steps = {ArrowRight: 1, ArrowLeft: -1, PageUp: 10, PageDown: -10, Home: -1e9, End: 1e9};
      if (e.key === ' ') set_playing(!playing);
      else if (e.key in steps && frames) { set_playing(false); set_frame(frame + steps[e.key] * (e.shiftKey ? 10 : 1)); }
      else if (e.key === 'ArrowUp' || e.key === 'ArrowDown') speed_step(e.key === 'ArrowUp' ? 1 : -1);
      else if (e.key === '+' || e.key === '-') { zoom = clamp(zoom * (e.key === '+' ? 1.2 : 1 / 1.2), .2, 40); redraw(); }
      else return;
      e.preventDefault();
    });
    const speed_step = d => {
      rates.selectedIndex = clamp(rates.selectedIndex + d, 0, rates.options.length - 1);
      speed = +rates.value;
    };
    new ResizeObserver(redraw).observe(box);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
    box.classList.add('live');
    set_planar(planar);
    choose(0);
    set_playing(false);
    if (figure.plays && !calm) set_playing(true);
    return {axis: figure.axis.label, show: value => { set_playing(false); set_frame(frame_at(clip.t, value), true); }};
  };

  return {decode, place, frame_at, camera, project, hull, share_colour, round_length, mount};
})();
if (typeof module !== 'undefined') module.exports = TorsorView;

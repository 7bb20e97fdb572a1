#include "torsor/report/report_style.hpp"

namespace torsor {

std::string_view page_css() {
  return R"css(
:root { --page:#f4f6f8; --card:#fff; --ink:#18212b; --muted:#5a6673; --rule:#d9dee4; --soft:#eef1f4; --accent:#1a3fb0;
  --good:#11734f; --warning:#8a5a00; --bad:#a11d2f; color-scheme:light; }
@media screen and (prefers-color-scheme: dark) {
  :root { --page:#0f1318; --card:#161b21; --ink:#e4e8ec; --muted:#9aa6b2; --rule:#2c343d; --soft:#1d242b;
    --accent:#7ea8ff; --good:#4cd6a0; --warning:#f0c04f; --bad:#ff8d97; color-scheme:dark; }
}
* { box-sizing:border-box; }
html { -webkit-text-size-adjust:100%; }
body { margin:0; background:var(--page); color:var(--ink);
  font:16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", "Helvetica Neue",
  Arial, sans-serif; }
main { max-width:1020px; margin:0 auto; padding:44px 28px 56px; }
header { border-bottom:3px solid var(--accent); padding-bottom:14px; margin-bottom:26px; }
h1 { font-size:2.05rem; line-height:1.2; letter-spacing:-.015em; margin:0; font-weight:680; text-wrap:balance; }
.subtitle { margin:.35em 0 0; color:var(--muted); font-size:1.06rem; }
h2 { font-size:1.3rem; line-height:1.3; letter-spacing:-.008em; margin:2.1em 0 .55em; font-weight:650; }
p { margin:.6em 0; max-width:72ch; overflow-wrap:break-word; }
a { color:var(--accent); }
nav { display:flex; flex-wrap:wrap; gap:4px 22px; margin:18px 0 4px; font-size:.94rem; }
nav a { text-decoration:none; } nav a:hover { text-decoration:underline; }
.highlights { display:grid; grid-template-columns:repeat(auto-fit, minmax(min(100%, 205px), 1fr)); gap:14px; margin:0; }
@media (min-width:900px) {
  .by3 { grid-template-columns:repeat(3, 1fr); } .by4 { grid-template-columns:repeat(4, 1fr); }
}
.highlights > div { background:var(--card); border:1px solid var(--rule); border-radius:10px; padding:13px 16px 12px;
  border-top:3px solid var(--rule); }
.highlights > .good { border-top-color:var(--good); } .highlights > .warning { border-top-color:var(--warning); }
.highlights > .bad { border-top-color:var(--bad); }
dt { color:var(--muted); font-size:.87rem; }
dd { margin:0; font-size:1.62rem; line-height:1.3; font-weight:620; font-variant-numeric:tabular-nums;
  letter-spacing:-.01em; }
dd small { font-size:.95rem; font-weight:450; color:var(--muted); letter-spacing:0; }
dd.remark, p.remark { font-size:.87rem; font-weight:400; color:var(--muted); letter-spacing:0; line-height:1.45; }
.notice { border-left:4px solid var(--rule); background:var(--card); padding:10px 16px; border-radius:0 8px 8px 0; }
.verdict { font-size:1.1rem; font-weight:560; margin:0 0 18px; max-width:none; }
.notice.good { border-color:var(--good); } .notice.warning { border-color:var(--warning); }
.notice.bad { border-color:var(--bad); }
pre { background:var(--card); border:1px solid var(--rule); border-radius:10px; padding:14px 18px; margin:16px 0;
  white-space:pre-wrap; overflow-wrap:anywhere; font:13px/1.5 ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono",
  "Liberation Mono", Consolas, monospace; }
pre span { display:block; padding-left:5ch; text-indent:-5ch; }
figure { position:relative; margin:18px 0 22px; background:var(--card); border:1px solid var(--rule);
  border-radius:10px; padding:14px 18px 12px; }
figcaption { font-size:.96rem; margin-bottom:8px; padding-right:56px; }
figcaption b { font-weight:650; margin-right:.5em; }
.drawing { position:relative; } .drawing.narrow, .on-paper { display:none; }
.panels { display:grid; gap:14px 18px; grid-template-columns:repeat(auto-fill, minmax(min(100%, 285px), 1fr)); }
.panels.of1 { grid-template-columns:1fr; }
.panels.of2 { grid-template-columns:repeat(auto-fill, minmax(min(100%, 400px), 1fr)); }
.panels.of4 { grid-template-columns:repeat(auto-fill, minmax(min(100%, 215px), 1fr)); }
.tile { max-width:430px; } .of1 > .tile { max-width:none; }
.panel { font-size:.9rem; font-weight:620; margin:4px 0 0 3px; }
.cell { font-size:12px; font-variant-numeric:tabular-nums; }
.plot .on-dark { fill:#fff; } .plot .on-light { fill:#18212b; }
.scroll { overflow-x:auto; background:
    linear-gradient(to right, var(--card) 40%, transparent) left / 36px 100% no-repeat local,
    linear-gradient(to left, var(--card) 40%, transparent) right / 36px 100% no-repeat local,
    linear-gradient(to right, #0004, transparent) left / 12px 100% no-repeat scroll,
    linear-gradient(to left, #0004, transparent) right / 12px 100% no-repeat scroll; }
.broad { margin-inline:min(0px, max(-100px, (100% - 100vw) / 2 + 20px)); }
.screen1 { --fit:.92; } .screen2 { --fit:.84; } .screen3 { --fit:.77; } .screen4 { --fit:.71; } .screen5 { --fit:.66; }
.paper1 { --fit-paper:.92; } .paper2 { --fit-paper:.84; } .paper3 { --fit-paper:.76; }
table { border-collapse:collapse; min-width:min(100%, 460px); font-size:calc(.94rem * var(--fit, 1));
  font-variant-numeric:tabular-nums lining-nums; }
th { font-weight:600; color:var(--muted); font-size:.93em; vertical-align:bottom;
  border-bottom:1.5px solid var(--axis); }
th, td { padding:6px 1.3em 6px 0; text-align:left; } td { border-bottom:1px solid var(--soft); }
td.right, td.whole { white-space:nowrap; }
tr:last-child td { border-bottom:0; } tbody tr:hover td { background:var(--soft); }
.right { text-align:right; } .center { text-align:center; } th:last-child, td:last-child { padding-right:4px; }
footer { margin-top:44px; padding-top:14px; border-top:1px solid var(--rule); color:var(--muted); font-size:.87rem; }
button.save { position:absolute; top:12px; right:14px; font:inherit; font-size:.8rem; color:var(--muted);
  background:none; border:1px solid var(--rule); border-radius:6px; padding:1px 9px; cursor:pointer; }
button.save:hover, button.save:focus-visible { color:var(--accent); border-color:var(--accent); }
.read-out { position:absolute; pointer-events:none; z-index:1; background:var(--card); border:1px solid var(--axis);
  border-radius:7px; padding:6px 10px; font-size:.82rem; line-height:1.5; white-space:nowrap;
  font-variant-numeric:tabular-nums; box-shadow:0 3px 12px #0003; }
.read-out i { display:inline-block; width:12px; height:3px; margin-right:7px; vertical-align:middle; }
.read-out b { float:right; margin-left:18px; font-weight:600; }
.plot .hair { stroke:var(--muted); } .plot .band { fill:var(--accent); fill-opacity:.16; }
.plot.live { touch-action:pan-y; } .plot.zoomed { cursor:zoom-out; } .plot [data-series].off { display:none; }
.plot [data-key] { cursor:pointer; } .plot [data-key].off { opacity:.38; } .plot [data-key]:hover text { fill:var(--accent); }
@media (max-width:680px) {
  main { padding:26px 14px 40px; } h1 { font-size:1.6rem; } figure { padding:12px 10px 10px; }
  .scroll[class] { --fit:.95; } .scroll table { min-width:max-content; } .scroll td { max-width:19rem; }
  .scroll th:first-child, .scroll td:first-child { position:sticky; left:0; background:var(--card); }
  .drawing.narrow { display:block; } .drawing.wide { display:none; }
  .highlights { grid-template-columns:repeat(2, minmax(0, 1fr)); gap:10px; } dd { font-size:1.35rem; }
}
@media print {
  @page { margin:16mm 14mm; }
  body { background:#fff; font-size:10.5pt; } main { max-width:none; }
  .scroll { overflow:visible; background:none; } .broad { margin-inline:0; }
  .on-screen { display:none; } .on-paper { display:block; } .on-paper + .on-paper { margin-top:14px; }
  .drawing.narrow { display:none; } .drawing.wide { display:block; }
  p, pre { overflow-wrap:anywhere; } td.left { overflow-wrap:break-word; } table { font-size:calc(9pt * var(--fit-paper, 1)); } th { font-size:inherit; }
  th, td { padding-block:3px; line-height:1.4; }
  figure, .highlights > div, pre { border-color:#ccd2d8; -webkit-box-decoration-break:clone; box-decoration-break:clone; }
  h2, h2 + p, figcaption, .panel { break-after:avoid; }
  p, pre span, tr, .tile, .drawing, .highlights > div, .short, figcaption, footer { break-inside:avoid; }
  figure.figure:not(:has(.panels)) { break-inside:avoid; } p, pre { orphans:3; widows:3; }
  thead { display:table-header-group; } figcaption + .panels, footer { break-before:avoid; }
  main { position:relative; padding:5mm 1px 0; } footer { position:absolute; top:0; right:0; margin:0; padding:0; border:0; }
  figure { margin:12px 0 14px; padding:10px 14px 8px; } h2 { margin:1.3em 0 .5em; }
  tbody tr:nth-child(-n+3):not(:last-child) { break-after:avoid; } tbody tr:nth-last-child(-n+3):not(:first-child) { break-before:avoid; }
  pre span:nth-child(-n+2) { break-after:avoid; } pre span:nth-last-child(-n+2), .remark { break-before:avoid; }
  .panels[class] { grid-template-columns:repeat(3, 1fr); gap:8px 10px; } .panels.of2 { grid-template-columns:repeat(2, 1fr); }
  .panels.of1 { grid-template-columns:1fr; }
  .save, .read-out, nav { display:none; }
  * { -webkit-print-color-adjust:exact; print-color-adjust:exact; }
}
)css";
}

}  // namespace torsor

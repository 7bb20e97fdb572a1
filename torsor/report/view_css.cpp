// The style rules of moving robots: the canvas with its controls on the screen, the still picture on paper and without scripts.
#include <string>

#include "torsor/report/joint_symbol.hpp"
#include "torsor/report/moving_view.hpp"

namespace torsor {

std::string_view view_css() {
  static const std::string css = std::string(R"css(
:root { --view-link:#a9bccf; --view-rim:#334e68; --view-joint:#e0b04a; }
@media screen and (prefers-color-scheme: dark) {
  :root { --view-link:#7c93ab; --view-rim:#0a0e12; --view-joint:#d3a548; }
}
.view { position:relative; }
.view canvas { display:none; width:100%; touch-action:pan-y; cursor:grab; border-radius:8px; }
.view canvas:active { cursor:grabbing; } .view canvas:focus-visible { outline:2px solid var(--accent); }
.view .tip { position:absolute; pointer-events:none; z-index:1; background:var(--card); border:1px solid var(--axis);
  border-radius:7px; padding:3px 9px; font-size:.82rem; box-shadow:0 3px 12px #0003; max-width:60%; }
.view .tip[hidden] { display:none; }
.view .controls { display:none; flex-wrap:wrap; align-items:center; gap:6px 10px; margin-top:8px; font-size:.86rem; }
.view .controls > [hidden] { display:none; }
.view .controls button, .view .controls select { font:inherit; color:var(--ink); background:var(--card);
  border:1px solid var(--rule); border-radius:6px; padding:2px 10px; cursor:pointer; min-height:28px; max-width:260px; }
.view .controls button:first-child { min-width:42px; }
.view .controls button:hover { border-color:var(--accent); color:var(--accent); }
.view .controls input { flex:1 1 160px; accent-color:var(--accent); }
.view .controls output { min-width:76px; font-variant-numeric:tabular-nums; color:var(--muted); }
.view .share { display:inline-flex; align-items:center; gap:6px; color:var(--muted); }
.view .share i { width:84px; height:9px; border-radius:5px; border:1px solid var(--rule); }
@media screen { .view.live .still { display:none; } .view.live canvas { display:block; }
  .view.live .controls { display:flex; } }
@media print { .view .still { display:block !important; width:58%; margin:0 auto; } .view canvas, .view .tip { display:none !important; }
  .view .controls { display:none !important; } }
.still-view .link { stroke-width:4.5; stroke-linecap:round; stroke-linejoin:round; }
.still-view .link:not(.line) { stroke:var(--view-link); }
.still-view .rim { stroke:var(--view-rim); stroke-width:7; stroke-linecap:round; stroke-linejoin:round; }
.still-view .bar { stroke:var(--view-rim); stroke-width:2.4; stroke-linecap:round; }
.still-view .way { stroke:var(--accent); stroke-width:1.5; stroke-dasharray:4 4; }
.still-view .hatch { stroke:var(--view-rim); stroke-width:1.3; }
.still-view .joint .side, .still-view .joint .end { stroke-width:1.1; }
)css") + std::string(joint_symbol_css()) +
                                 "\n";
  return css;
}

}  // namespace torsor

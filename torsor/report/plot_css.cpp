// The style rules of the drawings. The eight colours keep a distance of at least 12 in CIELAB from each other under
// protanopia, deuteranopia and tritanopia, and a contrast of at least 3 to 1 to the page, light or dark.
#include "torsor/report/svg_plot.hpp"

namespace torsor {

std::string_view plot_css() {
  return R"css(
:root { --c0:#1a3fb0; --c1:#e8452c; --c2:#0f766e; --c3:#b67db8; --c4:#6b6c12; --c5:#2f8fe0; --c6:#4a1a10; --c7:#66529a;
  --grid:#e6e9ed; --minor:#f1f3f5; --axis:#8b95a1; --limit:#a11d2f; }
@media screen and (prefers-color-scheme: dark) {
  :root { --c0:#4f8dff; --c1:#ee8636; --c2:#2fdc9a; --c3:#c06ab8; --c4:#f5da45; --c5:#b8dfee; --c6:#ee4a5c;
    --c7:#a8929c; --grid:#2a323b; --minor:#20272e; --axis:#717d89; --limit:#ff8d97; }
}
svg.plot { display:block; width:100%; height:auto; font-size:13px; }
.plot text { fill:var(--ink); }
.plot .ticks text, .plot .head { fill:var(--muted); font-variant-numeric:tabular-nums; }
.plot path { fill:none; }
.plot .grid { stroke:var(--grid); } .plot .minor { stroke:var(--minor); }
.plot .axis { stroke:var(--axis); } .plot .zero { stroke:var(--axis); stroke-opacity:.75; }
.plot .line { stroke-width:1.9; stroke-linejoin:round; }
.plot .limit { stroke:var(--limit); stroke-width:1.3; stroke-dasharray:7 5; }
.plot .marker { stroke:var(--muted); stroke-dasharray:2 3; }
.plot .note { font-size:12px; paint-order:stroke; stroke:var(--card); stroke-width:3.5px; stroke-linejoin:round; }
.plot .note { fill:var(--muted); } .plot .note.over { fill:var(--limit); }
.line.c0 { stroke:var(--c0); } .line.c1 { stroke:var(--c1); } .line.c2 { stroke:var(--c2); }
.line.c3 { stroke:var(--c3); }
.line.c4 { stroke:var(--c4); } .line.c5 { stroke:var(--c5); } .line.c6 { stroke:var(--c6); }
.line.c7 { stroke:var(--c7); }
circle.c0 { fill:var(--c0); } circle.c1 { fill:var(--c1); } circle.c2 { fill:var(--c2); } circle.c3 { fill:var(--c3); }
circle.c4 { fill:var(--c4); } circle.c5 { fill:var(--c5); } circle.c6 { fill:var(--c6); } circle.c7 { fill:var(--c7); }
.d1 { stroke-dasharray:10 3; } .d2 { stroke-dasharray:10 3 2 3; } .d3 { stroke-dasharray:3 2.5; }
.d4 { stroke-dasharray:16 4; }
.d5 { stroke-dasharray:5 3; } .d6 { stroke-dasharray:12 3 2 3 2 3; } .d7 { stroke-dasharray:1.5 2.5; }
)css";
}

}  // namespace torsor

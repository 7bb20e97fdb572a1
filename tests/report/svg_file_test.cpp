#include "torsor/report/svg_file.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/markup.hpp"

using namespace torsor;
using markup::count_of;
using markup::markup_fault;

namespace {

std::vector<SvgPlot> plots(std::size_t count, std::size_t series = 1) {
  std::vector<SvgPlot> all(count);
  for (std::size_t k = 0; k < count; ++k) {
    all[k].title = "plot " + std::to_string(k);
    for (std::size_t s = 0; s < series; ++s)
      all[k].series.push_back({"a series with a name of some length", {0, 1, 2}, {0, 1, static_cast<double>(s)}});
  }
  return all;
}

std::string drawn_file(const std::string& heading, const std::vector<SvgPlot>& all, int columns) {
  std::ostringstream out;
  write_svg_file(heading, all, columns, out);
  return out.str();
}

// the number after an attribute's name, in the element that begins at `from`
double attribute(const std::string& svg, const std::string& name, std::size_t from) {
  const std::string opening = " " + name + "='";
  return std::stod(svg.substr(svg.find(opening, from) + opening.size()));
}

// where the n-th panel begins
std::size_t panel(const std::string& svg, int n) {
  std::size_t at = 0;
  for (int k = 0; k <= n; ++k) at = svg.find("<svg x='", svg.find("class='title'", at + 1));
  return at;
}

}  // namespace

TEST_CASE("the drawing is a document of its own with every colour written out") {
  const std::string svg = drawn_file("torques & <limits>", plots(2), 1);
  CHECK(svg.starts_with("<svg xmlns='http://www.w3.org/2000/svg' width='"));
  CHECK(markup_fault(svg) == "");
  CHECK(svg.find("torques &amp; &lt;limits&gt;") != std::string::npos);
  CHECK(count_of(svg, "class='plot'") == 2);
  CHECK(svg.find("var(") == std::string::npos);
  CHECK(svg.find("@media") == std::string::npos);
  // the first colour of the light page, and its ink
  CHECK(svg.find(".line.c0 { stroke:#1a3fb0; }") != std::string::npos);
  CHECK(svg.find(".plot text { fill:#18212b; }") != std::string::npos);
}

TEST_CASE("panels stand side by side without touching, inside the drawing, legends included") {
  for (const int columns : {1, 2, 3}) {
    CAPTURE(columns);
    const std::string svg = drawn_file("", plots(5, 9), columns);
    const double width = attribute(svg, "width", 0), height = attribute(svg, "height", 0);
    double right = 0, bottom = 0, row_bottom = 0;
    for (int k = 0; k < 5; ++k) {
      const std::size_t at = panel(svg, k);
      const double x = attribute(svg, "x", at), y = attribute(svg, "y", at);
      CHECK(x >= (k % columns == 0 ? 0 : right));
      if (k % columns == 0) row_bottom = bottom;
      CHECK(y > row_bottom);
      right = x + attribute(svg, "width", at);
      bottom = std::max(bottom, y + attribute(svg, "height", at));
      CHECK(right <= width);
      CHECK(bottom <= height);
      // as high as the drawing in it, so that nothing is scaled
      const std::size_t box = svg.find("viewBox='0 0 ", at) + 13;
      CHECK(std::stod(svg.substr(svg.find(' ', box))) == attribute(svg, "height", at));
    }
  }
}

TEST_CASE("a drawing without plots is a drawing, and a heading takes its room") {
  CHECK(markup_fault(drawn_file("", {}, 1)) == "");
  CHECK(attribute(drawn_file("heading", plots(1), 1), "height", 0) >
        attribute(drawn_file("", plots(1), 1), "height", 0));
}

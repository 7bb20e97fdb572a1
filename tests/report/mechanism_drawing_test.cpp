#include "torsor/report/mechanism_drawing.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "torsor/text/json.hpp"
#include "torsor/files/load_mechanism.hpp"

using namespace torsor;

namespace {

MechanismDrawing four_bar() {
  const auto mechanism = build(*load_mechanism("four_bar"));
  REQUIRE(mechanism);
  MechanismDrawing drawing = mechanism_drawing(*mechanism, "linkage <1>");
  MechanismState state = described_state(*mechanism);
  for (const double t : {0.0, 0.5}) {
    state.t = t;
    drawing.instants.push_back(strokes_of(*mechanism, state));
  }
  return drawing;
}

}  // namespace

TEST_CASE("a body with two joints is a stroke from one to the other, and the ground is where it is joined") {
  const MechanismDrawing drawing = four_bar();
  REQUIRE(drawing.instants.size() == 2);
  REQUIRE(drawing.instants[0].strokes.size() == 3);
  CHECK(drawing.ground.size() == 2);
  const double lengths[] = {0.3, 0.9, 0.7};
  for (std::size_t b = 0; b < 3; ++b) {
    const auto& stroke = drawing.instants[0].strokes[b];
    REQUIRE(stroke.size() == 2);
    CHECK(norm(stroke[1] - stroke[0]) == doctest::Approx(lengths[b]).epsilon(1e-9));
  }
}

TEST_CASE("the drawing is one escaped picture, whatever the numbers") {
  MechanismDrawing drawing = four_bar();
  drawing.instants[1].strokes[0][0].x = std::numeric_limits<double>::quiet_NaN();
  std::ostringstream out;
  write_drawing(drawing, out);
  const std::string text = out.str();
  CHECK(text.find("linkage &lt;1&gt;") != std::string::npos);
  CHECK(text.find("nan") == std::string::npos);
  CHECK(text.find("class='line c2'") != std::string::npos);
  std::ostringstream data;
  JsonWriter json(data);
  write_data(drawing, json);
  const auto parsed = nlohmann::json::parse(data.str());
  CHECK(parsed["bodies"][0] == "crank");
  CHECK(parsed["instants"].size() == 2);
  CHECK(parsed["instants"][0]["strokes"][0].size() == 6);
  CHECK(drawing_notes(drawing)[0].find("0, 0.5 s") != std::string::npos);
  CHECK_FALSE(drawing_notes(MechanismDrawing{}).empty());
  std::ostringstream nothing;
  write_drawing(MechanismDrawing{}, nothing);
  CHECK(nothing.str().find("</svg>") != std::string::npos);
}

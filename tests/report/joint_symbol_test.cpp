#include "torsor/report/joint_symbol.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/markup.hpp"

using namespace torsor;
using namespace markup;

namespace {

std::string symbol(JointKind kind, const Mat3<double>& R = Mat3<double>::identity()) {
  return joint_symbol(PageView({0, 0, -9.81}), kind, "a & b", {0.1, 0.2, 0.3}, R);
}

}  // namespace

TEST_CASE("every kind of joint has a symbol of its own, well formed and named") {
  std::string before;
  for (const JointRow& kind : joint_rows) {
    const std::string text = symbol(*joint_kind(kind.name));
    CAPTURE(text);
    CHECK(markup_fault(text) == "");
    CHECK(text.starts_with("<g class='joint " + std::string(kind.name) + "'>"));
    CHECK(count_of(text, "<title>a &amp; b</title>") == 1);
    CHECK(count_of(text, "nan") == 0);
    const std::string shape = text.substr(text.find("</title>"));
    CHECK(shape != before);
    before = shape;
  }
}

TEST_CASE("a cylinder shows its axis: a circle from the front, longer than wide from the side") {
  const PageView view({0, 0, -9.81});
  const Vec3<double> t = view.towards();
  const auto size = [&](const Vec3<double>& z) {
    const Vec3<double> other = std::abs(z.x) < 0.7 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
    Vec3<double> x = cross(other, z);
    x = x * (1 / norm(x));
    const std::string side =
        attribute_values(joint_symbol(view, JointKind::revolute, "j", {}, {x, cross(z, x), z}), "d")[0];
    double low_x = 1e9, high_x = -1e9, low_y = 1e9, high_y = -1e9;
    for (std::size_t i = 0; i < side.size(); ++i) {
      if (side[i] != 'M' && side[i] != 'L') continue;
      std::size_t used = 0;
      const double px = std::stod(side.substr(i + 1), &used), py = std::stod(side.substr(i + 1 + used));
      low_x = std::min(low_x, px), high_x = std::max(high_x, px);
      low_y = std::min(low_y, py), high_y = std::max(high_y, py);
    }
    return std::pair{high_x - low_x, high_y - low_y};
  };
  const auto front = size(t), upright = size({0, 0, 1});
  CHECK(front.first == doctest::Approx(front.second).epsilon(0.02));
  CHECK(upright.second > 1.3 * upright.first);
  CHECK(upright.second <= 2 * symbol_reach + front.second);
}

TEST_CASE("the style of the symbols names every kind that is filled") {
  const std::string css(joint_symbol_css());
  for (const char* name : {".joint", ".prismatic", ".planar", ".spherical", ".ring", ".fixed", ".thread"})
    CHECK(count_of(css, name) >= 1);
  CHECK(count_of(css, "{") == count_of(css, "}"));
}

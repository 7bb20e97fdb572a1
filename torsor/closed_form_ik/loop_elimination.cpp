#include "torsor/closed_form_ik/loop_elimination.hpp"

#include <cmath>

#include "torsor/closed_form_ik/loop_determinant.hpp"
#include "torsor/closed_form_ik/loop_sides.hpp"
#include "torsor/closed_form_ik/wide_lanes.hpp"

namespace torsor {
namespace {

/// Of a cut whose determinant is zero, or of a degree above eight.
constexpr double not_a_series = 1e-7;

}  // namespace

int LoopCut::joint() const {
  const int k = 2 + left_over;
  return backwards ? (first + 6 - k) % 6 : (first + k) % 6;
}

bool eliminate(const TurningLoop& loop, const LoopCut& cut, Elimination& e, double touching) {
  e.cut = cut;
  e.loop = detail::as_cut(loop, cut);
  if (e.loop.slides[5] || e.loop.slides[2 + static_cast<std::size_t>(cut.left_over)]) return false;
  detail::LoopSides<double> sides(e.loop.C, e.loop.slides);
  const int rank = detail::clear_right(sides.right, sides.left, e.least_pivot);
  std::array<std::array<double, 27>, 6> row;
  if (!detail::six_rows(sides.left, rank, row)) return false;
  e.E = detail::by_joint_left_over(row, cut.left_over);

  std::array<double, 24> values;
  e.E_xy = detail::half_tangents(e.E, detail::others_slide(e.loop, e.cut));
  sample_determinant(e.E_xy, values);
  const double beyond = circle_series(values, e.series);
  e.size = 0;
  for (std::size_t k = 0; k <= circle_degree; ++k) e.size += std::abs(e.series.c[k]) + std::abs(e.series.s[k]);
  e.error = 8 * beyond + touching * e.size;
  if (!(e.size > 0) || e.error > not_a_series * e.size) return false;
  circle_roots(e.series, e.error, e.roots);
  return e.roots.complete;
}

void sample_determinant(const LoopEquations& E_xy, std::span<double, 24> values) {
  static const auto sample =
      has_wide_lanes() ? sample_determinant_in_wide_lanes : sample_determinant_in_lanes<Pack<double, 4>>;
  sample(E_xy, values);
}

}  // namespace torsor

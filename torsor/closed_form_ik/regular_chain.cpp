#include "torsor/closed_form_ik/regular_chain.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/closed_form_ik/regular_chain_lanes.hpp"
#include "torsor/closed_form_ik/wide_lanes.hpp"

namespace torsor {

// regular_chain_wide.cpp
bool solve_chain_in_wide_lanes(const RegularChain&, const Transform<double>& X_world_tool, double value,
                               RegularSolutions&);
RegularChain::Inside inside_in_wide_lanes(const RegularChain&, const Transform<double>& X_world_tool, double value);

namespace {

/// What is special to rounding is special: it costs nothing then.
double tidied(double x, double unit) {
  constexpr double rounding = 4e-16;
  for (const double special : {0.0, 1.0, -1.0})
    if (std::abs(x - special * unit) < rounding * unit) return special * unit;
  return x;
}

Transform<double> tidied(Transform<double> X, double size) {
  for (Vec3<double>* column : {&X.R.x, &X.R.y, &X.R.z})
    for (double* entry : {&column->x, &column->y, &column->z}) *entry = tidied(*entry, 1);
  for (double* entry : {&X.p.x, &X.p.y, &X.p.z})
    if (std::abs(*entry) < 4e-16 * size) *entry = 0;
  return X;
}

}  // namespace

std::optional<RegularChain> RegularChain::of_joints(const JointChain& chain) {
  RegularChain out;
  out.joints = out.moving = chain.joints();
  if (out.joints < 1 || out.joints > 7) return std::nullopt;
  out.size = chain.size;
  for (std::size_t k = 0; k < static_cast<std::size_t>(out.joints); ++k) {
    out.slides[k] = chain.slides[k];
    out.lower[k] = chain.limits[k].lower;
    out.upper[k] = chain.limits[k].upper;
    // limits that one turn leads into
    if (!out.slides[k] && !(out.lower[k] <= std::numbers::pi && out.upper[k] >= -std::numbers::pi)) return std::nullopt;
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(out.joints); ++k) {
    const double half = (out.upper[k] - out.lower[k]) / 2, middle = (out.upper[k] + out.lower[k]) / 2;
    const bool is_less = half < std::numbers::pi;  // false of limits that are not there
    out.cos_middle[k] = is_less ? std::cos(middle) : 1;
    out.sin_middle[k] = is_less ? std::sin(middle) : 0;
    out.cos_half[k] = is_less ? std::cos(std::max(half, 0.0)) : -1;
  }
  for (std::size_t k = 0; k <= static_cast<std::size_t>(out.joints); ++k)
    out.B[k] = out.C[k] = tidied(chain.B[k], chain.size);
  return out;
}

std::optional<RegularChain> RegularChain::of_few(const JointChain& chain, Rest rest, const Vec3<double>& axis) {
  std::optional<RegularChain> out = of_joints(chain);
  if (!out) return out;
  out->rest = rest;
  out->axis = axis;
  out->placing = out->moving - (rest == Rest::turn ? 1 : 0);
  const auto n = static_cast<std::size_t>(out->placing);
  if (n > 3 || (rest == Rest::turn && out->slides[n])) return std::nullopt;
  const auto few = FewLanes::of(std::span(out->C).first(n + 1), std::span<const bool>(out->slides).first(n));
  if (!few) return std::nullopt;
  out->few = *few;
  out->signs = few->is_double(1) + few->is_double(2);
  if (rest == Rest::turn) out->point = inverse(out->C[n + 1]).p;
  return out;
}

/// Read from the base, or from the tool: F the placements of the six that move.
bool RegularChain::take_wrist(std::span<const Transform<double>, 7> F, std::span<const bool, 6> turns_not) {
  constexpr double meeting = 1e-14;  // of the size: nearly special arms are others' affair
  rest = Rest::wrist;
  moving = 6;
  placing = 3;
  size = 0;
  for (std::size_t k = 1; k < 6; ++k) size += norm(F[k].p);
  if (!(size > 0)) size = 1;
  for (const bool reversed : {false, true}) {
    std::array<bool, 6> shifts{};
    for (std::size_t k = 0; k < 6; ++k) shifts[k] = turns_not[reversed ? 5 - k : k];
    if (shifts[3] || shifts[4] || shifts[5]) continue;
    Vec3<double> wrist;
    const std::array<Transform<double>, 2> between{reversed ? inverse(F[2]) : F[4], reversed ? inverse(F[1]) : F[5]};
    if (!axes_meet(between[0], between[1], meeting * size, wrist)) continue;
    for (std::size_t k = 0; k < 7; ++k) C[k] = reversed ? inverse(F[6 - k]) : F[k];
    const std::array<Transform<double>, 4> first{C[0], C[1], C[2],
                                                 Transform<double>::translation(C[3] * (C[4] * wrist))};
    const auto found = FewLanes::of(first, std::span<const bool>(shifts).first(3));
    if (!found) continue;
    few = *found;
    signs = 1 + few.is_double(1) + few.is_double(2);
    point = inverse(C[6]) * (inverse(C[5]) * wrist);
    backwards = reversed;
    return true;
  }
  return false;
}

std::optional<RegularChain> RegularChain::of_wrist(const JointChain& chain, std::optional<int> held) {
  std::optional<RegularChain> out = of_joints(chain);
  const int n = chain.joints();
  if (!out || n - held.has_value() != 6 || (held && *held != 0 && *held != n - 1)) return std::nullopt;
  out->held = out->unmeasured = held.value_or(-1);
  const std::size_t from = held == 0 ? 1 : 0;
  const RegularChain arm = *out;
  if (!out->take_wrist(std::span(arm.B).subspan(from).first<7>(), std::span(arm.slides).subspan(from).first<6>()))
    return std::nullopt;
  return out;
}

bool RegularChain::hold(const RegularChain& seven, int joint, double value) {
  joints = 6;
  held = unmeasured = -1;
  std::size_t k = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    if (static_cast<int>(i) == joint + 1)
      B[k - 1] = B[k - 1] *
                 detail::joint_motion(seven.slides[i - 1], std::cos(value), std::sin(value), value) * seven.B[i];
    else
      B[k++] = seven.B[i];
  }
  k = 0;
  for (std::size_t i = 0; i < 7; ++i) {
    if (static_cast<int>(i) == joint) continue;
    slides[k] = seven.slides[i];
    lower[k] = seven.lower[i];
    upper[k++] = seven.upper[i];
  }
  return take_wrist(std::span(B).first<7>(), std::span(slides).first<6>());
}

bool RegularChain::is_overdetermined() const {
  return rest == Rest::turn ? moving < 6 : rest == Rest::axis ? moving < 5 : rest == Rest::place && moving < 3;
}

bool RegularChain::solve(const Transform<double>& X_world_tool, double value, RegularSolutions& out) const {
  static const auto solve = has_wide_lanes() ? solve_chain_in_wide_lanes : solve_chain_in_lanes<Pack<double, 4>>;
  return solve(*this, X_world_tool, value, out);
}

RegularChain::Inside RegularChain::inside(const Transform<double>& X_world_tool, double value) const {
  static const auto inside = has_wide_lanes() ? inside_in_wide_lanes : inside_in_lanes<Pack<double, 4>>;
  return inside(*this, X_world_tool, value);
}

}  // namespace torsor

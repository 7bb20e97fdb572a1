#include "torsor/trajectory/not_a_knot.hpp"

#include <vector>

#include "torsor/expect.hpp"
#include "torsor/trajectory/spline_motion.hpp"

namespace torsor {
namespace {

/// The spline is linear in its end slopes: one with none, and one for each of the two, together make the third
/// derivatives continuous.
void find_not_a_knot_derivatives(SmoothingSpline& out) {
  const std::size_t n = out.t.size(), given = out.channels, channels = given + 2;
  std::vector<std::vector<double>> values(n, std::vector<double>(channels, 0.0));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < given; ++c) values[i][c] = out.s[i * given + c];
  SplineEnds ends = SplineEnds::clamped(SplineDegree::cubic, channels);
  const std::size_t a = given, b = given + 1;
  ends.start.velocity[a] = 1;
  ends.end.velocity[b] = 1;
  const SmoothingSpline spline = spline_motion(out.t, values, SplineDegree::cubic, ends)->spline();

  // the jump of the third derivative behind sample i
  const auto jump = [&](std::size_t i, std::size_t c) {
    const auto third = [&](std::size_t k) {
      return (spline.sdd[(k + 1) * channels + c] - spline.sdd[k * channels + c]) / (out.t[k + 1] - out.t[k]);
    };
    return third(i) - third(i - 1);
  };
  const double aa = jump(1, a), ab = jump(1, b), ba = jump(n - 2, a), bb = jump(n - 2, b), det = aa * bb - ab * ba;
  for (std::size_t c = 0; c < given; ++c) {
    const double f = -jump(1, c), g = -jump(n - 2, c), x = (f * bb - ab * g) / det, z = (aa * g - ba * f) / det;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t row = i * channels;
      out.sd[i * given + c] = spline.sd[row + c] + x * spline.sd[row + a] + z * spline.sd[row + b];
      out.sdd[i * given + c] = spline.sdd[row + c] + x * spline.sdd[row + a] + z * spline.sdd[row + b];
    }
  }
}

void find_derivatives_of_few(SmoothingSpline& out) {
  const std::size_t n = out.t.size();
  for (std::size_t c = 0; c < out.channels && n > 1; ++c) {
    const auto secant = [&](std::size_t i) {
      return (out.s[(i + 1) * out.channels + c] - out.s[i * out.channels + c]) / (out.t[i + 1] - out.t[i]);
    };
    const double bend = n == 2 ? 0 : (secant(1) - secant(0)) / (out.t[2] - out.t[0]);
    for (std::size_t i = 0; i < n; ++i) {
      out.sd[i * out.channels + c] = secant(0) + bend * (2 * out.t[i] - out.t[0] - out.t[1]);
      out.sdd[i * out.channels + c] = 2 * bend;
    }
  }
}

}  // namespace

SmoothingSpline not_a_knot_spline(std::span<const double> t, std::span<const double> y, std::size_t channels) {
  TORSOR_EXPECT(!t.empty() && y.size() == t.size() * channels);
  SmoothingSpline out;
  out.status = SplineStatus::ok;
  out.channels = channels;
  out.t.assign(t.begin(), t.end());
  out.s.assign(y.begin(), y.end());
  out.sd.resize(y.size());
  out.sdd.resize(y.size());
  if (t.size() < 4)
    find_derivatives_of_few(out);
  else
    find_not_a_knot_derivatives(out);
  return out;
}

}  // namespace torsor

#include "torsor/closed_form_ik/few_lanes.hpp"

#include <cmath>

namespace torsor {
namespace {

constexpr double lanes_same_way = 1e-12;  // of lengths of the arm: h and w point the same way

double squared(const Vec3<double>& v) { return dot(v, v); }

Vec3<double> last_row_of(const Mat3<double>& R) { return {R.x.z, R.y.z, R.z.z}; }

}  // namespace

std::optional<FewLanes> FewLanes::of(std::span<const Transform<double>> B, std::span<const bool> slides) {
  FewLanes out;
  out.joints = static_cast<int>(slides.size());
  if (out.joints > 3) return std::nullopt;
  out.base = inverse(B[0]);
  out.c = out.joints > 0 ? B[slides.size()].p : Vec3<double>{};
  out.size = norm(out.c);
  for (std::size_t k = 0; k < slides.size(); ++k) out.slides[k] = slides[k];
  for (std::size_t k = 1; k < slides.size(); ++k) out.C[k - 1] = B[k], out.size += norm(B[k].p);
  if (!(out.size > 0)) out.size = 1;
  out.h = last_row_of(out.C[0].R);
  out.w = ~out.C[0].R * out.C[0].p;
  out.k = last_row_of(out.C[1].R);
  out.v = ~out.C[1].R * out.C[1].p;
  if (out.joints < 2) return out;
  const auto across = [](const Vec3<double>& v) { return v.x * v.x + v.y * v.y; };
  out.by_height = out.slides[1] ? std::abs(out.h.z) > 0.1 : across(out.h) * out.size * out.size > across(out.w);
  // a rail before others asks for other equations
  if (out.slides[0]) return std::nullopt;
  if (out.joints < 3) return out;
  if (out.slides[1]) return std::nullopt;
  const Vec3<double>&h = out.h, &w = out.w;
  const double size = out.size;
  if (std::abs(h.x * w.y - h.y * w.x) > lanes_same_way * size) return std::nullopt;
  const double hh = h.x * h.x + h.y * h.y, ww = (w.x * w.x + w.y * w.y) / (size * size), hw = (h.x * w.x + h.y * w.y);
  if (hh >= ww && hh > 0) {
    // w = by h across axis 2
    const double by = hw / hh;
    out.alpha = 1;
    out.beta = 2 * (w.z - by * h.z);
    out.of_square = 1;
    out.of_z = -2 * by;
    out.constant = 2 * by * out.C[0].p.z - squared(out.C[0].p);
  } else if (ww > 0) {
    const double by = hw / (ww * size * size);
    out.alpha = std::abs(by) < 2 * lanes_same_way ? 0 : -by / 2;
    out.beta = h.z - by * w.z;
    out.of_square = -by / 2;
    out.of_z = 1;
    out.constant = by / 2 * squared(out.C[0].p) - out.C[0].p.z;
  } else {
    return std::nullopt;  // joints 1 and 2 turn about one axis
  }
  return out;
}

bool FewLanes::is_double(int joint) const {
  if (joint == 1) return joints > 1 && !(slides[1] && by_height);
  return joint == 2 && joints > 2 && !(slides[2] && alpha == 0);
}

}  // namespace torsor

#include "torsor/closed_form_ik/few_joints.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/closed_form_ik/two_bar.hpp"

namespace torsor {
namespace {

constexpr double same_way = 1e-12;   // of lengths of the arm: h and w point the same way
constexpr double nearly_so = 1e-3;   // likewise: nearly, so that what is found leads to what is
constexpr double has_a_say = 1e-6;   // likewise: below, a joint moves the point too little
constexpr double clear_edge = 1e-5;  // of a cosine from one, of a discriminant from zero

double square(const Vec3<double>& v) { return dot(v, v); }

struct Roots {
  std::array<double, 2> x{};
  int count = 0;
  bool clear = true;
};

/// a cos x + b sin x = c.
Roots turns(double a, double b, double c, double least, double edge) {
  Roots out;
  const double r = std::hypot(a, b);
  if (!(r > 0)) return {{}, 1, false};  // any x
  const double cosine = c / r;
  out.clear = r > least && std::abs(std::abs(cosine) - 1) > edge;
  if (out.clear && std::abs(cosine) > 1) return out;
  const double middle = std::atan2(b, a), half = std::acos(std::clamp(cosine, -1.0, 1.0));
  out.x = {middle + half, middle - half};
  out.count = 2;
  return out;
}

/// The turn of c about z that brings it to the distance whose square is `far` from the place m.
Roots turns_to_distance(const Vec3<double>& c, const Vec3<double>& m, double far, double size, double edge) {
  const double a = std::hypot(m.x, m.y), l = std::hypot(c.x, c.y);
  if (!(a > has_a_say * size) || !(l > has_a_say * size)) return turns(-2 * (m.x * c.x + m.y * c.y), -2 * (m.y * c.x - m.x * c.y), far - a * a - l * l, has_a_say * size * size, edge);
  const double D = std::sqrt(std::max(0.0, far));
  // by how much the cosine is off one at either end
  const double stretched = (a + l - D) * ((a + l + D) / (2 * a * l)), folded = (far - (a - l) * (a - l)) / (2 * a * l);
  const bool clear = std::abs(stretched) > edge && std::abs(folded) > edge;
  if (clear && (stretched < 0 || folded < 0)) return {{}, 0, true};
  const detail::TwoBar bars = detail::two_bar(a, l, D, 0);
  const double middle = std::atan2(m.x * -c.y + m.y * c.x, m.x * c.x + m.y * c.y);  // c towards m
  const double off = std::numbers::pi - std::atan2(bars.s, bars.c);
  return {{middle + off, middle - off}, 2, clear};
}

/// a x^2 + 2 b x + c = 0, lengths in units of the arm.
Roots shifts(double a, double b, double c, double size, double edge) {
  Roots out;
  if (std::abs(a) < same_way) {
    if (!(std::abs(b) > has_a_say * size)) {
      out.clear = false;
      return out;
    }
    return {{-c / (2 * b), 0}, 1, true};
  }
  const double D = b * b - a * c, scale = b * b + std::abs(a * c);
  out.clear = std::abs(D) > edge * scale;
  if (out.clear && D < 0) return out;
  const double root = std::sqrt(std::max(D, 0.0));
  out.x = {(-b + root) / a, (-b - root) / a};
  out.count = 2;
  return out;
}

Vec3<double> moved(bool slides, double q, const Vec3<double>& p) {
  if (slides) return {p.x, p.y, p.z + q};
  const double c = std::cos(q), s = std::sin(q);
  return {c * p.x - s * p.y, s * p.x + c * p.y, p.z};
}

Vec3<double> last_row(const Mat3<double>& R) { return {R.x.z, R.y.z, R.z.z}; }

}  // namespace

std::optional<FewJoints> FewJoints::of(std::span<const Transform<double>> B, std::span<const bool> slides) {
  FewJoints out;
  out.joints_ = static_cast<int>(slides.size());
  if (out.joints_ > 3) return std::nullopt;
  out.base_ = inverse(B[0]);
  out.c_ = out.joints_ > 0 ? B[slides.size()].p : Vec3<double>{};
  out.size_ = norm(out.c_);
  for (std::size_t k = 0; k < slides.size(); ++k) out.slides_[k] = slides[k];
  for (std::size_t k = 1; k < slides.size(); ++k) out.C_[k - 1] = B[k], out.size_ += norm(B[k].p);
  if (!(out.size_ > 0)) out.size_ = 1;
  out.edge_ = clear_edge;
  out.h_ = last_row(out.C_[0].R);
  out.w_ = ~out.C_[0].R * out.C_[0].p;
  out.k_ = last_row(out.C_[1].R);
  out.v_ = ~out.C_[1].R * out.C_[1].p;
  if (out.joints_ < 2) return out;
  // a rail before others asks for other equations
  if (out.slides_[0]) return std::nullopt;
  if (out.joints_ < 3) return out;
  if (out.slides_[1]) return std::nullopt;
  const Vec3<double>&h = out.h_, &w = out.w_;
  const double size = out.size_;
  const double missed = std::abs(h.x * w.y - h.y * w.x) / size;
  if (missed > nearly_so) return std::nullopt;
  if (missed > same_way) out.missed_ = missed;
  out.edge_ += 30 * out.missed_;
  const double hh = h.x * h.x + h.y * h.y, ww = (w.x * w.x + w.y * w.y) / (size * size), hw = (h.x * w.x + h.y * w.y);
  if (hh >= ww && hh > 0) {
    // w = by h across axis 2
    const double by = hw / hh;
    out.alpha_ = 1;
    out.beta_ = 2 * (w.z - by * h.z);
    out.of_square_ = 1;
    out.of_z_ = -2 * by;
    out.constant_ = 2 * by * out.C_[0].p.z - square(out.C_[0].p);
    out.s_ = {0, 0, by};
    out.aside_ = norm(out.C_[0].p - out.s_);
  } else if (ww > 0) {
    const double by = hw / (ww * size * size);
    out.alpha_ = -by / 2;
    out.beta_ = h.z - by * w.z;
    out.of_square_ = -by / 2;
    out.of_z_ = 1;
    out.constant_ = by / 2 * square(out.C_[0].p) - out.C_[0].p.z;
  } else {
    return std::nullopt;  // joints 1 and 2 turn about one axis
  }
  return out;
}

void FewJoints::solve(const Vec3<double>& place, Found& out) const {
  out.count = 0;
  out.clear = true;
  const Vec3<double> p = base_ * place;
  if (joints_ == 0)
    out.count = 1;
  else if (joints_ == 1)
    solve_first(p, c_, {}, out);
  else if (joints_ == 2)
    solve_second(p, c_, {}, out);
  else
    solve_third(p, out);
}

/// Joint 1: f onto p.
void FewJoints::solve_first(const Vec3<double>& p, const Vec3<double>& f, Angles q, Found& out) const {
  if (slides_[0]) {
    q[0] = p.z - f.z;
  } else {
    const double s = f.x * p.y - f.y * p.x, c = f.x * p.x + f.y * p.y;
    const double least = has_a_say * size_;
    out.clear = out.clear && f.x * f.x + f.y * f.y > least * least;
    q[0] = std::atan2(s, c);
  }
  if (out.count < most) out.q[static_cast<std::size_t>(out.count++)] = q;
}

/// Joint 2, from the equation that sees more of it, then joint 1.
void FewJoints::solve_second(const Vec3<double>& p, const Vec3<double>& g, Angles q, Found& out) const {
  const Vec3<double>& b = C_[0].p;
  Roots roots;
  if (slides_[1]) {
    const double by_height = std::abs(h_.z);
    roots = by_height > 0.1 ? Roots{{(p.z - b.z - dot(h_, g)) / h_.z, 0}, 1, true}
                            : shifts(1, g.z + w_.z, square(b) + square(g) + 2 * dot(w_, g) - square(p), size_, edge_);
  } else {
    const bool by_height = (h_.x * h_.x + h_.y * h_.y) * size_ * size_ > w_.x * w_.x + w_.y * w_.y;
    const Vec3<double>& n = by_height ? h_ : w_;
    const double rest = by_height ? p.z - b.z - h_.z * g.z : (square(p) - square(b) - square(g)) / 2 - w_.z * g.z;
    roots = turns(n.x * g.x + n.y * g.y, n.y * g.x - n.x * g.y, rest, has_a_say * size_ * (by_height ? 1 : size_),
                  edge_);
  }
  out.clear = out.clear && roots.clear;
  for (int k = 0; k < roots.count; ++k) {
    q[1] = roots.x[static_cast<std::size_t>(k)];
    solve_first(p, C_[0] * moved(slides_[1], q[1], g), q, out);
  }
}

/// alpha |g|^2 + beta g_z = kappa.
void FewJoints::solve_third(const Vec3<double>& p, Found& out) const {
  Roots roots;
  if (alpha_ == 1 && !slides_[2]) {
    // seen from joint 3, across its axis
    const Vec3<double> m = ~C_[1].R * (Vec3<double>{0, 0, -beta_ / 2} - C_[1].p);
    const double asked = norm(p - s_), along = c_.z - m.z;
    const double far = (asked - aside_) * (asked + aside_) + (beta_ / 2 - along) * (beta_ / 2 + along);
    roots = turns_to_distance(c_, {m.x, m.y, 0}, far, size_, edge_);
  } else {
    const Vec3<double>& b = C_[1].p;
    const double kappa = of_square_ * square(p) + of_z_ * p.z + constant_;
    const double rest = kappa - alpha_ * (square(b) + square(c_)) - beta_ * b.z;
    // n . J_3 c, with all that joint 3 moves
    const Vec3<double> n = v_ * (2 * alpha_) + k_ * beta_;
    const double unit = std::abs(alpha_) * size_ + std::abs(beta_);  // of n
    roots = slides_[2] ? shifts(alpha_, alpha_ * c_.z + n.z / 2, dot(n, c_) - rest, unit, edge_)
                       : turns(n.x * c_.x + n.y * c_.y, n.y * c_.x - n.x * c_.y, rest - n.z * c_.z,
                               has_a_say * size_ * unit, edge_);
  }
  out.clear = out.clear && roots.clear;
  for (int k = 0; k < roots.count; ++k) {
    const double q3 = roots.x[static_cast<std::size_t>(k)];
    solve_second(p, C_[1] * moved(slides_[2], q3, c_), {0, 0, q3}, out);
  }
}

}  // namespace torsor

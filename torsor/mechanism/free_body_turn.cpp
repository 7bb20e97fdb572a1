#include "torsor/mechanism/free_body_turn.hpp"

#include <cmath>

#include "torsor/numeric/symmetric_eigen.hpp"
#include "torsor/spatial/turn_by.hpp"

namespace torsor {
FreeBodyTurn::FreeBodyTurn(const Sym3<double>& I) {
  std::array<double, 9> A{I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz}, V{};
  symmetric_eigen<double>(A, 3, V);
  const auto axis = [&](std::size_t k) { return Vec3<double>{V[k], V[3 + k], V[6 + k]}; };
  // the least first; the two most alike become 1 and 2
  const bool least_are_alike = A[4] - A[0] < A[8] - A[4];
  const std::size_t first = least_are_alike ? 0 : 1, third = least_are_alike ? 2 : 0;
  const Vec3<double> x = axis(first), z = axis(third);
  axes_ = quaternion(Mat3<double>{x, cross(z, x), z});
  moments_ = {A[4 * first], A[4 * (3 - first - third)], A[4 * third]};
}

void FreeBodyTurn::go(double h, Quaternion<double>& p, Vec3<double>& w) const {
  Quaternion<double> q = p * axes_;
  Mat3<double> R = rotation(q);
  Vec3<double> m{moments_[0] * dot(R.x, w), moments_[1] * dot(R.y, w), moments_[2] * dot(R.z, w)};
  const Vec3<double> momentum = R * m;
  const double by_2 = 1 / moments_[1] - 1 / moments_[0], by_3 = 1 / moments_[2] - 1 / moments_[0];
  const auto about_3 = [&](double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    m = {c * m.x + s * m.y, c * m.y - s * m.x, m.z};
    q = q * quaternion_about(Vec3<double>{0, 0, 1}, angle);
  };
  const double half = h / 2 * by_3 * m.z;
  about_3(half);
  if (const double angle = h * by_2 * m.y; angle != 0) {
    const double c = std::cos(angle), s = std::sin(angle);
    m = {c * m.x - s * m.z, m.y, c * m.z + s * m.x};
    q = q * quaternion_about(Vec3<double>{0, 1, 0}, angle);
    about_3(h / 2 * by_3 * m.z);
  } else {
    about_3(half);
  }
  q = turn_by(momentum * (h / moments_[0])) * q;
  p = normalized(q * ~axes_);
  R = rotation(normalized(q));
  w = R.x * (dot(R.x, momentum) / moments_[0]) + R.y * (dot(R.y, momentum) / moments_[1]) +
      R.z * (dot(R.z, momentum) / moments_[2]);
}

}  // namespace torsor

// One, two or three joints that bring a point to a place, in closed form. With the point c behind the last joint and
//
//   p = J_1(q_1) f,   f = C_1 J_2(q_2) g,   g = C_2 J_3(q_3) c          C = (R, b)
//
// joint 1 turns about z and sees of f the height and the length alone. With h the last row of R_1 and w = R_1' b_1,
//
//   p_z   = b_1z + h . J_2 g
//   |p|^2 = |b_1|^2 + |g|^2 + 2 w . J_2 g
//
// Where h and w point the same way across axis 2 (axes 1 and 2 parallel or meeting, or a shoulder without an offset along
// axis 2: planar arms, SCARA, most arms with a shoulder and an elbow), joint 2 drops out of one combination of the two,
//
//   alpha |g|^2 + beta g_z = kappa
//
// which is linear in cos q_3 and sin q_3, or quadratic in a shift; joint 2 follows from the one that sees more of it, and joint 1
// from the rest: up to four solutions (Pieper 1968 has the quartic of all other arms, which six_turns.hpp solves). With alpha = 1 it
// asks for a distance,
//
//   |g + beta/2 z|^2 = |p - s|^2 - |b_1 - s|^2 + beta^2 / 4,   s = -of_z / 2 on axis 1
//
// which a turn of joint 3 meets as two bars do (two_bar.hpp), whose folded place keeps its digits.
//
// Where h and w miss each other by a little (axes that are parallel to 1e-9), what is found is near, and is to be corrected on
// the arm: missed() says how near. At the edge of a reach, or where a joint has no say, what is found is near, too, and another
// solver is to say whether it is all.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "torsor/spatial/transform.hpp"

namespace torsor {

class FewJoints {
 public:
  static constexpr int most = 4;
  using Angles = std::array<double, 3>;

  struct Found {
    std::array<Angles, most> q{};
    int count = 0;
    bool clear = true;  // false: another solver is to say, too; these are near
  };

  /// B_0 J_1 B_1 ... J_n B_n, the point at the origin of the last; n from 0 to 3. Nothing where the form does not serve them.
  static std::optional<FewJoints> of(std::span<const Transform<double>> B, std::span<const bool> slides);

  /// What h and w miss each other by, per length of the arm: 0 where the form is exact.
  double missed() const { return missed_; }

  /// All positions that bring the point to p (m), and of two joints or one some that may not: what is overdetermined is to be checked.
  void solve(const Vec3<double>& p, Found& out) const;

 private:
  void solve_first(const Vec3<double>& p, const Vec3<double>& f, Angles q, Found& out) const;
  void solve_second(const Vec3<double>& p, const Vec3<double>& g, Angles q, Found& out) const;
  void solve_third(const Vec3<double>& p, Found& out) const;

  Transform<double> base_;              // inverse of B_0
  std::array<Transform<double>, 2> C_;  // C_1, C_2
  std::array<bool, 3> slides_{};
  int joints_ = 0;
  Vec3<double> c_;
  double size_ = 1;
  Vec3<double> h_, w_, k_, v_;                              // h and w of C_1; k and v likewise of C_2
  double alpha_ = 0, beta_ = 0, of_z_ = 0, of_square_ = 0;  // kappa = of_z p_z + of_square |p|^2 + constant
  double constant_ = 0;
  double missed_ = 0;
  double edge_ = 0;    // of a cosine from one, of a discriminant from zero: nearer, rounding or what is missed may decide
  Vec3<double> s_;     // alpha = 1
  double aside_ = 0;   // likewise: |b_1 - s|
};

}  // namespace torsor

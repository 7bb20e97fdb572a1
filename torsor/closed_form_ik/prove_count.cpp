#include "torsor/closed_form_ik/prove_count.hpp"

#include <chrono>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <vector>

#include "torsor/closed_form_ik/loop_box.hpp"
#include "torsor/closed_form_ik/loop_sides.hpp"
#include "torsor/numeric/regular_pencil.hpp"

namespace torsor {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double rounding = pencil_rounding, sums = pencil_sums;

/// Coefficients with bounds: [of 1, cos t, sin t][equation][3 i + j].
struct BoundedEquations {
  LoopEquations middle, spread;
};

/// How far an interval reaches from its middle as it is rounded.
double half_width(const Interval& x) {
  return std::max(x.high - x.middle(), x.middle() - x.low) * (1 + 1e-15) + 1e-300;
}

struct Angle {
  double middle = 0, half = 0;

  Interval interval() const { return Interval::outward(middle - half, middle + half); }
};

/// The angle of all vectors (x, y) within hypot(dx, dy) of one; nothing where that is no bound.
std::optional<Angle> angle_of(double x, double y, double dx, double dy) {
  const double ratio = std::hypot(dx, dy) / std::hypot(x, y) * (1 + 1e-12);
  if (!(ratio < 0.5)) return std::nullopt;
  return Angle{std::atan2(y, x), 1.05 * ratio + 4e-16};  // asin r < 1.05 r
}
std::optional<Angle> angle_of(const Interval& x, const Interval& y) {
  return angle_of(x.middle(), y.middle(), half_width(x), half_width(y));
}

class Prover {
 public:
  Prover(const TurningLoop& loop, const LoopCut& cut) : cut_(cut) {
    const TurningLoop read = detail::as_cut(loop, cut);
    C_ = around(read);
    // combinations that leave nothing of the right side, but for rounding
    detail::LoopSides<double> near(read.C, read.slides);
    std::array<std::array<double, 41>, 14> left{};
    for (std::size_t r = 0; r < 14; ++r) {
      std::copy(near.left[r].begin(), near.left[r].end(), left[r].begin());
      left[r][27 + r] = 1;
    }
    double least = 0;
    const int rank = detail::clear_right(near.right, left, least);
    std::array<std::array<double, 41>, 6> combination;
    if (!detail::six_rows(left, rank, combination)) return;
    const detail::LoopSides<Interval> sides(C_, read.slides);
    std::array<std::array<Interval, 27>, 6> row{};
    for (std::size_t k = 0; k < 6; ++k) {
      const auto combined = [&](const auto& side, std::size_t m) {
        Interval sum;
        for (std::size_t r = 0; r < 14; ++r) sum += Interval(combination[k][27 + r]) * side[r][m];
        return sum;
      };
      for (std::size_t m = 0; m < 27; ++m) row[k][m] = combined(sides.left, m);
      // what is left of the right side: products of sines and cosines, none above one
      double rest = 0;
      for (std::size_t m = 1; m < 9; ++m) rest += combined(sides.right, m).size() * (1 + 1e-14);
      row[k][0] += Interval(-rest, rest);
    }
    const auto E = detail::half_tangents(detail::by_joint_left_over(row, cut.left_over), {false, false});
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t r = 0; r < 6; ++r)
        for (std::size_t m = 0; m < 9; ++m) {
          const Interval& e = E[k][r][m];
          E_.middle[k][r][m] = e.middle();
          E_.spread[k][r][m] = half_width(e);
        }
    ready_ = true;
  }

  bool ready() const { return ready_; }

  /// The 12 x 12 system on an arc.
  Pencil<12> system(double t, double half) const {
    Pencil<12> M;
    M.half = half;
    const double c = std::cos(t), s = std::sin(t);
    for (std::size_t r = 0; r < 6; ++r)
      for (std::size_t m = 0; m < 9; ++m) {
        const double e0 = E_.middle[0][r][m], e1 = E_.middle[1][r][m], e2 = E_.middle[2][r][m];
        const double size = std::abs(e0) + std::abs(e1) + std::abs(e2), bend = std::abs(e1) + std::abs(e2);
        const double middle = e0 + c * e1 + s * e2, slope = c * e2 - s * e1;
        const double spread = E_.spread[0][r][m] + E_.spread[1][r][m] + E_.spread[2][r][m] +
                              8 * rounding * size * (1 + half) + half * half / 2 * bend;
        for (const std::size_t at : {12 * r + m, 12 * (r + 6) + m + 3}) {
          M.middle[at] = middle;
          M.slope[at] = slope;
          M.spread[at] = spread;
        }
      }
    return M;
  }

  /// What an arc holds: adds its solutions, in order; false where that remains open.
  bool enclose(double from, double to, std::vector<LoopBox>& found) const;

  const LoopCut& cut() const { return cut_; }

 private:
  bool complete(const Angle& c, const Angle& d, const Angle& e, const Interval& t, std::vector<LoopBox>& found) const;

  LoopCut cut_;
  IntervalLoop C_;
  BoundedEquations E_;
  bool ready_ = false;
};

bool Prover::enclose(double from, double to, std::vector<LoopBox>& found) const {
  const double t = (from + to) / 2, half = (to - from) / 2 * (1 + 1e-12) + 1e-15;
  const Pencil<12> M = system(t, half);
  // bordered by approximate null vectors, right and left
  std::array<double, 12> right, left;
  right.fill(1);
  left.fill(1);
  {
    Square<12> inverse = {}, nudged = M.middle;
    for (std::size_t i = 0; i < 144; ++i) nudged[i] += 1e-15 * std::cos(static_cast<double>(i * i));
    if (!inverted<12>(nudged, inverse)) return false;
    for (int round = 0; round < 2; ++round) {
      std::array<double, 12> r{}, l{};
      double most_r = 0, most_l = 0;
      for (std::size_t i = 0; i < 12; ++i) {
        for (std::size_t k = 0; k < 12; ++k) {
          r[i] += inverse[12 * i + k] * left[k];
          l[i] += inverse[12 * k + i] * right[k];
        }
        most_r = std::max(most_r, std::abs(r[i]));
        most_l = std::max(most_l, std::abs(l[i]));
      }
      for (std::size_t i = 0; i < 12; ++i) right[i] = r[i] / most_r, left[i] = l[i] / most_l;
    }
  }
  Pencil<13> B;
  B.half = half;
  for (std::size_t i = 0; i < 12; ++i) {
    for (std::size_t j = 0; j < 12; ++j) {
      B.middle[13 * i + j] = M.middle[12 * i + j];
      B.slope[13 * i + j] = M.slope[12 * i + j];
      B.spread[13 * i + j] = M.spread[12 * i + j];
    }
    B.middle[13 * i + 12] = left[i];
    B.middle[std::size_t{13} * 12 + i] = right[i];
  }
  const auto proof = regular<13>(B);
  if (!proof) return false;
  // null vectors z with right . z = 1: B (z, 0) = (0, 1)
  std::array<double, 13> z, rest{}, slope{}, spread{};
  for (std::size_t i = 0; i < 13; ++i) z[i] = proof->X[13 * i + 12];
  z[12] = 0;
  for (std::size_t i = 0; i < 13; ++i) {
    rest[i] = i == 12 ? 1 : 0;
    for (std::size_t j = 0; j < 13; ++j) {
      rest[i] -= B.middle[13 * i + j] * z[j];
      slope[i] += B.slope[13 * i + j] * z[j];
      spread[i] +=
          (B.spread[13 * i + j] + sums * (std::abs(B.middle[13 * i + j]) + half * std::abs(B.slope[13 * i + j]))) *
          std::abs(z[j]);
    }
    spread[i] += sums;
  }
  double scale = 0;
  for (std::size_t i = 0; i < 13; ++i) {
    double off = 0, moved = 0, bound = 0;
    for (std::size_t j = 0; j < 13; ++j) {
      const double x = proof->X[13 * i + j];
      off += x * rest[j];
      moved += x * slope[j];
      bound += std::abs(x) * (spread[j] + sums * (std::abs(rest[j]) + half * std::abs(slope[j])));
    }
    scale = std::max(scale, (std::abs(off) + half * std::abs(moved) + bound) / proof->weight[i]);
  }
  scale = scale / (1 - proof->shrinks) * (1 + 1e-12);
  const auto angle = [&](std::size_t a, std::size_t b) {
    auto half_angle = angle_of(z[a], z[b], scale * proof->weight[a], scale * proof->weight[b]);
    if (half_angle) half_angle->middle *= 2, half_angle->half *= 2;
    return half_angle;
  };
  // x^i y^j: neighbours are as x^i to x^(i+1), y^j to y^(j+1)
  std::optional<Angle> x, y;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      if (i < 3)
        if (const auto one = angle(3 * i + j, 3 * i + j + 3); one && (!x || one->half < x->half)) x = one;
      if (j < 2)
        if (const auto one = angle(3 * i + j, 3 * i + j + 1); one && (!y || one->half < y->half)) y = one;
    }
  if (!x || !y) return false;
  const Angle own{t, half};
  const Interval arc(from, to);
  if (cut_.left_over == 0) return complete(own, *x, *y, arc, found);
  if (cut_.left_over == 1) return complete(*x, own, *y, arc, found);
  return complete(*x, *y, own, arc, found);
}

/// The other three joints, from the line: loop_candidates.cpp in intervals; then the count in each box.
bool Prover::complete(const Angle& c, const Angle& d, const Angle& e, const Interval& t,
                      std::vector<LoopBox>& found) const {
  const auto& [Ca, Cb, Cc, Cd, Ce, Cf] = C_;
  const auto turn = [](const Angle& angle) {
    return Transform<Interval>::rotation(turned_z(Mat3<Interval>::identity(), angle.interval()));
  };
  const Transform<Interval> K = Cb * turn(c) * Cc * turn(d) * Cd * turn(e) * Ce, Df = inverse(Cf);
  const Vec3<Interval> h{Ca.R.x.z, Ca.R.y.z, Ca.R.z.z}, k[2] = {K.R.z, K.p};
  const Interval w[2] = {Df.R.z.z, Df.p.z - Ca.p.z};
  Interval A[2][3];
  double length[2];
  for (int i = 0; i < 2; ++i) {
    A[i][0] = h.x * k[i].x + h.y * k[i].y;
    A[i][1] = h.y * k[i].x - h.x * k[i].y;
    A[i][2] = w[i] - h.z * k[i].z;
    length[i] = std::hypot(A[i][0].middle(), A[i][1].middle());
  }
  std::vector<Angle> b;
  const Interval determinant = A[0][0] * A[1][1] - A[0][1] * A[1][0];
  const double clear = 1e-3 * std::max(length[0] * length[0], length[1] * length[1]);
  if (determinant.low > clear || determinant.high < -clear) {
    // (cos, sin) times the determinant, whose sign turns it by half
    const double sign = determinant.low > 0 ? 1 : -1;
    const auto one = angle_of(Interval(sign) * (A[0][2] * A[1][1] - A[1][2] * A[0][1]),
                              Interval(sign) * (A[0][0] * A[1][2] - A[1][0] * A[0][2]));
    if (!one) return false;
    b.push_back(*one);
  } else {
    const int i = length[0] > length[1] ? 0 : 1;
    const auto middle = angle_of(A[i][0], A[i][1]);
    if (!middle) return false;
    const double spread = std::hypot(half_width(A[i][0]), half_width(A[i][1])) * (1 + 1e-12);
    const double shorter = length[i] - spread, longer = length[i] + spread;
    // of cos = A2 / length, both ends
    const double low = std::min(A[i][2].low / shorter, A[i][2].low / longer) - 1e-14;
    const double high = std::max(A[i][2].high / shorter, A[i][2].high / longer) + 1e-14;
    if (low > 1 || high < -1) return true;  // no such angle
    if (low < -1 || high > 1) return false;
    const double from = std::acos(high), to = std::acos(low);
    for (const double sense : {1.0, -1.0})
      b.push_back({middle->middle + sense * (from + to) / 2, middle->half + (to - from) / 2 + 1e-14});
  }
  std::vector<LoopBox> here;
  for (const Angle& each : b) {
    const Transform<Interval> X = Ca * turn(each) * K;
    const auto a = angle_of(X.R.z.x * Df.R.z.x + X.R.z.y * Df.R.z.y + X.p.x * Df.p.x + X.p.y * Df.p.y,
                            X.R.z.x * Df.R.z.y - X.R.z.y * Df.R.z.x + X.p.x * Df.p.y - X.p.y * Df.p.x);
    if (!a) return false;
    const Mat3<Interval> R = ~(turn(*a).R * X.R) * Df.R;
    const auto f = angle_of(R.x.x + R.y.y, R.x.y - R.y.x);
    if (!f) return false;
    LoopBox box;
    const Angle all[] = {*a, each, c, d, e, *f};
    for (std::size_t i = 0; i < 6; ++i) {
      // somewhat wider than what holds the solutions, so that it maps into itself
      const double half = all[i].half * 1.5 + 1e-12;
      box[i] = {all[i].middle - half, all[i].middle + half};
    }
    switch (count_in(C_, box)) {
      case BoxHolds::none: continue;
      case BoxHolds::unknown: return false;
      case BoxHolds::one: break;
    }
    // of the arc, or of another
    const Interval& own = box[2 + static_cast<std::size_t>(cut_.left_over)];
    if (own.high < t.low || own.low > t.high) continue;
    if (!(own.low > t.low && own.high < t.high)) return false;
    for (const LoopBox& other : here) {
      bool apart = false;
      for (std::size_t i = 0; i < 6; ++i) {
        const double by = std::abs(std::remainder(box[i].middle() - other[i].middle(), 2 * pi));
        apart = apart || by > (box[i].width() + other[i].width()) * 0.51 + 1e-14;
      }
      if (!apart) return false;
    }
    here.push_back(box);
  }
  found.insert(found.end(), here.begin(), here.end());
  return true;
}

/// Every solution of a cut in a box of its own; false where some arc remains open after so many were looked at.
class Search {
 public:
  Search(const Prover& prover, long most_arcs, const std::function<bool()>& is_late)
      : prover_(prover), most_arcs_(most_arcs), is_late_(is_late) {}

  bool run(std::vector<LoopBox>& found) {
    constexpr double widest = 0.02, narrowest = 1e-8;
    // a beginning that holds nothing, so that no solution lies across it
    double begin = 0.1234;
    while (begin < 1.1 && !regular<12>(prover_.system(begin, 1e-6))) begin += 0.05;
    if (begin > 1.1) return false;
    std::vector<Arc> todo = remaining({begin, begin + 2 * pi}, widest);
    for (double width = widest / 16; !todo.empty() && !is_over_; width /= 16) {
      if (width < narrowest) return false;
      std::vector<Arc> open;
      for (const Arc& arc : todo)
        if (!prover_.enclose(arc.from, arc.to, found))
          for (const Arc& part : remaining(arc, width)) open.push_back(part);
      todo = open;
    }
    return !is_over_;
  }

  long arcs() const { return arcs_; }

 private:
  struct Arc {
    double from, to;
  };

  /// What of an arc may hold solutions, in parts of at most that width; neighbours are one, for a solution may lie
  /// between them.
  std::vector<Arc> remaining(const Arc& whole, double width) {
    std::vector<Arc> out, todo{whole};
    while (!todo.empty()) {
      const Arc arc = todo.back();
      todo.pop_back();
      if (++arcs_ > most_arcs_ || (arcs_ % 256 == 0 && is_late_())) {
        is_over_ = true;
        break;
      }
      const double t = (arc.from + arc.to) / 2, half = (arc.to - arc.from) / 2;
      if (regular<12>(prover_.system(t, half * (1 + 1e-12) + 1e-15))) continue;
      if (2 * half <= width) {
        if (!out.empty() && out.back().to == arc.from)
          out.back().to = arc.to;
        else
          out.push_back(arc);
        continue;
      }
      todo.push_back({t, arc.to});
      todo.push_back({arc.from, t});
    }
    return out;
  }

  const Prover& prover_;
  long most_arcs_ = 0, arcs_ = 0;
  const std::function<bool()>& is_late_;
  bool is_over_ = false;
};

}  // namespace

CountProof prove_count(const TurningLoop& loop, std::span<const LoopCut> cuts, double seconds) {
  constexpr long few = 4000, many = 200000;
  CountProof out;
  const auto start = std::chrono::steady_clock::now();
  const std::function<bool()> is_late = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds;
  };
  for (const bool slides : loop.slides)
    if (slides) return out;  // products of shifts have no bound
  // a loop of which one side is longer than all others together does not close
  double longest = 0, all = 0;
  for (const Transform<double>& C : loop.C) {
    longest = std::max(longest, norm(C.p));
    all += norm(C.p);
  }
  if (longest > (all - longest) * (1 + 1e-12) + 1e-12) {
    out.proven = true;
    return out;
  }
  // every cut a little first: a good one needs no more
  for (const long most_arcs : {few, many})
    for (const LoopCut& cut : cuts) {
      if (is_late()) return out;
      const Prover prover(loop, cut);
      ++out.cuts;
      if (!prover.ready()) continue;
      std::vector<LoopBox> found;
      Search search(prover, most_arcs, is_late);
      const bool is_closed = search.run(found);
      out.arcs += search.arcs();
      if (!is_closed || found.size() > out.solution.size()) continue;
      out.proven = true;
      out.count = static_cast<int>(found.size());
      for (std::size_t k = 0; k < found.size(); ++k) {
        SixAngles q;
        for (std::size_t i = 0; i < 6; ++i) q[i] = std::remainder(found[k][i].middle(), 2 * pi);
        out.solution[k] = detail::of_arm(cut, q);
      }
      return out;
    }
  return out;
}

}  // namespace torsor

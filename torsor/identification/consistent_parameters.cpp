#include "torsor/identification/consistent_parameters.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "torsor/scalar/infinity.hpp"

namespace torsor {
namespace {

using Numbers = std::vector<double>;
using Pseudo = std::array<std::array<double, 4>, 4>;

/// P per unit of one of the ten parameters.
Pseudo unit_pseudo_inertia(int which) {
  Pseudo E{};
  const auto both = [&](int i, int j, double x) { E[i][j] = E[j][i] = x; };
  const auto moment = [&](int axis) {
    for (int i = 0; i < 3; ++i) E[i][i] = i == axis ? -0.5 : 0.5;
  };
  switch (which) {
    case 0: E[3][3] = 1; break;
    case 1:
    case 2:
    case 3: both(which - 1, 3, 1); break;
    case 4: moment(0); break;
    case 5: both(0, 1, -1); break;
    case 6: both(0, 2, -1); break;
    case 7: moment(1); break;
    case 8: both(1, 2, -1); break;
    default: moment(2);
  }
  return E;
}

void add(Pseudo& P, const Pseudo& E, double times) {
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) P[i][j] += times * E[i][j];
}

Pseudo pseudo_inertia(const Inertia<double>& J) {
  Pseudo P{};
  for (int k = 0; k < inertial_count; ++k) add(P, unit_pseudo_inertia(k), inertial_parameter(J, k));
  return P;
}

/// P = L L^T in place, the lower triangle; false where it is not positive definite.
bool factor(Pseudo& P) {
  for (int j = 0; j < 4; ++j) {
    for (int k = 0; k < j; ++k) P[j][j] -= P[j][k] * P[j][k];
    if (!(P[j][j] > 0)) return false;
    P[j][j] = std::sqrt(P[j][j]);
    for (int i = j + 1; i < 4; ++i) {
      for (int k = 0; k < j; ++k) P[i][j] -= P[i][k] * P[j][k];
      P[i][j] /= P[j][j];
      P[j][i] = 0;
    }
  }
  return true;
}

/// L^-1 E L^-T.
Pseudo seen_from(const Pseudo& L, Pseudo E) {
  for (int turn = 0; turn < 2; ++turn) {
    for (int c = 0; c < 4; ++c)
      for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < i; ++k) E[i][c] -= L[i][k] * E[k][c];
        E[i][c] /= L[i][i];
      }
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < i; ++j) std::swap(E[i][j], E[j][i]);
  }
  return E;
}

/// The length that makes the entries of P alike, so that one small number is small beside all of them.
double length_of(const Inertia<double>& J) {
  const double trace = (J.I.xx + J.I.yy + J.I.zz) / 2;
  return J.m > 0 && trace > 0 ? std::sqrt(trace / J.m) : 0;
}

/// A little mass, as far away from the origin as the length says: what keeps P off its boundary by more than rounding.
Pseudo margin(double mass, double length) {
  Pseudo E{};
  for (int i = 0; i < 3; ++i) E[i][i] = mass * length * length;
  E[3][3] = mass;
  return E;
}

/// A body whose pseudo-inertia is to stay positive.
struct Cone {
  std::vector<int> places;    // of its ten parameters
  std::vector<Pseudo> units;  // P per unit of each
  Pseudo least{};             // what P has to exceed: the same whatever the mass, which it would draw down otherwise
  Pseudo prior{};             // L of the file's P - least = L L^T
};

/// A number that is to stay positive: a rotor's inertia, a level of friction, or what a breakaway level has more than the
/// level of sliding.
struct Level {
  int place, less = -1;  // -1: less nothing
  double prior = 0;

  double value(const Numbers& phi) const { return phi[place] - (less < 0 ? 0 : phi[less]); }
};

constexpr double pull = 0.1;  // rho

/// The misfit with its barriers, and Newton's steps on it.
class Consistent {
 public:
  Consistent(const Model<double>& file, const BaseParameters& base, const BaseKnowledge& known)
      : base_(base),
        n_(static_cast<int>(base.parameters.size())),
        file_(parameter_values<double>(file, base.parameters)),
        phi_(file_),
        scale_(parameter_scales(file, base.parameters)),
        value_(known.value) {
    add_equations(known);
    add_cones(file);
  }

  /// Follows the minima as gamma goes down, each from the one before. Where that is too bold a step, the misfit draws along a
  /// wall far from the centre, and Newton's method creeps: then it is a smaller one, from the last minimum again.
  Numbers minimum() {
    constexpr double last = 1e-8, bold = 0.1, timid = 0.8;
    double gamma = std::max(1.0, misfit());
    find_minimum(gamma, last);
    while (gamma > last) {
      const Numbers before = phi_;
      double shrink = bold;
      while (!find_minimum(std::max(last, shrink * gamma), last) && shrink < timid) {
        shrink = std::sqrt(shrink);
        phi_ = before;
      }
      gamma = std::max(last, shrink * gamma);
    }
    return phi_;
  }

 private:
  const BaseParameters& base_;
  int n_;
  Numbers file_, phi_, scale_, value_;
  std::vector<Numbers> rows_;  // of the equations, over all parameters
  Numbers right_;
  std::vector<Cone> bodies_;
  std::vector<Level> levels_;

  /// A row over base parameters as one over all of them.
  void add_row(const Numbers& of_base, double right) {
    Numbers row(static_cast<std::size_t>(n_), 0.0);
    const int columns = static_cast<int>(base_.regrouped.size());
    for (int k = 0; k < base_.count(); ++k) {
      if (of_base[k] == 0) continue;
      row[base_.kept[k]] += of_base[k];
      for (int d = 0; d < columns; ++d) row[base_.regrouped[d]] += of_base[k] * base_.K[cell(k, columns, d)];
    }
    rows_.push_back(std::move(row));
    right_.push_back(right);
  }

  void add_equations(const BaseKnowledge& known) {
    Numbers row(static_cast<std::size_t>(base_.count()), 0.0);
    for (int k = 0; k < known.equations.n(); ++k) {
      double right = 0;
      for (std::size_t c = 0; c < known.columns.size(); ++c) {
        row[known.columns[c]] = known.equations.row(k)[c];
        right += known.equations.row(k)[c] * known.value[known.columns[c]];
      }
      add_row(row, right);
    }
    // beyond seven digits a record is exact to this search, whose barriers would drown in rounding otherwise
    constexpr double exact = 1e7;
    double largest = 0;
    for (const Numbers& r : rows_)
      for (int j = 0; j < n_; ++j) largest = std::max(largest, std::abs(r[j]) * scale_[j]);
    const double times = largest > exact ? exact / largest : 1;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      for (double& x : rows_[k]) x *= times;
      right_[k] *= times;
    }
    // what the record does not know stays as in the file
    constexpr double firm = 1e4;
    for (int k = 0; k < base_.count(); ++k) {
      if (std::ranges::count(known.columns, k) > 0) continue;
      std::ranges::fill(row, 0.0);
      row[k] = firm / scale_[base_.kept[k]];
      add_row(row, row[k] * known.value[k]);
    }
  }

  void add_cones(const Model<double>& file) {
    std::map<int, Cone> cones;
    for (int place = 0; place < n_; ++place) {
      const DynamicParameter& p = base_.parameters[place];
      if (p.kind == ParameterKind::rotor_coupling) continue;
      if (p.kind != ParameterKind::inertial)
        levels_.push_back({place, sliding_level(base_.parameters, place)});
      else
        cones[p.index].places.push_back(place);
    }
    // levels start where the record has them: a file that knows no friction has no opinion on its size
    const Numbers wanted = base_.nearest(phi_, scale_, value_);
    constexpr double small = 1e-6;
    for (Level& level : levels_) {
      level.prior = std::max({level.value(phi_), std::abs(level.value(wanted)), small * scale_[level.place]});
      scale_[level.place] = std::max(scale_[level.place], level.prior);
    }
    // sliding levels first, since breakaway adds to them
    for (const Level& level : levels_)
      if (level.less < 0) phi_[level.place] = level.prior;
    for (const Level& level : levels_)
      if (level.less >= 0) phi_[level.place] = phi_[level.less] + level.prior;
    for (auto& [index, cone] : cones)
      if (cone.places.size() == static_cast<std::size_t>(inertial_count))
        bodies_.push_back(completed(std::move(cone), file[index].inertia));
  }

  /// The start is the file's body, moved inside where it has no extent in some direction. A body without mass returns to the
  /// mass that it has there: near none there are only bodies of absurd extent.
  Cone completed(Cone cone, const Inertia<double>& J) {
    constexpr double share = 1e-6, thick = 1e-3;
    const double mass = scale_[cone.places.front()];
    const double length = J.m > 0 && length_of(J) > 0 ? length_of(J) : std::sqrt(scale_[cone.places.back()] / mass);
    for (int which = 0; which < inertial_count; ++which) cone.units.push_back(unit_pseudo_inertia(which));
    cone.least = margin(share * mass, length);
    for (double more = thick;; more *= 10) {
      cone.prior = value(cone);
      if (factor(cone.prior) && well_inside(cone.prior, length)) break;
      // a little of a ball about the origin
      phi_[cone.places[0]] += more * mass;
      for (const int moment : {4, 7, 9}) phi_[cone.places[moment]] += more * mass * length * length;
    }
    if (!(J.m > 0)) file_[cone.places.front()] = phi_[cone.places.front()];
    return cone;
  }

  static bool well_inside(const Pseudo& L, double length) {
    constexpr double thin = 1e-4;
    for (int i = 0; i < 3; ++i)
      if (!(L[i][i] > thin * length * L[3][3])) return false;
    return true;
  }

  Pseudo value(const Cone& cone) const {
    Pseudo P{};
    add(P, cone.least, -1);
    for (std::size_t k = 0; k < cone.places.size(); ++k) add(P, cone.units[k], phi_[cone.places[k]]);
    return P;
  }

  double misfit() const {
    double sum = 0;
    for (std::size_t k = 0; k < rows_.size(); ++k) sum += 0.5 * left(k) * left(k);
    return sum;
  }
  double left(std::size_t k) const {
    double e = right_[k];
    for (int j = 0; j < n_; ++j) e -= rows_[k][j] * phi_[j];
    return e;
  }

  /// Steps of Newton to the minimum for this gamma, the last one until rounding stops them; false where it is not reached soon.
  bool find_minimum(double gamma, double last) {
    constexpr double close = 1e-3, closest = 1e-7;
    constexpr int most_steps = 30;
    double before = infinity;
    for (int k = 0; k < most_steps; ++k) {
      const double decrement = step(gamma);
      if (decrement < closest || (decrement < close && (gamma > last || decrement > before / 2))) return true;
      before = decrement;
    }
    return false;
  }

  /// One damped step of Newton; its decrement.
  double step(double gamma) {
    RowTriangle all(n_);
    for (std::size_t k = 0; k < rows_.size(); ++k) all.add(rows_[k], left(k));
    const double weight = std::sqrt(gamma);
    Numbers row(static_cast<std::size_t>(n_), 0.0);
    // the second derivative of -log det P is Z^T Z with Z = L^-1 E L^-T; so are both gradients Z^T times something
    for (const Cone& cone : bodies_) {
      Pseudo L = value(cone);
      factor(L);
      std::vector<Pseudo> Z;
      for (const Pseudo& unit : cone.units) Z.push_back(seen_from(L, unit));
      const Pseudo W = seen_in(cone.prior, L);
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
          for (std::size_t k = 0; k < Z.size(); ++k) row[cone.places[k]] = Z[k][i][j];
          all.add(row, (i == j ? 1 : 0) - W[i][j], weight);
        }
      for (const int place : cone.places) row[place] = 0;
    }
    for (const Level& level : levels_) {
      const double value = level.value(phi_);
      row[level.place] = 1 / value;
      if (level.less >= 0) row[level.less] = -1 / value;
      all.add(row, 1 - value / level.prior, weight);
      row[level.place] = 0;
      if (level.less >= 0) row[level.less] = 0;
    }
    for (int place = 0; place < n_; ++place) {
      row[place] = 1;
      all.add(row, file_[place] - phi_[place], std::sqrt(pull) / scale_[place]);
      row[place] = 0;
    }
    Numbers d(static_cast<std::size_t>(n_));
    all.solve(d);
    double squares = 0;
    for (int k = 0; k < n_; ++k) {
      double sum = 0;
      for (int j = k; j < n_; ++j) sum += all.row(k)[j] * d[j];
      squares += sum * sum;
    }
    move(d, gamma, squares);
    return std::sqrt(squares / gamma);
  }

  /// L^T Q^-1 L, where Q = F F^T.
  static Pseudo seen_in(const Pseudo& F, const Pseudo& L) {
    Pseudo X = L;  // F^-1 L
    for (int c = 0; c < 4; ++c)
      for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < i; ++k) X[i][c] -= F[i][k] * X[k][c];
        X[i][c] /= F[i][i];
      }
    Pseudo W{};
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        for (int k = 0; k < 4; ++k) W[i][j] += X[k][i] * X[k][j];
    return W;
  }

  /// The function; infinite where a body is impossible.
  double objective(double gamma) const {
    double barrier = 0;
    for (const Cone& cone : bodies_) {
      Pseudo L = value(cone);
      if (!factor(L)) return infinity;
      const Pseudo W = seen_in(cone.prior, L);
      for (int i = 0; i < 4; ++i) barrier += W[i][i] - 2 * std::log(L[i][i]);
    }
    for (const Level& level : levels_) {
      const double value = level.value(phi_);
      if (!(value > 0)) return infinity;
      barrier += value / level.prior - std::log(value);
    }
    double moved = 0;
    for (int place = 0; place < n_; ++place) moved += std::pow((phi_[place] - file_[place]) / scale_[place], 2);
    return misfit() + 0.5 * pull * moved + gamma * barrier;
  }

  /// Along Newton's direction, as far as the function falls by its due; `squares` is its decrement squared.
  void move(const Numbers& d, double gamma, double squares) {
    constexpr double due = 0.1;
    const Numbers before = phi_;
    const double start = objective(gamma);
    for (double length = 1; length > 1e-12; length /= 2) {
      for (int j = 0; j < n_; ++j) phi_[j] = before[j] + length * d[j];
      // where the fall is below the rounding of the function, the step is taken for its own sake
      if (objective(gamma) <= start - due * length * squares + 1e-13 * std::abs(start)) return;
    }
    phi_ = before;
  }
};

}  // namespace

int sliding_level(std::span<const DynamicParameter> list, int place) {
  const DynamicParameter& p = list[static_cast<std::size_t>(place)];
  const ParameterKind sliding = p.kind == ParameterKind::breakaway_positive   ? ParameterKind::coulomb_positive
                                : p.kind == ParameterKind::breakaway_negative ? ParameterKind::coulomb_negative
                                                                              : ParameterKind::inertial;
  if (sliding == ParameterKind::inertial) return -1;
  const auto found = std::ranges::find(list, DynamicParameter{sliding, p.index, 0});
  return found == list.end() ? -1 : static_cast<int>(found - list.begin());
}

bool is_possible_body(const Inertia<double>& J) {
  constexpr double rounding = 1e-10;
  if (J.m == 0 && norm(J.h) == 0 && J.I.xx == 0 && J.I.yy == 0 && J.I.zz == 0) return true;
  Pseudo P = pseudo_inertia(J);
  // the unit of length is that of the body: a millimetre's body is judged as a metre's
  const double trace = P[0][0] + P[1][1] + P[2][2];
  if (!(J.m >= 0) || !(trace >= 0)) return false;
  for (int i = 0; i < 3; ++i) P[i][i] += rounding * trace;
  P[3][3] += rounding * J.m;
  return factor(P) || (J.m > 0 && trace == 0 && norm(J.h) == 0);
}

std::vector<int> impossible_bodies(const Model<double>& model, std::span<const DynamicParameter> list,
                                   std::span<const double> phi) {
  const Model<double> changed = with_parameters(model, list, phi);
  std::vector<int> out;
  for (int i = 0; i < static_cast<int>(changed.bodies.size()); ++i) {
    const bool listed = std::ranges::any_of(
        list, [&](const DynamicParameter& p) { return p.kind == ParameterKind::inertial && p.index == i; });
    if (listed && !is_possible_body(changed[i].inertia)) out.push_back(i);
  }
  return out;
}

std::vector<double> consistent_parameters(const Model<double>& file, const BaseParameters& base,
                                          const BaseKnowledge& known) {
  return Consistent(file, base, known).minimum();
}

}  // namespace torsor

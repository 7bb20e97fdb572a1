#include "torsor/identification/identification.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/identification/robot_regressor.hpp"
#include "torsor/loops/loop_dynamics.hpp"
#include "torsor/model/transmission.hpp"
#include "torsor/numeric/qr.hpp"
#include "torsor/numeric/row_triangle.hpp"
#include "torsor/numeric/singular_values.hpp"

namespace torsor {
namespace {

using Numbers = std::vector<double>;

/// The equations of one instant after the other: Y_b and what the file's parameters leave of the torques.
class RecordEquations {
 public:
  RecordEquations(const RegressorSubject& subject, const BaseParameters& base, const IdentificationOptions& options)
      : model_(subject.coordinates),
        options_(options),
        regressor_(subject, kept_parameters(base)),
        Y_(cells(model_.nv, base.count())),
        left_(static_cast<std::size_t>(model_.nv)),
        column_(left_),
        motor_(left_),
        rubbing_(left_.size()) {
    if (subject.loops)
      closed_ = loop_engine(subject.tree, subject.loops, {}, {});
    else
      dynamics_.emplace(subject.tree, Questions::all_but_forward);
    for (const DynamicParameter& p : base.parameters)
      if (p.kind > ParameterKind::viscous)
        for (const int j : feeling(subject, subject.tree[p.index].v)) rubbing_[j].push_back(subject.tree[p.index].v);
  }

  /// False where the loops do not close.
  bool at(const TorqueSample& sample) {
    if (!regressor_.at(sample.q, sample.qd, sample.qdd, Y_)) return false;
    if (closed_)
      closed_->inverse(sample.q, sample.qd, sample.qdd, left_);
    else
      dynamics_->inverse(sample.q, sample.qd, sample.qdd, left_);
    if (options_.at_motors) to_motors();
    for (std::size_t j = 0; j < left_.size(); ++j) left_[j] = sample.tau[j] - left_[j];
    return true;
  }

  /// Of a joint, at the last instant: its row of Y_b, and what the file leaves of its torque.
  std::span<const double> row(int joint) const {
    return std::span(Y_).subspan(cell(joint, columns(), 0), static_cast<std::size_t>(columns()));
  }
  double left(int joint) const { return left_[joint]; }

  /// M_jj with the parameters of the file, and the row that the base parameters add to it: of joints, whatever the record is of.
  double own_inertia(std::span<const double> q, int joint, Numbers& row) {
    const Numbers rest(left_.size(), 0.0);
    regressor_.at(q, rest, rest, Y_);
    row.assign(this->row(joint).begin(), this->row(joint).end());
    Numbers unit = rest;
    unit[joint] = 1;
    regressor_.at(q, rest, unit, Y_);
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = this->row(joint)[c] - row[c];
    Numbers M(cells(model_.nv, model_.nv));
    if (closed_)
      closed_->mass(q, M);
    else
      dynamics_->mass(q, M);
    return M[cell(joint, model_.nv, joint)];
  }

  /// Whether dry friction, which nobody knows at rest, is part of this equation.
  bool rests(const TorqueSample& sample, int joint) const {
    const auto slow = [&](int k) {
      return std::ranges::any_of(rubbing_[k], [&](int v) {
        return std::abs(closed_ ? regressor_.joint_rates()[v] : sample.qd[v]) <= options_.rest_speed;
      });
    };
    if (options_.at_motors)
      for (const Transmission& t : model_.transmissions)
        if (std::ranges::count(t.dofs, joint) > 0) return std::ranges::any_of(t.dofs, slow);
    return slow(joint);
  }

 private:
  /// The coordinates that feel what rubs at a velocity coordinate of the tree: its own, or those that move it.
  static std::vector<int> feeling(const RegressorSubject& subject, int v) {
    if (!subject.loops) return {v};
    std::vector<int> out;
    const std::vector<int>& own = subject.loops->v;
    const auto place = [&](int coordinate) {
      return static_cast<int>(std::ranges::lower_bound(own, coordinate) - own.begin());
    };
    if (std::ranges::binary_search(own, v)) return {place(v)};
    for (const LoopCluster& c : subject.loops->clusters)
      if (std::ranges::any_of(c.dependent, [&](int column) { return c.coordinates[column] == v; }))
        for (const int column : c.independent) out.push_back(place(c.coordinates[column]));
    return out;
  }

  static std::vector<DynamicParameter> kept_parameters(const BaseParameters& base) {
    std::vector<DynamicParameter> list;
    for (const int k : base.kept) list.push_back(base.parameters[k]);
    return list;
  }

  int columns() const { return regressor_.columns(); }

  void to_motors() {
    motor_torques(model_, left_, motor_);
    left_ = motor_;
    for (int c = 0; c < columns(); ++c) {
      for (int j = 0; j < model_.nv; ++j) column_[j] = Y_[cell(j, columns(), c)];
      motor_torques(model_, column_, motor_);
      for (int j = 0; j < model_.nv; ++j) Y_[cell(j, columns(), c)] = motor_[j];
    }
  }

  const Model<double>& model_;
  const IdentificationOptions& options_;
  RobotRegressor regressor_;
  std::optional<TreeDynamics<double>> dynamics_;  // of a tree
  std::unique_ptr<DynamicsEngine> closed_;        // with loops
  Numbers Y_, left_, column_, motor_;
  std::vector<std::vector<int>> rubbing_;  // per coordinate: velocity coordinates of the tree whose friction it feels
};

/// The equations of all joints, each divided by its noise, in the columns that are solved for.
RowTriangle weighted_equations(const std::vector<RowTriangle>& joints, const Numbers& noise,
                               const std::vector<int>& columns) {
  RowTriangle all(static_cast<int>(columns.size()));
  Numbers row(columns.size());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (joints[j].rows() == 0) continue;
    for (int k = 0; k < joints[j].n(); ++k) {
      const std::span<const double> full = joints[j].row(k);
      for (std::size_t c = 0; c < columns.size(); ++c) row[c] = full[columns[c]];
      all.add(row, joints[j].z()[k], 1 / noise[j]);
    }
  }
  return all;
}

Numbers column_lengths(const RowTriangle& triangle) {
  const int n = triangle.n();
  Numbers length(static_cast<std::size_t>(n), 0.0);
  for (int k = 0; k < n; ++k)
    for (int c = k; c < n; ++c) length[c] = std::hypot(length[c], triangle.R()[cell(k, n, c)]);
  return length;
}

/// R with columns of unit length; one that is zero stays so.
Numbers equilibrated(const RowTriangle& triangle, const Numbers& length) {
  const int n = triangle.n();
  Numbers A(triangle.R().begin(), triangle.R().end());
  for (int k = 0; k < n; ++k)
    for (int c = 0; c < n; ++c)
      if (length[c] > 0) A[cell(k, n, c)] /= length[c];
  return A;
}

/// The columns that the rows tell apart; the others are `unexcited`.
std::vector<int> excited_columns(const RowTriangle& triangle, double tolerance, std::vector<int>& unexcited) {
  const int n = triangle.n();
  Numbers A = equilibrated(triangle, column_lengths(triangle)), RD(A.size(), 0.0);
  std::vector<int> permutation(static_cast<std::size_t>(n));
  const int rank = qr_factor_pivoted<double>(A, n, n, RD, permutation, tolerance);
  std::vector<int> excited(permutation.begin(), permutation.begin() + rank);
  unexcited.assign(permutation.begin() + rank, permutation.end());
  std::ranges::sort(excited);
  std::ranges::sort(unexcited);
  return excited;
}

double condition_number(const RowTriangle& triangle) {
  const int n = triangle.n();
  Numbers A = equilibrated(triangle, column_lengths(triangle)), U(A.size()), sigma(static_cast<std::size_t>(n));
  singular_values<double>(A, n, n, U, sigma);
  return n == 0 ? 1 : sigma.front() / sigma.back();
}

/// The share of the parameters that each joint determines: |R_j R^-1|^2 / sigma_j^2.
double determined_share(const RowTriangle& joint, double noise, const std::vector<int>& columns,
                        const Numbers& inverse) {
  const int n = static_cast<int>(columns.size());
  double sum = 0;
  for (int k = 0; k < joint.n(); ++k)
    for (int c = 0; c < n; ++c) {
      double entry = 0;
      for (int i = 0; i <= c; ++i) entry += joint.row(k)[columns[i]] * inverse[cell(i, n, c)];
      sum += entry * entry;
    }
  return sum / (noise * noise);
}

double root_mean(double squares, long long rows) {
  return rows > 0 ? std::sqrt(squares / static_cast<double>(rows)) : 0;
}

Fault too_few_rows(const Identification& found, std::size_t instants) {
  long long rows = 0, resting = 0;
  for (const JointFit& joint : found.joints) rows += joint.rows, resting += joint.resting;
  std::string what = "it has " + std::to_string(instants) + " instants, " + std::to_string(found.fitted) +
                     " of them to fit with, and so " + std::to_string(rows) + " equations for " +
                     std::to_string(found.base.count()) + " base parameters";
  if (resting > 0) what += "; " + std::to_string(resting) + " more have no effect, for their joint rests";
  return {{}, "the record", "identify-rows", what, "record a longer motion, or hold less of it back"};
}

/// Joints that move, and yet have one torque in all rows: nobody measured it. (Without a motor it is zero.)
Faults constant_torques(const Model<double>& model, const RecordSurvey& record) {
  Faults errors;
  for (int j = 0; j < model.nv && record.rows > 2; ++j) {
    const double value = record.constant[j];
    if (!std::isnan(value) && value != 0 && record.accelerates[j])
      errors.push_back({{},
                        "joint \"" + model.velocity_names[j] + '"',
                        "identify-constant",
                        "it moves, but its torque is " + std::to_string(value) + " in all rows",
                        "look at the column of its torque: was it recorded?"});
  }
  return errors;
}

/// Joints whose torque is zero throughout, though nobody said that they have no motor: was it not recorded?
Faults absent_torques(const Model<double>& model, const RecordSurvey& record, std::vector<bool> passive) {
  passive.resize(static_cast<std::size_t>(model.nv), false);
  for (const Body<double>& b : model.bodies)
    for (int k = 0; k < b.nv && b.kind == JointKind::free; ++k) passive[static_cast<std::size_t>(b.v + k)] = true;
  Faults errors;
  for (int k = 0; k < model.nv && record.rows > 0; ++k) {
    if (record.driven[k] || passive[static_cast<std::size_t>(k)]) continue;
    const std::string& name = model.velocity_names[k];
    errors.push_back({{},
                      "joint \"" + name + '"',
                      "identify-effortless",
                      "its torque is 0 in all rows",
                      "record it; or, if the joint has no motor, say so: --passive " + name});
  }
  return errors;
}

/// What one pass over the record keeps of it.
struct RecordTriangles {
  RecordTriangles(int joints, int columns)
      : fitted(static_cast<std::size_t>(joints), RowTriangle(columns)), held(fitted), squares(fitted.size(), 0.0),
        held_squares(squares), size(squares), alike(cells(joints, joints), 0.0), resting(fitted.size(), 0) {}

  std::vector<RowTriangle> fitted, held;  // each joint's equations, of both parts
  Numbers squares, held_squares;          // of its torque, where it does not rest
  Numbers size;                           // of its torque, everywhere
  Numbers alike;                          // |torque k - what the file expects of joint j|^2
  std::vector<long long> resting;
  std::vector<Numbers> places;            // some of the positions
  long long open = -1;                    // the first instant at which the loops do not close
};

RecordTriangles triangles(RecordEquations& equations, TorqueRows& rows, std::size_t all, const Identification& out,
                          int nv) {
  constexpr std::size_t some = 50;  // positions: inertia changes with them alone
  const std::size_t step = all / some + 1;
  RecordTriangles t(nv, out.base.count());
  rows.rewind();
  for (std::size_t k = 0; k < all; ++k) {
    const TorqueSample* const sample = rows.next();
    if (!sample) break;  // a file that became shorter while it was read
    if (k % step == 0) t.places.push_back(sample->q);
    if (!equations.at(*sample)) {
      t.open = static_cast<long long>(k);
      break;
    }
    const bool fits = k < out.fitted;
    for (int j = 0; j < nv; ++j) {
      const double tau = sample->tau[j], expected = tau - equations.left(j);
      t.size[j] += tau * tau;
      for (int i = 0; i < nv; ++i) t.alike[cell(j, nv, i)] += (sample->tau[i] - expected) * (sample->tau[i] - expected);
      if (equations.rests(*sample, j)) {
        if (fits) ++t.resting[j];
        continue;
      }
      (fits ? t.fitted : t.held)[j].add(equations.row(j), equations.left(j));
      (fits ? t.squares : t.held_squares)[j] += tau * tau;
    }
  }
  return t;
}

/// What is left of the torques that were kept back, with the identified parameters and with those of the file.
void validate_held_out(const RecordTriangles& t, const Numbers& change, Identification& out) {
  const Numbers none(change.size(), 0.0);
  for (std::size_t j = 0; j < out.joints.size(); ++j) {
    JointFit& joint = out.joints[j];
    const long long rows = t.held[j].rows();
    joint.held_size = root_mean(t.held_squares[j], rows);
    if (!(joint.held_size > 0)) continue;
    joint.held_fit = root_mean(t.held[j].squares(change), rows) / joint.held_size;
    joint.held_file = root_mean(t.held[j].squares(none), rows) / joint.held_size;
  }
}

/// For each joint, which other one's recorded torque the file would take for it.
void find_likeness(const RecordTriangles& t, Identification& out) {
  const int n = static_cast<int>(out.joints.size());
  for (int j = 0; j < n; ++j) {
    JointFit& joint = out.joints[j];
    for (int k = 0; k < n; ++k) {
      const double share = std::sqrt(t.alike[cell(j, n, k)] / t.size[k]);
      if (k == j) joint.own_left = share;
      if (k == j || !(t.size[k] > 0) || (joint.like >= 0 && joint.like_left <= share)) continue;
      joint.like = k;
      joint.like_left = share;
    }
  }
}

/// The least inertia that each joint's own motion would take along the record, and how sure it is: `inverse` is R^-1 of the
/// equations in these columns.
void find_least_inertia(RecordEquations& equations, const std::vector<Numbers>& places, const Numbers& change,
                        const std::vector<int>& columns, const Numbers& inverse, Identification& out) {
  const int n = static_cast<int>(columns.size());
  Numbers row;
  for (int j = 0; j < static_cast<int>(out.joints.size()); ++j) {
    JointFit& joint = out.joints[j];
    joint.inertia = std::numeric_limits<double>::infinity();
    for (const Numbers& q : places) {
      double inertia = equations.own_inertia(q, j, row);
      for (std::size_t c = 0; c < change.size(); ++c) inertia += row[c] * change[c];
      if (!(inertia < joint.inertia)) continue;
      joint.inertia = inertia;
      double variance = 0;
      for (int c = 0; c < n; ++c) {
        double entry = 0;
        for (int i = 0; i <= c; ++i) entry += row[columns[i]] * inverse[cell(i, n, c)];
        variance += entry * entry;
      }
      joint.inertia_deviation = std::sqrt(variance);
    }
  }
}

/// The equations of torques tau = Y (b + d) + noise for d, if the torques had the other sign: what Y d = z leaves there at -d - 2 b,
/// they leave at d. (What is no parameter, as a friction table, does not turn with them.)
RowTriangle turned(const RowTriangle& joint, const Numbers& b) {
  RowTriangle out(joint.n());
  for (int k = 0; k < joint.n(); ++k)
    out.add(joint.row(k), -joint.z()[k] - 2 * std::inner_product(b.begin(), b.end(), joint.row(k).begin(), 0.0));
  return out;
}

/// Joints whose torques have the other sign: those whose own motion takes a negative inertia, if with their torques turned it
/// takes none and the record is explained.
std::vector<int> opposite_torques(RecordEquations& equations, const RecordTriangles& t, const Numbers& weight,
                                  const std::vector<int>& columns, const Numbers& inverse,
                                  const Identification& found) {
  constexpr double explained = 0.2;  // of the torque's rms is left, at most
  Identification other;
  other.joints = found.joints;
  std::vector<int> opposite;
  std::vector<RowTriangle> joints = t.fitted;
  for (int j = 0; j < static_cast<int>(joints.size()); ++j)
    if (negative_inertia(found, j)) {
      opposite.push_back(j);
      joints[j] = turned(joints[j], found.file);
    }
  if (opposite.empty()) return opposite;
  Numbers some(columns.size()), change(found.file.size(), 0.0);
  weighted_equations(joints, weight, columns).solve(some);
  for (std::size_t c = 0; c < columns.size(); ++c) change[columns[c]] = some[c];

  find_least_inertia(equations, t.places, change, columns, inverse, other);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (negative_inertia(other, static_cast<int>(j))) return {};
    const bool turns = std::ranges::count(opposite, static_cast<int>(j)) > 0;
    const double squares = joints[j].squares(change) + (turns ? t.fitted[j].left() : 0);
    const double most = turns ? explained : std::max(explained, found.joints[j].fit);
    if (root_mean(squares, t.fitted[j].rows()) > most * found.joints[j].size) return {};
  }
  return opposite;
}

}  // namespace

Result<Identification> identify(const RegressorSubject& subject, std::vector<DynamicParameter> parameters,
                                TorqueRows& record, const RecordSurvey& seen, const IdentificationOptions& options) {
  const Model<double>& model = subject.coordinates;
  TORSOR_EXPECT(options.held_out >= 0 && options.held_out <= 0.9);
  if (Faults errors = constant_torques(model, seen); !errors.empty()) return errors;
  if (Faults errors = absent_torques(model, seen, options.passive); !errors.empty()) return errors;
  Identification out;
  out.base = base_parameters(subject, std::move(parameters), {.seed = options.seed});
  out.file = out.base.values(parameter_values<double>(subject.tree, out.base.parameters));
  out.held_out = static_cast<std::size_t>(options.held_out * static_cast<double>(seen.rows));
  out.fitted = seen.rows - out.held_out;
  const int n = out.base.count(), nv = model.nv;

  // each joint's equations as a triangle
  RecordEquations equations(subject, out.base, options);
  RecordTriangles t = triangles(equations, record, seen.rows, out, nv);
  if (t.open >= 0)
    return Fault{{},
                 "row " + std::to_string(t.open + 1),
                 "loop-open",
                 "the loops cannot be closed at its position, on the branch in which they were assembled",
                 "look at the columns of positions: their units, their zeros, the joints they belong to"};
  const std::vector<RowTriangle>& joints = t.fitted;
  out.joints.resize(joints.size());
  long long rows = 0;
  double largest = 0;
  for (int j = 0; j < nv; ++j) {
    out.joints[j].rows = joints[j].rows();
    out.joints[j].resting = t.resting[j];
    rows += joints[j].rows();
    largest = std::max(largest, out.joints[j].size = root_mean(t.squares[j], joints[j].rows()));
  }
  if (n == 0 || rows <= n) return too_few_rows(out, seen.rows);

  // what this motion can tell apart, every joint in units of its own size
  constexpr double smallest = 1e-6;  // a joint without torque is not to be weighed by its rounding
  Numbers noise;
  for (const JointFit& joint : out.joints) noise.push_back(std::max(joint.size, largest > 0 ? smallest * largest : 1));
  const Numbers size = noise;
  std::vector<int> columns(static_cast<std::size_t>(n));
  std::iota(columns.begin(), columns.end(), 0);
  columns = excited_columns(weighted_equations(joints, noise, columns), options.excited, out.unexcited);

  // noise and parameters in turn, until the noise stays as it is
  constexpr int most_rounds = 50;
  constexpr double same = 1e-6, rounding = 1e-12;  // below the latter, of its size, there is no noise
  Numbers some(columns.size()), change(static_cast<std::size_t>(n), 0.0), inverse;
  std::optional<RowTriangle> all;
  for (out.settled = false; !out.settled && out.rounds < most_rounds; ++out.rounds) {
    all = weighted_equations(joints, noise, columns);
    all->solve(some);
    inverse = all->inverse();
    for (std::size_t c = 0; c < columns.size(); ++c) change[columns[c]] = some[c];
    out.settled = true;
    for (int j = 0; j < nv; ++j) {
      const double sum = joints[j].squares(change);
      const double freedom =
          static_cast<double>(joints[j].rows()) - determined_share(joints[j], noise[j], columns, inverse);
      const double next = std::max(std::sqrt(sum / std::max(freedom, 1.0)), rounding * size[j]);
      out.settled = out.settled && std::abs(next - noise[j]) <= same * next;
      noise[j] = next;
      out.joints[j].noise = joints[j].rows() > 0 ? next : 0;
      out.joints[j].fit = out.joints[j].size > 0 ? root_mean(sum, joints[j].rows()) / out.joints[j].size : 0;
    }
  }

  out.value = out.file;
  out.deviation.assign(out.file.size(), 0.0);
  out.inflation.assign(out.file.size(), 1.0);
  const Numbers length = column_lengths(*all);
  const int m = static_cast<int>(columns.size());
  for (int c = 0; c < m; ++c) {
    double variance = 0;
    for (int k = c; k < m; ++k) variance += inverse[cell(c, m, k)] * inverse[cell(c, m, k)];
    out.value[columns[c]] += some[c];
    out.deviation[columns[c]] = std::sqrt(variance);
    out.inflation[columns[c]] = std::sqrt(variance) * length[c];
  }
  out.condition = condition_number(*all);
  out.known = {*all, columns, out.value};
  validate_held_out(t, change, out);
  find_least_inertia(equations, t.places, change, columns, inverse, out);
  find_likeness(t, out);
  out.opposite = opposite_torques(equations, t, size, columns, inverse, out);
  out.equations = std::move(t.fitted);
  for (const JointFit& joint : out.joints)
    for (const double x : {joint.size, joint.fit, joint.noise, joint.held_size, joint.held_fit, joint.held_file})
      if (!std::isfinite(x))
        return not_finite("joint \"" + model.velocity_names[static_cast<std::size_t>(&joint - out.joints.data())] + '"',
                          "the residual of its torque", x);
  for (const Numbers* numbers : {&out.value, &out.deviation, &out.inflation})
    for (std::size_t k = 0; k < numbers->size(); ++k)
      if (const DynamicParameter& which = out.base.parameters[static_cast<std::size_t>(out.base.kept[k])];
          !std::isfinite((*numbers)[k]))
        return not_finite("parameter " + parameter_name(subject.tree, which), "its estimate", (*numbers)[k]);
  return out;
}

Result<Identification> identify(const RegressorSubject& subject, std::vector<DynamicParameter> parameters,
                                const std::vector<TorqueSample>& samples, const IdentificationOptions& options) {
  StoredRows rows(samples);
  const RecordSurvey seen = survey(subject.coordinates, rows);
  return identify(subject, std::move(parameters), rows, seen, options);
}

}  // namespace torsor

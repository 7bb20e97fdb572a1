#include "torsor/dynamics/identification.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "torsor/dynamics/regressor.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/model/transmission.hpp"
#include "torsor/numeric/qr.hpp"
#include "torsor/numeric/row_triangle.hpp"
#include "torsor/numeric/singular_values.hpp"

namespace torsor {
namespace {

using Numbers = std::vector<double>;

/// The equations of one instant after the other: Y_b and what the file's parameters leave of the efforts.
class RecordEquations {
 public:
  RecordEquations(const Model<double>& model, const BaseParameters& base, const IdentificationOptions& options)
      : model_(model),
        options_(options),
        regressor_(model, kept_parameters(base)),
        dynamics_(model, Questions::all_but_forward),
        Y_(cells(model.nv, base.count())),
        left_(static_cast<std::size_t>(model.nv)),
        column_(left_),
        motor_(left_),
        rubs_(left_.size(), 0) {
    for (const DynamicParameter& p : base.parameters)
      if (p.kind > ParameterKind::viscous) rubs_[model[p.index].v] = 1;
  }

  void at(const EffortSample& sample) {
    regressor_.at(sample.q, sample.qd, sample.qdd, Y_);
    dynamics_.inverse(sample.q, sample.qd, sample.qdd, left_);
    if (options_.at_motors) to_motors();
    for (std::size_t j = 0; j < left_.size(); ++j) left_[j] = sample.tau[j] - left_[j];
  }

  /// Of a joint, at the last instant: its row of Y_b, and what the file leaves of its effort.
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
    dynamics_.mass(q, M);
    return M[cell(joint, model_.nv, joint)];
  }

  /// Whether dry friction, which nobody knows at rest, is part of this equation.
  bool rests(const EffortSample& sample, int joint) const {
    const auto slow = [&](int k) { return rubs_[k] && std::abs(sample.qd[k]) <= options_.rest_speed; };
    if (options_.at_motors)
      for (const Transmission& t : model_.transmissions)
        if (std::ranges::count(t.dofs, joint) > 0) return std::ranges::any_of(t.dofs, slow);
    return slow(joint);
  }

 private:
  static std::vector<DynamicParameter> kept_parameters(const BaseParameters& base) {
    std::vector<DynamicParameter> list;
    for (const int k : base.kept) list.push_back(base.parameters[k]);
    return list;
  }

  int columns() const { return regressor_.columns(); }

  void to_motors() {
    motor_efforts(model_, left_, motor_);
    left_ = motor_;
    for (int c = 0; c < columns(); ++c) {
      for (int j = 0; j < model_.nv; ++j) column_[j] = Y_[cell(j, columns(), c)];
      motor_efforts(model_, column_, motor_);
      for (int j = 0; j < model_.nv; ++j) Y_[cell(j, columns(), c)] = motor_[j];
    }
  }

  const Model<double>& model_;
  const IdentificationOptions& options_;
  Regressor<double> regressor_;
  TreeDynamics<double> dynamics_;
  Numbers Y_, left_, column_, motor_;
  std::vector<char> rubs_;
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

Error too_few_rows(const Identification& found, std::size_t instants) {
  long long rows = 0, resting = 0;
  for (const JointFit& joint : found.joints) rows += joint.rows, resting += joint.resting;
  std::string what = "it has " + std::to_string(instants) + " instants, " + std::to_string(found.fitted) +
                     " of them to fit with, and so " + std::to_string(rows) + " equations for " +
                     std::to_string(found.base.count()) + " base parameters";
  if (resting > 0) what += "; " + std::to_string(resting) + " more tell nothing, for their joint rests";
  return {{}, "the record", "identify-rows", what, "record a longer motion, or hold less of it back"};
}

/// Joints that move, and yet have one effort in all rows: nobody measured it. (Without a motor it is zero.)
Errors constant_efforts(const Model<double>& model, const std::vector<EffortSample>& samples) {
  Errors errors;
  for (int j = 0; j < model.nv && samples.size() > 2; ++j) {
    const double first = samples.front().tau[j], start = samples.front().qdd[j];
    const bool constant = std::ranges::all_of(samples, [&](const EffortSample& s) { return s.tau[j] == first; });
    const bool moves = std::ranges::any_of(samples, [&](const EffortSample& s) { return s.qdd[j] != start; });
    if (constant && moves && first != 0)
      errors.push_back({{},
                        "joint \"" + model.velocity_names[j] + '"',
                        "identify-constant",
                        "it moves, but its effort is " + std::to_string(first) + " in all rows",
                        "look at the column of its effort: was it recorded?"});
  }
  return errors;
}

/// What is left of the efforts that were kept back, with the identified parameters and with those of the file.
void validate_held_out(RecordEquations& equations, const std::vector<EffortSample>& samples, const Numbers& change,
                       Identification& out) {
  const std::size_t n = out.joints.size();
  Numbers size(n, 0.0), fit(n, 0.0), file(n, 0.0);
  std::vector<long long> rows(n, 0);
  for (std::size_t k = out.fitted; k < samples.size(); ++k) {
    equations.at(samples[k]);
    for (int j = 0; j < static_cast<int>(n); ++j) {
      if (equations.rests(samples[k], j)) continue;
      double e = equations.left(j);
      file[j] += e * e;
      const auto row = equations.row(j);
      for (std::size_t c = 0; c < change.size(); ++c) e -= row[c] * change[c];
      fit[j] += e * e;
      size[j] += samples[k].tau[j] * samples[k].tau[j];
      ++rows[j];
    }
  }
  for (std::size_t j = 0; j < n; ++j) {
    JointFit& joint = out.joints[j];
    joint.held_size = root_mean(size[j], rows[j]);
    if (!(joint.held_size > 0)) continue;
    joint.held_fit = root_mean(fit[j], rows[j]) / joint.held_size;
    joint.held_file = root_mean(file[j], rows[j]) / joint.held_size;
  }
}

/// For each joint, which other one's recorded effort the file would take for it.
void find_likeness(RecordEquations& equations, const std::vector<EffortSample>& samples, Identification& out) {
  const int n = static_cast<int>(out.joints.size());
  Numbers size(out.joints.size(), 0.0), left(cells(n, n), 0.0);
  for (const EffortSample& sample : samples) {
    equations.at(sample);
    for (int j = 0; j < n; ++j) {
      const double expected = sample.tau[j] - equations.left(j);
      size[j] += sample.tau[j] * sample.tau[j];
      for (int k = 0; k < n; ++k) left[cell(j, n, k)] += (sample.tau[k] - expected) * (sample.tau[k] - expected);
    }
  }
  for (int j = 0; j < n; ++j) {
    JointFit& joint = out.joints[j];
    for (int k = 0; k < n; ++k) {
      const double share = std::sqrt(left[cell(j, n, k)] / size[k]);
      if (k == j) joint.own_left = share;
      if (k == j || !(size[k] > 0) || (joint.like >= 0 && joint.like_left <= share)) continue;
      joint.like = k;
      joint.like_left = share;
    }
  }
}

/// The least inertia that each joint's own motion would take along the record, and how sure it is: `inverse` is R^-1 of the
/// equations in these columns.
void find_least_inertia(RecordEquations& equations, const std::vector<EffortSample>& samples, const Numbers& change,
                        const std::vector<int>& columns, const Numbers& inverse, Identification& out) {
  constexpr std::size_t some = 50;  // instants: inertia changes with the position alone
  const std::size_t step = samples.size() / some + 1;
  const int n = static_cast<int>(columns.size());
  Numbers row;
  for (int j = 0; j < static_cast<int>(out.joints.size()); ++j) {
    JointFit& joint = out.joints[j];
    joint.inertia = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < samples.size(); k += step) {
      double inertia = equations.own_inertia(samples[k].q, j, row);
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

}  // namespace

Result<Identification> identify(const Model<double>& model, std::vector<DynamicParameter> parameters,
                                const std::vector<EffortSample>& samples, const IdentificationOptions& options) {
  TORSOR_EXPECT(options.held_out >= 0 && options.held_out <= 0.9);
  if (Errors errors = constant_efforts(model, samples); !errors.empty()) return errors;
  Identification out;
  out.base = base_parameters(model, std::move(parameters), {.seed = options.seed});
  out.file = out.base.values(parameter_values<double>(model, out.base.parameters));
  out.held_out = static_cast<std::size_t>(options.held_out * static_cast<double>(samples.size()));
  out.fitted = samples.size() - out.held_out;
  const int n = out.base.count(), nv = model.nv;

  // each joint's equations as a triangle
  RecordEquations equations(model, out.base, options);
  std::vector<RowTriangle> joints(static_cast<std::size_t>(nv), RowTriangle(n));
  out.joints.resize(joints.size());
  Numbers squares(joints.size(), 0.0);
  for (std::size_t k = 0; k < out.fitted; ++k) {
    equations.at(samples[k]);
    for (int j = 0; j < nv; ++j) {
      if (equations.rests(samples[k], j)) {
        ++out.joints[j].resting;
        continue;
      }
      joints[j].add(equations.row(j), equations.left(j));
      squares[j] += samples[k].tau[j] * samples[k].tau[j];
    }
  }
  long long rows = 0;
  double largest = 0;
  for (int j = 0; j < nv; ++j) {
    out.joints[j].rows = joints[j].rows();
    rows += joints[j].rows();
    largest = std::max(largest, out.joints[j].size = root_mean(squares[j], joints[j].rows()));
  }
  if (n == 0 || rows <= n) return too_few_rows(out, samples.size());

  // what this motion can tell apart, every joint in units of its own size
  constexpr double smallest = 1e-6;  // a joint without effort is not to be weighed by its rounding
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
  validate_held_out(equations, samples, change, out);
  find_least_inertia(equations, samples, change, columns, inverse, out);
  find_likeness(equations, samples, out);
  return out;
}

IdentifiedSet identified_set(const Model<double>& file, const Identification& identification) {
  const BaseParameters& base = identification.base;
  IdentifiedSet out;
  out.phi = base.nearest(parameter_values<double>(file, base.parameters), parameter_scales(file, base.parameters),
                         identification.value);
  constexpr double surely = 3;
  for (int k = 0; k < base.count(); ++k) {
    const int place = base.kept[k];
    if (base.parameters[place].kind == ParameterKind::inertial || !(out.phi[place] < 0)) continue;
    if (out.phi[place] < -surely * identification.deviation[k]) continue;
    out.phi[place] = 0;
    out.taken_as_zero.push_back(place);
  }
  return out;
}

}  // namespace torsor

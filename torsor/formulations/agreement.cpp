#include "torsor/formulations/agreement.hpp"

#include <cmath>

#include "torsor/dynamics/coriolis_matrix.hpp"
#include "torsor/dynamics/inertia_composite_body.hpp"
#include "torsor/dynamics/inverse_newton_euler.hpp"
#include "torsor/fields.hpp"
#include "torsor/model/random_position.hpp"

namespace torsor {
namespace {

using Numbers = std::vector<double>;

/// One state, and what the tree says of it: the witness that the other questions are held against.
struct Witness {
  const std::vector<std::string>* names = nullptr;  // of the coordinates
  Numbers q, qd, qdd;
  Numbers D, h, c;   // mass matrix, velocity torques, gravity torques
  Numbers h_ikm;     // empty where the robot has no Christoffel symbols
  double scale = 0;  // max_i (|D qdd| + |h| + |g|)_i

  void keep(Disagreement& worst, double measure, std::size_t coordinate, double first, double second) const {
    if (std::isnan(measure)) measure = INFINITY;
    if (measure > worst.measure) worst = {measure, (*names)[coordinate], first, second, q, qd, qdd};
  }

  /// |difference| at a coordinate as a share of the scale; nothing is no part of nothing.
  double share(double difference) const { return difference == 0 ? 0 : std::abs(difference) / scale; }

  void compare(Disagreement& worst, const Numbers& first, const Numbers& second) const {
    for (std::size_t i = 0; i < first.size(); ++i)
      keep(worst, share(first[i] - second[i]), i, first[i], second[i]);
  }

  // the torques that differences of coefficients are worth
  void compare_mass(Disagreement& worst, const Numbers& other) const {
    const std::size_t n = qdd.size();
    for (std::size_t i = 0; i < n; ++i) {
      double effort = 0, off = 0;
      for (std::size_t j = 0; j < n; ++j) {
        effort += D[i * n + j] * qdd[j];
        off += std::abs((other[i * n + j] - D[i * n + j]) * qdd[j]);
      }
      keep(worst, share(off), i, effort, off);
    }
  }

  void compare_christoffel(Disagreement& worst, const Numbers& other) const {
    const std::size_t n = qd.size();
    for (std::size_t i = 0; i < n; ++i) {
      double off = 0;
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t m = 0; m < n; ++m) {
          const std::size_t at = (i * n + k) * n + m;
          off += std::abs((other[at] - h_ikm[at]) * qd[k] * qd[m]);
        }
      keep(worst, share(off), i, h[i], off);
    }
  }

  void compare_torque_rows(Disagreement& worst, const Numbers& own, const Numbers& other) const {
    for (std::size_t i = 0; i < own.size(); ++i)
      keep(worst, share(other[i] - own[i]), i, own[i], std::abs(other[i] - own[i]));
  }
};

/// The tree's answers at one state after the other.
class TreeWitness {
 public:
  TreeWitness(const RobotForms<double>& forms, ChristoffelRun<double> christoffel)
      : forms_(forms), newton_euler_(forms.model), composite_(forms.model), christoffel_(std::move(christoffel)) {}

  void look(Witness& w) {
    const Model<double>& model = forms_.model;
    const auto n = static_cast<std::size_t>(model.nv);
    Numbers tau(n), bias(n);
    w.D.assign(n * n, 0);
    w.h.assign(n, 0);
    w.c.assign(n, 0);
    inverse_newton_euler<double>(model, forms_.configuration, w.qd, w.qdd, {}, newton_euler_, tau);
    inverse_newton_euler<double>(model, forms_.configuration, w.qd, {}, {}, newton_euler_, bias);
    inverse_newton_euler<double>(model, forms_.configuration, {}, {}, {}, newton_euler_, w.c);
    inertia_composite_body<double>(model, forms_.configuration, composite_, w.D);
    if (christoffel_) {
      w.h_ikm.assign(n * n * n, 0);
      christoffel_(forms_, w.h_ikm);
    }
    w.scale = 0;
    for (std::size_t i = 0; i < n; ++i) {
      w.h[i] = bias[i] - w.c[i];
      w.scale = std::max(w.scale, std::abs(tau[i] - bias[i]) + std::abs(w.h[i]) + std::abs(w.c[i]));
    }
  }

 private:
  const RobotForms<double>& forms_;
  NewtonEulerWork<double> newton_euler_;
  CompositeBodyWork<double> composite_;
  ChristoffelRun<double> christoffel_;
};

/// The n^3 Christoffel symbols of longer robots fill the memory before they tell anything.
constexpr int most_for_symbols = 100;

/// The rows of one catalogue that serve the robot, prepared; the others go to `refused`.
template <class Run, Question question>
std::vector<Run> prepare_rows(std::span<const Formulation<double, Run, question>> rows, const RobotForms<double>& forms,
                              std::vector<CertifiedRow>& served, std::vector<CertifiedRow>& refused) {
  std::vector<Run> runs;
  for (const auto& row : rows) {
    CertifiedRow entry{question, row.name, row.source, row.complexity, row.frames, refusal(row, forms), {}};
    if (question == Question::christoffel && forms.model.nv > most_for_symbols)
      entry.refused = "the robot has more than " + std::to_string(most_for_symbols) + " coordinates";
    if (entry.refused.empty()) {
      runs.push_back(row.prepare(forms));
      served.push_back(std::move(entry));
    } else {
      refused.push_back(std::move(entry));
    }
  }
  return runs;
}

/// A state inside the limits.
void draw(Witness& w, const Model<double>& model, std::mt19937_64& engine) {
  w.q = random_position(model, engine);
  w.qd.clear();
  w.qdd.clear();
  for (const Limits& limits : model.limits) {
    const double fastest = std::isfinite(limits.velocity) ? limits.velocity : 2;
    w.qd.push_back(fastest * (2 * uniform(engine) - 1));
  }
  for (int k = 0; k < model.nv; ++k) w.qdd.push_back(2 * (2 * uniform(engine) - 1));
}

}  // namespace

Agreement certify_agreement(RobotForms<double>& forms, int states, std::uint64_t seed,
                            std::span<const InverseFormulation<double>> inverse_rows,
                            std::span<const MassFormulation<double>> mass_rows,
                            std::span<const GravityFormulation<double>> gravity_rows) {
  Agreement out{forms.model.name, states, seed, {}, {}, {}, {}, forms.snaps};
  const auto inverse = prepare_rows(inverse_rows, forms, out.inverse, out.refused);
  const auto coefficients = prepare_rows(coefficients_formulations<double>(), forms, out.others, out.refused);
  const auto christoffel = prepare_rows(christoffel_formulations<double>(), forms, out.others, out.refused);
  const auto mass = prepare_rows(mass_rows, forms, out.others, out.refused);
  const auto gravity = prepare_rows(gravity_rows, forms, out.others, out.refused);
  out.pairs.resize(inverse.size() * inverse.size());

  const auto n = static_cast<std::size_t>(forms.model.nv);
  // the first row of the symbols is the tree's
  TreeWitness tree(forms, christoffel.empty() ? nullptr : christoffel.front());
  Witness w;
  w.names = &forms.model.velocity_names;
  std::vector<Numbers> tau(inverse.size(), Numbers(n));
  Numbers D(n * n), h(n), c(n), h_ikm(christoffel.empty() ? 0 : n * n * n);
  std::mt19937_64 engine(seed);
  for (int state = 0; state < states; ++state) {
    draw(w, forms.model, engine);
    forms.set(w.q);
    tree.look(w);
    for (std::size_t a = 0; a < inverse.size(); ++a) inverse[a](forms, w.qd, w.qdd, tau[a]);
    for (std::size_t a = 0; a < inverse.size(); ++a)
      for (std::size_t b = a + 1; b < inverse.size(); ++b) w.compare(out.pairs[a * inverse.size() + b], tau[a], tau[b]);

    std::size_t row = 0;
    for (const auto& run : coefficients) {
      run(forms, w.qd, D, h, c);
      Disagreement& worst = out.others[row++].worst;
      w.compare_mass(worst, D);
      w.compare_torque_rows(worst, w.h, h);
      w.compare_torque_rows(worst, w.c, c);
    }
    for (const auto& run : christoffel) {
      run(forms, h_ikm);
      w.compare_christoffel(out.others[row++].worst, h_ikm);
    }
    for (const auto& run : mass) {
      run(forms, D);
      w.compare_mass(out.others[row++].worst, D);
    }
    for (const auto& run : gravity) {
      run(forms, c);
      w.compare_torque_rows(out.others[row++].worst, w.c, c);
    }
  }
  for (std::size_t b = 1; b < inverse.size(); ++b) out.inverse[b].worst = out.pair(0, b);
  return out;
}

Disagreement Agreement::worst() const {
  Disagreement out;
  for (const Disagreement& pair : pairs)
    if (pair.measure > out.measure) out = pair;
  for (const CertifiedRow& row : others)
    if (row.worst.measure > out.measure) out = row.worst;
  return out;
}

std::vector<CertifiedRow> Agreement::rows() const {
  std::vector<CertifiedRow> all = inverse;
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

std::vector<CertifiedPair> Agreement::named_pairs() const {
  std::vector<CertifiedPair> out;
  for (std::size_t a = 0; a < inverse.size(); ++a)
    for (std::size_t b = a + 1; b < inverse.size(); ++b) out.push_back({inverse[a].name, inverse[b].name, pair(a, b)});
  return out;
}

std::vector<std::string_view> Agreement::names() const {
  std::vector<std::string_view> out;
  for (const CertifiedRow& row : inverse) out.push_back(row.name);
  return out;
}

NumberArray Agreement::matrix() const {
  const std::size_t n = inverse.size();
  NumberArray out{std::vector<double>(n * n), {n, n}};
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a + 1; b < n; ++b) out.numbers[a * n + b] = out.numbers[b * n + a] = pair(a, b).measure;
  return out;
}

std::string_view question_name(Question question) {
  constexpr std::string_view names[] = {"inverse", "coefficients", "christoffel", "mass", "gravity"};
  return names[static_cast<int>(question)];
}

std::string_view frames_name(Frames frames) {
  constexpr std::string_view names[] = {"tree", "standard DH", "modified DH"};
  return names[static_cast<int>(frames)];
}

}  // namespace torsor

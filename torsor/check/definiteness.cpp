#include "torsor/check/definiteness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "torsor/dynamics/inertia_composite_body.hpp"
#include "torsor/check/plausibility.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/numeric/ldlt.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace {

// every load of a robot samples: with more coordinates it would be felt
constexpr int most_coordinates = 500;
constexpr int most_bodies = 2000;  // mimic joints: many bodies, few coordinates

/// Sum over the bodies of a coordinate of S^T C S, and what the terms of its largest could be without cancelling.
struct Reflected {
  double inertia = 0, size = 0;
};

/// What each coordinate feels of the mass outward of its joints, rotors included.
std::vector<Reflected> reflected_inertias(const Model<double>& model, const Configuration<double>& configuration) {
  std::vector<Reflected> sums(static_cast<std::size_t>(model.nv));
  std::vector<Inertia<double>> C;
  for (const Body<double>& b : model.bodies) C.push_back(b.inertia);
  for (int i = model.size() - 1; i >= 0; --i) {
    const Body<double>& b = model[i];
    const double trace = C[i].I.xx + C[i].I.yy + C[i].I.zz;
    for (int c = 0; c < b.nv; ++c) {
      const Motion<double>& S = model.S[b.column + c];
      Reflected& sum = sums[b.v + c];
      sum.inertia += dot(S, C[i] * S);
      sum.size += trace * dot(S.w, S.w) + C[i].m * dot(S.v, S.v);
    }
    if (b.parent >= 0) C[b.parent] += pose_in_parent(model, configuration, i) * C[i];
  }
  for (int k = 0; k < model.nv; ++k) sums[k].inertia += model.rotor[k];
  return sums;
}

/// Findings about joints, by the body they carry.
class Reporter {
 public:
  Reporter(const Description& description, const Model<double>& built) : d(description), model(built) {
    for (const LinkDescription& link : d.links) link_of.emplace(link.name, &link);
  }

  Finding joint(int body, const char* rule, std::string what) const {
    const auto link = link_of.find(model.link_names[body]);
    const Where where = link == link_of.end() ? Where{} : link->second->where;
    const std::string& name = model.joint_names[body];
    return error(where, "joint", name, rule, std::move(what),
                 "give the links it moves mass and inertia, or its motor a rotor");
  }

  Finding robot(const char* rule, std::string what, std::string remedy) const {
    return error(d.where, "robot", d.name, rule, std::move(what), std::move(remedy));
  }

 private:
  const Description& d;
  const Model<double>& model;
  std::unordered_map<std::string, const LinkDescription*> link_of;

  Finding error(const Where& where, const char* kind, const std::string& name, const char* rule, std::string what,
                std::string remedy) const {
    Finding f = detail::make_finding(d, where, kind, name, rule, std::move(what), std::move(remedy));
    f.severity = Severity::error;
    return f;
  }
};

/// A finding for each joint that moves nothing, outermost subtrees only.
void report_massless(const Model<double>& model, const std::vector<int>& massless, const Reporter& report,
                     std::vector<Finding>& findings) {
  std::vector<char> moves_nothing(static_cast<std::size_t>(model.nv), 0);
  for (const int k : massless) moves_nothing[k] = 1;
  // mass and moments of everything from a body outward, and the number of its links
  std::vector<double> weight(model.bodies.size());
  std::vector<int> links(model.bodies.size(), 0);
  for (int i = model.size() - 1; i >= 0; --i) {
    const Inertia<double>& J = model[i].inertia;
    weight[i] += J.m + J.I.xx + J.I.yy + J.I.zz;
    if (const int parent = model[i].parent; parent >= 0) {
      weight[parent] += weight[i];
      links[parent] += links[i] + 1;
    }
  }
  std::vector<char> reported(model.bodies.size(), 0);  // in a subtree without weight that was told of
  for (int i = 0; i < model.size(); ++i) {
    const Body<double>& b = model[i];
    reported[i] = b.parent >= 0 && weight[b.parent] == 0 && reported[b.parent];
    std::string names;
    // a coordinate that several joints share is told of once
    for (int k = b.v; k < b.v + b.nv; ++k)
      if (std::exchange(moves_nothing[k], 0)) names += (names.empty() ? "\"" : "\", \"") + model.velocity_names[k];
    if (reported[i] || names.empty()) continue;
    reported[i] = 1;
    const std::string moved =
        links[i] == 0 ? fmt::format("link \"{}\" has", model.link_names[i])
                      : fmt::format("link \"{}\" and the {} it carries have", model.link_names[i], links[i]);
    findings.push_back(
        report.joint(i, "massless-subtree",
                     fmt::format("{}\" moves no mass: {} none about it, and its motor no rotor", names, moved)));
  }
}

/// A finding for the first sampled position where M is not positive definite.
void report_indefinite(const Model<double>& model, int samples, unsigned seed, const Reporter& report,
                       std::vector<Finding>& findings) {
  const int n = model.nv;
  std::mt19937_64 engine(seed);
  Configuration<double> configuration(model);
  CompositeBodyWork<double> work(model);
  std::vector<double> M(cells(n, n));
  // about as much work for a large robot as for a small one
  const int affordable = std::clamp(samples * 50 / n, 1, samples);
  for (int sample = 0; sample < affordable; ++sample) {
    const std::vector<double> q = random_position(model, engine);
    configuration.set(model, q);
    inertia_composite_body<double>(model, configuration, work, M);
    ldlt_factor<double>(M, n);
    const int bad = ldlt_first_bad_pivot<double>(M, n);
    if (bad < 0) continue;
    int body = 0;
    while (bad < model[body].v || bad >= model[body].v + model[body].nv) ++body;
    const std::string position =
        q.size() <= 8 ? fmt::format("({:.3g})", fmt::join(q, ", ")) : fmt::format("{} of seed {}", sample + 1, seed);
    findings.push_back(
        report.joint(body, "mass-matrix",
                     fmt::format("the mass matrix is not positive definite: pivot {:.3g} of \"{}\" at position {}",
                                 M[cell(bad, n, bad)], model.velocity_names[bad], position)));
    return;
  }
}

}  // namespace

std::vector<int> massless_motion(const Model<double>& model) {
  // mass that lies on an axis in a special position is off it in a random one
  std::mt19937_64 engine(1);
  Configuration<double> configuration(model);
  configuration.set(model, random_position(model, engine));
  const auto sums = reflected_inertias(model, configuration);
  std::vector<int> massless;
  for (int k = 0; k < model.nv; ++k)
    if (!(sums[k].inertia > 1e-13 * sums[k].size)) massless.push_back(k);
  return massless;
}

std::vector<Finding> definiteness(const Description& description, const Model<double>& model, int samples,
                                  unsigned seed) {
  std::vector<Finding> findings;
  const Reporter report(description, model);
  const std::vector<int> massless = massless_motion(model);
  if (model.nv > 0 && static_cast<int>(massless.size()) == model.nv) {
    // a robot for kinematics, and no fault: dynamics refuses it. One without any mass is named so by plausibility already
    if (std::ranges::none_of(model.bodies, [](const Body<double>& b) { return b.inertia.m != 0; })) return findings;
    findings.push_back(report.robot("massless-subtree", "no joint of it moves any mass",
                                    "enough for kinematics; give its links mass and inertia for dynamics"));
    findings.back().severity = Severity::warning;
  } else
    report_massless(model, massless, report, findings);
  if (!findings.empty() || model.nv == 0) return findings;
  if (model.nv <= most_coordinates && model.size() <= most_bodies) {
    report_indefinite(model, samples, seed, report, findings);
  } else {
    findings.push_back(
        report.robot("mass-matrix", fmt::format("its mass matrix of {} coordinates was not sampled", model.nv), ""));
    findings.back().severity = Severity::note;
  }
  return findings;
}

}  // namespace torsor

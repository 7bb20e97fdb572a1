#include "torsor/reduction/dominance.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "torsor/formulations/coefficients_dalembert.hpp"
#include "torsor/model/random_position.hpp"

namespace torsor {
namespace {

constexpr double rounding = 1e-12;
constexpr double nearly_all = 0.9;

/// `12`, or `1,12` where there are more than nine joints.
std::string indexed(const char* letter, std::size_t n, std::initializer_list<std::size_t> indices) {
  std::string text = letter;
  for (const std::size_t& k : indices) text += (n > 9 && &k != indices.begin() ? "," : "") + std::to_string(k + 1);
  return text;
}

DominanceRow row_of(std::string name, std::vector<std::string> parts) {
  DominanceRow row{std::move(name), {}, false};
  for (std::string& part : parts) row.parts.push_back({std::move(part), {}, 0, 0});
  return row;
}

/// Shares and peaks, once all values are there; scale: what rounding is compared with.
void finish(DominanceRow& row, double scale) {
  double total = 0;
  for (DominancePart& part : row.parts) {
    for (double& x : part.values) {
      if (std::abs(x) <= rounding * scale) x = 0;
      part.share += std::abs(x);
      part.peak = std::max(part.peak, std::abs(x));
    }
    total += part.share;
  }
  row.zero = total == 0;
  for (DominancePart& part : row.parts) part.share = row.zero ? 0 : part.share / total;
}

/// The first value or share that is not finite.
std::optional<Fault> first_not_finite(const std::vector<DominanceRow>& rows) {
  for (const DominanceRow& row : rows)
    for (const DominancePart& part : row.parts) {
      const std::string offender = row.name + ", " + part.name;
      for (const double x : part.values)
        if (!std::isfinite(x)) return not_finite(offender, "a value", x);
      if (!std::isfinite(part.share)) return not_finite(offender, "its share", part.share);
    }
  return std::nullopt;
}

double largest(const std::vector<DominanceRow>& rows) {
  double most = 0;
  for (const DominanceRow& row : rows)
    for (const DominancePart& part : row.parts)
      for (const double x : part.values) most = std::max(most, std::abs(x));
  return most;
}

}  // namespace

std::string DominanceRow::verdict() const {
  if (zero) return "zero";
  for (const DominancePart& part : parts)
    if (part.share >= nearly_all) return part.name;
  return "mixed";
}

Result<Dominance> dominance(const Description& robot, std::span<const JointState> states) {
  TORSOR_EXPECT(!states.empty());
  auto forms = robot_forms(robot);
  if (!forms) return forms.faults();
  if (!forms->standard) return forms->not_serial;
  const DhArm<double>& arm = *forms->standard;
  // coordinates, and their rows of the arm
  const auto n = static_cast<std::size_t>(arm.joints()), all = arm.links.size();
  std::vector<std::size_t> place;
  for (std::size_t k = 0; k < all; ++k)
    if (!arm.links[k].held) place.push_back(k);
  std::vector<double> qd(all);
  std::vector<double> rotor(n * n, 0.0);
  for (const auto& [i, j, value] : forms->rotors)
    rotor[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(j)] =
        rotor[static_cast<std::size_t>(j) * n + static_cast<std::size_t>(i)] = value;

  Dominance out;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) {
      out.inertia.push_back(row_of(indexed("D", n, {i, j}), {"translation", "rotation"}));
      if (rotor[i * n + j] != 0) out.inertia.back().parts.push_back({"rotors", {}, 0, 0});
    }
    out.velocity.push_back(row_of(indexed("h", n, {i}), {"translation", "rotation"}));
    std::vector<std::string> parts;
    for (std::size_t j = 0; j < n; ++j) parts.push_back(indexed("D", n, {i, j}) + " " + indexed("qdd", n, {j}));
    for (const char* part : {"h translation", "h rotation", "gravity"}) parts.emplace_back(part);
    out.torque.push_back(row_of(indexed("tau", n, {i}), std::move(parts)));
  }

  DAlembertWork<double> work(arm);
  for (const JointState& s : states) {
    forms->set(s.q);
    for (std::size_t i = 0; i < n; ++i) qd[place[i]] = s.qd[i];
    dalembert_terms<double>(arm, forms->standard_position, qd, work);
    const DAlembertTerms<double>& t = work.terms;
    std::size_t at = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i; j < n; ++j, ++at) {
        std::vector<DominancePart>& parts = out.inertia[at].parts;
        parts[0].values.push_back(t.D_tran[place[i] * all + place[j]]);
        parts[1].values.push_back(t.D_rot[place[i] * all + place[j]]);
        if (parts.size() > 2) parts[2].values.push_back(rotor[i * n + j]);
      }
      out.velocity[i].parts[0].values.push_back(t.h_tran[place[i]]);
      out.velocity[i].parts[1].values.push_back(t.h_rot[place[i]]);
      std::vector<DominancePart>& torque = out.torque[i].parts;
      for (std::size_t j = 0; j < n; ++j)
        torque[j].values.push_back(
            (t.D_tran[place[i] * all + place[j]] + t.D_rot[place[i] * all + place[j]] + rotor[i * n + j]) * s.qdd[j]);
      torque[n].values.push_back(t.h_tran[place[i]]);
      torque[n + 1].values.push_back(t.h_rot[place[i]]);
      torque[n + 2].values.push_back(t.c[place[i]]);
    }
  }
  for (std::vector<DominanceRow>* rows : {&out.inertia, &out.velocity, &out.torque}) {
    if (const auto fault = first_not_finite(*rows)) return *fault;
    for (const double scale = largest(*rows); DominanceRow & row : *rows) finish(row, scale);
    if (const auto fault = first_not_finite(*rows)) return *fault;
  }
  return out;
}

std::vector<JointState> random_workspace_states(const Model<double>& model, const RateLimits& rates, int count,
                                                std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<JointState> states;
  for (int k = 0; k < count; ++k) {
    JointState s{random_position(model, engine), {}, {}};
    for (std::size_t l = 0; l < rates.speed.size(); ++l) {
      s.qd.push_back(rates.speed[l] * unit(engine));
      s.qdd.push_back(rates.acceleration[l] * unit(engine));
    }
    states.push_back(std::move(s));
  }
  return states;
}

}  // namespace torsor

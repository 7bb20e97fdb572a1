#include "torsor/check/robot_units.hpp"

#include <algorithm>
#include <unordered_map>

#include "torsor/check/inertia_slips.hpp"
#include "torsor/check/plausibility.hpp"

namespace torsor {
namespace {

/// What was typed is this many times too large.
struct UnitChoice {
  const char* text;
  double mass, placement, centre, tensor;
};
constexpr UnitChoice choices[] = {{"masses in grams, inertias in g m^2", 1e3, 1, 1, 1e3},
                             {"masses in grams", 1e3, 1, 1, 1},
                             {"inertias in kg mm^2", 1, 1, 1, 1e6},
                             {"inertias in g mm^2", 1, 1, 1, 1e9},
                             {"inertias in kg cm^2", 1, 1, 1, 1e4},
                             {"inertias in g cm^2", 1, 1, 1, 1e7},
                             {"masses in grams, inertias in g mm^2", 1e3, 1, 1, 1e9},
                             {"masses in grams, inertias in kg mm^2", 1e3, 1, 1, 1e6},
                             {"masses in grams, inertias in g cm^2", 1e3, 1, 1, 1e7},
                             {"lengths in millimetres", 1, 1e3, 1e3, 1},
                             {"lengths in millimetres, inertias in kg mm^2", 1, 1e3, 1e3, 1e6},
                             {"lengths in millimetres, inertias in g mm^2", 1, 1e3, 1e3, 1e9},
                             {"masses in grams, lengths in millimetres", 1e3, 1e3, 1e3, 1},
                             {"masses in grams, lengths in millimetres, inertias in g mm^2", 1e3, 1e3, 1e3, 1e9},
                             {"masses in tonnes, lengths in millimetres, inertias in t mm^2", 1e-3, 1e3, 1e3, 1e3},
                             {"lengths in millimetres, those of the shapes too", 1e9, 1e3, 1e3, 1e15},
                             {"distances between joints in millimetres", 1, 1e3, 1, 1},
                             {"mass centres in millimetres", 1, 1, 1e3, 1},
                             {"mass centres in millimetres, inertias in kg mm^2", 1, 1, 1e3, 1e6},
                             {"mass centres in millimetres, inertias in g mm^2", 1, 1, 1e3, 1e9},
                             {"masses in grams, mass centres in millimetres, inertias in g mm^2", 1e3, 1, 1e3, 1e9},
                             {"lengths in centimetres", 1, 1e2, 1e2, 1},
                             {"lengths in centimetres, inertias in kg cm^2", 1, 1e2, 1e2, 1e4},
                             {"masses in grams, lengths in centimetres, inertias in g cm^2", 1e3, 1e2, 1e2, 1e7},
                             {"mass centres in centimetres", 1, 1, 1e2, 1}};

void take_in(std::vector<Part>& parts, const UnitChoice& u) {
  for (Part& part : parts) {
    part.mass /= u.mass;
    part.com = part.com * (1 / u.centre);
    part.tensor = part.tensor * (1 / u.tensor);
  }
}

Description taken_in(Description d, const UnitChoice& u) {
  take_in(d.base_parts, u);
  for (LinkDescription& link : d.links) {
    take_in(link.parts, u);
    if (auto* dh = std::get_if<DhRow>(&link.geometry))
      dh->a /= u.placement, dh->d /= u.placement;
    else if (auto* place = std::get_if<JointPlacement>(&link.geometry))
      place->X_parent_joint.p = place->X_parent_joint.p * (1 / u.placement);
    if (link.kind == JointKind::prismatic) link.limits.lower /= u.placement, link.limits.upper /= u.placement;
  }
  return d;
}

/// How ordinary the robot is, the larger the more; nothing if there is a doubt about a body or a length.
std::optional<double> ordinariness(const Description& d, const DoubtLimits& limits) {
  const auto model = build(d);
  if (!model) return std::nullopt;
  std::vector<Finding> findings;
  detail::check_units(d, *model, limits, findings);
  if (std::ranges::any_of(findings, [](const Finding& f) { return f.error.rule == "length-millimetres"; }))
    return std::nullopt;

  const std::vector<LinkScale> scales = link_scales(*model, limits.longest);
  double sum = ordinary_size(scales.front());
  const std::vector<char> matters = bodies_that_matter(*model);
  std::unordered_map<std::string_view, int> body_of;
  for (int i = 0; i < model->size(); ++i) body_of.emplace(model->link_names[i], i);
  for (const Part& part : d.base_parts)
    if (body_doubts(part, scales.back(), d.base_parts.size() == 1, limits).any()) return std::nullopt;
  for (const LinkDescription& link : d.links) {
    const int i = body_of.at(link.name);
    for (const Part& part : link.parts) {
      if (!(part.mass > 0) || !matters[i]) continue;
      const BodyDoubts doubts = body_doubts(part, scales[i], link.parts.size() == 1, limits);
      if (doubts.any() || seems_about_frame(part, scales[i])) return std::nullopt;
      sum += ordinary_body(doubts) + ordinary_centre(doubts);
    }
  }
  return sum;
}

}  // namespace

std::optional<std::string> explaining_units(const Description& description, const DoubtLimits& limits) {
  std::optional<std::string> best;
  double best_sum = 0;
  for (const UnitChoice& u : choices) {
    const auto sum = ordinariness(taken_in(description, u), limits);
    if (!sum || (best && *sum <= best_sum)) continue;
    best = u.text;
    best_sum = *sum;
  }
  return best;
}

}  // namespace torsor

#include "torsor/closed_form_ik/describe_branch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "torsor/closed_form_ik/solve_rates.hpp"
#include "torsor/closed_form_ik/solve_rates_6x6.hpp"
#include "torsor/closed_form_ik/wrist_family.hpp"

namespace torsor {
namespace {

constexpr std::string_view part_names[] = {"shoulder", "elbow", "wrist"};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

/// Rounding of what is zero.
double clean(double x) { return std::abs(x) < 1e-12 ? 0 : x; }

std::string vector_text(const Vec3<double>& v) {
  // no minus before a zero
  const auto shown = [](double x) { return std::abs(x) < 5e-5 ? 0.0 : x; };
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", shown(v.x), shown(v.y), shown(v.z));
}

bool slides(const SixAxis& arm, std::size_t k) { return arm.joint[arm.backwards ? 5 - k : k].prismatic; }

/// "joint 1 alone", "joints 4 and 6 as 1 : -1".
std::string idle_text(const std::array<double, 6>& rates) {
  std::vector<std::string> numbers, ratios;
  for (std::size_t k = 0; k < 6; ++k) {
    if (std::abs(rates[k]) < 1e-9) continue;
    numbers.push_back(std::to_string(k + 1));
    ratios.push_back(fmt::format("{:.4g}", rates[k]));
  }
  if (numbers.size() == 1) return fmt::format("joint {} alone", numbers[0]);
  return fmt::format("joints {} as {}", joined(numbers), fmt::join(ratios, " : "));
}

/// Motions of a wrist-partitioned arm are either of the wrist point or of the tool about it; others are both at once.
std::string lost_text(const Motion<double>& m) {
  if (norm(m.w) < 1e-9) return "moving the wrist point along " + vector_text(m.v);
  if (norm(m.v) < 1e-9) return "rotating the tool about " + vector_text(m.w);
  return "turning the tool about " + vector_text(m.w) + " while its origin moves by " + vector_text(m.v);
}

std::string singular_text(const IkBranch& b, const LostMotions& motions) {
  std::vector<std::string> parts, lost, idle;
  for (std::size_t i = 0; i < 3; ++i)
    if (b.singular[i]) parts.emplace_back(part_names[i]);
  for (std::size_t k = 0; k < static_cast<std::size_t>(motions.count); ++k) {
    lost.push_back(lost_text(motions.lost[k]));
    idle.push_back(idle_text(motions.idle[k]));
  }
  const int remain = 6 - motions.count;
  std::string text =
      fmt::format("singular at the {}: lost is {}; {} of 6 directions remain; idle, the tool at rest: {}",
                  joined(parts), joined(lost), remain, joined(idle));
  return text;
}

/// What a singular wrist leaves determined, and which of its members are inside the limits.
std::string family_text(const auto& arm, const IkBranch& b) {
  if (b.wrist_sign == 0) return "";
  const std::array<std::string, 6> names{"q1", "q2", "q3", "q4", "q5", "q6"};
  std::string text = fmt::format("; {} = {:.6g} rad is all that is determined of them",
                                 signed_sum(determined_sum(arm, b), names), clean(b.wrist_sum));
  IkBranch member = b;
  const std::size_t free = free_joint(arm);
  const WristFamily family = choose_member(arm, b.q[free], member);
  if (!family.inside)
    text += "; no member of the family is inside the limits";
  else if (std::isfinite(family.from) && std::isfinite(family.to))
    text += fmt::format("; inside the limits q{} is between {:.6g} and {:.6g}", free + 1, clean(family.from),
                        clean(family.to));
  return text;
}

}  // namespace

std::string describe(const BranchLabel& label) {
  std::vector<std::string> words;
  const auto sign = [&](std::string_view name, int value) {
    if (value != 0) words.push_back(fmt::format("{} {}", name, value > 0 ? '+' : '-'));
  };
  sign("shoulder", label.shoulder);
  sign("elbow", label.elbow);
  if (label.shoulder == 0 && label.elbow == 0 && label.root > 0) words.push_back(fmt::format("root {}", label.root));
  sign("wrist", label.wrist);
  sign("det J", label.determinant);
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string describe(const SixAxis& arm, const IkBranch& b, const LostMotions& lost) {
  std::vector<std::string> clauses;
  if (b.singular[0] || b.singular[1] || b.singular[2]) clauses.push_back(singular_text(b, lost));
  for (std::size_t i = 0; i < 3; ++i)
    if (!b.singular[i] && b.factor[i] < near_singular_factor)
      clauses.push_back(
          fmt::format("near a singularity of the {}: {:.3g} of what it is far away", part_names[i], b.factor[i]));
  for (std::size_t k = 0; k < 6; ++k) {
    const double by = b.beyond_limits[k];
    if (by == 0) continue;
    clauses.push_back(fmt::format("joint {} is {:.4g} {} {} its {} limit", k + 1, std::abs(by),
                                  slides(arm, k) ? "m" : "rad", by > 0 ? "above" : "below",
                                  by > 0 ? "upper" : "lower"));
  }
  return clauses.empty() ? "regular, inside its limits" : fmt::format("{}", fmt::join(clauses, "; "));
}

std::string signed_sum(const std::array<int, 6>& signs, std::span<const std::string> names) {
  std::string text;
  for (std::size_t k = 0; k < 6; ++k)
    if (signs[k] != 0)
      text += fmt::format("{}{}", text.empty() ? (signs[k] > 0 ? "" : "-") : signs[k] > 0 ? " + " : " - ", names[k]);
  return text;
}

std::string describe(const WristArm& arm, const IkBranch& b) {
  return describe(arm, b, lost_motions(arm, b)) + family_text(arm, b);
}

std::string describe(const ParallelArm& arm, const IkBranch& b) {
  return describe(arm, b, lost_motions_6x6(tool_columns(arm, b))) + family_text(arm, b);
}

std::string describe(const TurningArm& arm, const IkBranch& b) {
  const LostMotions motions = lost_motions_6x6(tool_columns(arm, b));
  // no part of such an arm is its shoulder: what is singular is all of it
  IkBranch whole = b;
  whole.singular = {};
  whole.factor = {1, 1, 1};
  std::vector<std::string> clauses;
  if (b.singular[0]) {
    std::vector<std::string> lost, idle;
    for (std::size_t k = 0; k < static_cast<std::size_t>(motions.count); ++k) {
      lost.push_back(lost_text(motions.lost[k]));
      idle.push_back(idle_text(motions.idle[k]));
    }
    clauses.push_back(fmt::format("singular: lost is {}; {} of 6 directions remain; idle, the tool at rest: {}",
                                  joined(lost), 6 - motions.count, joined(idle)));
    if (std::ranges::any_of(b.free, [](bool f) { return f; }))
      clauses.push_back("it is one of a curve of solutions");
  } else if (b.factor[0] < near_singular_factor) {
    clauses.push_back(
        fmt::format("near a singular position: least singular value {:.3g}", b.factor[0] * regular_sigma));
  }
  const std::string rest = describe(static_cast<const SixAxis&>(arm), whole, motions);
  if (clauses.empty() || !inside_limits(b)) clauses.push_back(rest);
  return fmt::format("{}", fmt::join(clauses, "; "));
}

}  // namespace torsor

#include "torsor/report/guide_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "torsor/structure/reasons.hpp"

namespace torsor {
namespace {

constexpr std::size_t usual_proposals = 15;
constexpr std::size_t most_named = 3;  // proposals that remove a coefficient

std::string number(double x) { return format_number(x, 4); }

std::string unit_of(const DesignGuide& g, int joint) {
  return g.now.facts.joints[static_cast<std::size_t>(joint)].slides ? "N" : "N m";
}

std::string percentage(double share) { return fmt::format("{:.0f} %", share * 100); }

/// `d12 c23(1) G2`, and how many more.
std::string names(const DesignGuide& g, const std::vector<std::size_t>& coefficients, std::size_t most) {
  const ExactStructure& s = g.now.numbers();
  std::string out;
  for (std::size_t k = 0; k < std::min(most, coefficients.size()); ++k)
    out += (k > 0 ? " " : "") + to_text(s.coefficients[coefficients[k]], s.n);
  if (coefficients.size() > most) out += fmt::format(" and {} more", coefficients.size() - most);
  return out;
}

/// What was found of guideline 1 to 4, in numbers.
std::string guideline_finding(const DesignGuide& g, int guideline) {
  const GuidelineCheck& c = g.guidelines;
  const ExactStructure& s = g.now.numbers();
  if (guideline == 1)
    return fmt::format(
        "{} of {} joints are prismatic; {} of {} coefficients ({}) are not zero, the empirical law expects {}{}",
        c.slides, c.joints, total(s.nonzero_counts()), s.coefficients.size(), percentage(c.sparsity),
        percentage(c.expected),
        c.slides == c.joints ? ""
                             : ", and " + percentage(c.expected_with_one_slide) + " with one more prismatic joint");
  if (guideline == 2) {
    std::string oblique;
    for (const AxisAngle& a : c.axes)
      if (!a.parallel && !a.right_angle)
        oblique += fmt::format("{}{} and {} at {} degrees", oblique.empty() ? "" : ", ", a.inner_name,
                               a.outer_name, number(a.angle * 180 / std::numbers::pi));
    const auto good = std::ranges::count_if(c.axes, [](const AxisAngle& a) { return a.parallel || a.right_angle; });
    return fmt::format("{} of {} neighbouring axes are{}{}", good, c.axes.size(),
                       oblique.empty() ? "" : "; not: ", oblique);
  }
  if (guideline == 3) {
    std::string heavier;
    for (const JointLoad& load : c.loads) {
      if (!load.heavier) continue;
      const auto inner = std::ranges::find(c.loads, load.inner, &JointLoad::joint);
      heavier += fmt::format("{}{} carries {} kg, {} before it {} kg", heavier.empty() ? "" : "; ",
                             load.name, number(load.own), load.inner_name, number(inner->own));
    }
    return heavier.empty() ? "no joint carries a heavier link than the one before it" : heavier;
  }
  std::string text;
  for (const FirstJoint& first : c.first)
    text += fmt::format(
        "{}{} {}; {} coefficients depend on its position", text.empty() ? "" : "; ", first.name,
        first.works ? fmt::format("takes up to {} {} against gravity", number(first.largest), unit_of(g, first.joint))
                    : "does none",
        first.dependent);
  return text;
}

void add_guidelines(Report& report, const DesignGuide& g, const PrintStyle& print) {
  ReportSection& section = report.section("The four guidelines");
  section.text(
      "Simple equations mean: self-inertias that do not change, no coupling between joints, no centrifugal and "
      "Coriolis terms, "
      "no gravity to hold. Four rules of design that lead there, from Tourassis & Neuman (1985), section 6:");
  for (int k = 1; k <= 4; ++k)
    section.text(fmt::format("{}. Wanted: {}. {}: {}.", k, guideline_text(k),
                             g.guidelines.kept(k) ? "Kept" : "Not kept", guideline_finding(g, k)));

  TextTable loads{"joints, and what they carry",
                  {{"joint"},
                   {"angle to the axis before"},
                   column("own link", "kg", print),
                   column("all beyond", "kg", print),
                   column("loading factor", "", print)}};
  for (const JointLoad& load : g.guidelines.loads) {
    const auto angle = std::ranges::find(g.guidelines.axes, load.joint, &AxisAngle::outer);
    std::string text = "-";
    if (angle != g.guidelines.axes.end())
      text = angle->parallel      ? "parallel"
             : angle->right_angle ? "right angle"
                                  : number(angle->angle * 180 / std::numbers::pi) + " degrees";
    TextTable::Cell loading = std::string("-");
    if (load.loading) loading = *load.loading;
    loads.add({load.name, text, load.own, load.moved, loading});
  }
  section.table(without_noise(std::move(loads)));
}

/// The joint whose peak torque a proposal changes most, relative to what joints of its kind need.
std::string largest_change(const DesignGuide& g, const Proposal& p) {
  double most = 0;
  int at = -1;
  for (int l = 0; l < g.now.numbers().n; ++l) {
    const std::size_t k = static_cast<std::size_t>(l);
    double scale = 0;
    for (std::size_t other = 0; other < g.effect.peak.size(); ++other)
      if (g.now.facts.joints[other].slides == g.now.facts.joints[k].slides)
        scale = std::max(scale, g.effect.peak[other]);
    const double share = scale > 0 ? std::abs(p.effect.peak[k] - g.effect.peak[k]) / scale : 0;
    if (share > most) {
      most = share;
      at = l;
    }
  }
  if (most < 1e-9) return "-";
  const double before = g.effect.peak[static_cast<std::size_t>(at)],
               after = p.effect.peak[static_cast<std::size_t>(at)];
  return fmt::format("{} {} to {} {}", g.now.robot.model.velocity_names[static_cast<std::size_t>(at)],
                     format_number(before, 3), after < 1e-12 * before ? "0" : format_number(after, 3), unit_of(g, at));
}

std::string guide_percent(double ratio) {
  const double change = (ratio - 1) * 100;
  return std::abs(change) < 0.05 ? "0 %" : fmt::format("{:+.1f} %", change);
}

/// `same`, or how much further or less far a tool reaches.
std::string reach_change(const DesignGuide& g, const Proposal& p) {
  if (!p.change.moves_axes) return "same";
  double ratio = 1;
  for (std::size_t k = 0; k < g.freedom.size(); ++k)
    if (g.freedom[k].reach > 0) ratio = std::min(ratio, p.freedom[k].reach / g.freedom[k].reach);
  return std::abs(ratio - 1) < 5e-4 ? "changes" : guide_percent(ratio);
}

/// `Better: energy, coupling; worse: peak torques`, as the table shows it, and whether it is worth it.
std::string what_it_does(const Proposal& p) {
  constexpr double shown = 5e-4;  // as guide_percent
  std::string better, worse;
  for (const auto& [ratio, name] : {std::pair{p.peak_ratio, "peak torques"}, std::pair{p.energy_ratio, "energy"},
                                    std::pair{p.coupling_ratio, "coupling"}}) {
    std::string& list = ratio < 1 ? better : worse;
    if (std::abs(ratio - 1) >= shown) list += (list.empty() ? "" : ", ") + std::string(name);
  }
  std::string text;
  if (!better.empty()) text = "Better: " + better;
  if (!worse.empty()) text += (text.empty() ? "Worse: " : "; worse: ") + worse;
  if (text.empty()) text = "Peak torques, energy and coupling stay";
  return text + (p.worth_it() ? "" : "; not worth it");
}

void add_proposals(Report& report, const DesignGuide& g, const GuideView& view) {
  ReportSection& section = report.section("Changes that leave fewer coefficients");
  const int now = total(g.now.numbers().nonzero_counts());
  const auto paying = std::ranges::count_if(g.proposals, &Proposal::worth_it);
  const std::size_t count = g.proposals.size();
  section.text(fmt::format(
      "{} changes were tried{}, exactly, on the changed robot. {} fewer than the {} coefficients that are not zero, "
      "and "
      "{} little from a tool: no degree of freedom (the rank of its Jacobian), and at least half is left of its reach, "
      "of its manipulability (the product of the singular values) and of its smallest singular value, in the median of "
      "all positions; nor is the mass matrix singular.{}",
      g.tried, view.pairs ? ", and for the rest all of them two at a time" : "",
      count == 0   ? "None leaves"
      : count == 1 ? "This one leaves"
                   : fmt::format("These {} leave", count),
      now, count < 2 ? "takes" : "take",
      count == 0
          ? ""
          : fmt::format(
                " Best first: by the mean of peak torques (sum over the joints), energy (integral of |tau qd|) and "
                "coupling (mean over pairs), each after to before along {}. {} of them {} worth it there; a change "
                "that "
                "raises both peak torques and energy is not, and comes last. "
                "--apply NUMBER writes the robot with a change.",
                view.motion, paying == 0 ? "None" : std::to_string(paying), paying < 2 ? "is" : "are")));
  if (g.proposals.empty()) return;
  TextTable table{
      "what each change does to what is there now", {{"number"}, {"peak torques"}, {"energy"}, {"coupling"}, {"most of it"}, {"not zero"}, {"reach"}, {"change of"}}};
  const std::size_t shown = view.all ? g.proposals.size() : std::min(usual_proposals, g.proposals.size());
  for (std::size_t k = 0; k < shown; ++k) {
    const Proposal& p = g.proposals[k];
    table.add({static_cast<long long>(k) + 1, guide_percent(p.peak_ratio), guide_percent(p.energy_ratio),
               guide_percent(p.coupling_ratio), largest_change(g, p), fmt::format("{} to {}", now, p.count()),
               reach_change(g, p),
               fmt::format("{}{}{}", to_text(p.change.kind), p.change.link.empty() ? "" : ", ", p.change.link)});
  }
  section.table(std::move(table));
  const std::size_t most = view.all ? 1000 : 12;
  for (std::size_t k = 0; k < shown; ++k) {
    const Proposal& p = g.proposals[k];
    std::string text = fmt::format("{}. {}. Removes {}", k + 1, p.change.text, names(g, p.removed, most));
    if (!p.brought.empty()) text += "; adds " + names(g, p.brought, most);
    if (!p.steadied.empty()) text += "; makes constant " + names(g, p.steadied, most);
    section.text(fmt::format("{}. {}.", text, what_it_does(p)));
  }
  if (shown < g.proposals.size()) section.text(fmt::format("and {} more with --all", g.proposals.size() - shown));
}

void add_coefficients(Report& report, const DesignGuide& g, const GuideView& view) {
  const ExactStructure& s = g.now.numbers();
  TextTable table{"coefficients, and the changes that remove them", {{"coefficient"}, {"removed by"}, {"meaning"}}};
  std::vector<std::size_t> staying;
  for (std::size_t e = 0; e < s.coefficients.size(); ++e) {
    if (s.nonzero[e] == 0) continue;
    std::string by;
    const std::vector<std::size_t> removing = g.removing(e, view.all ? g.proposals.size() : most_named + 1);
    for (std::size_t k = 0; k < removing.size(); ++k)
      by += (k > 0 ? ", " : "") + (k < most_named || view.all ? std::to_string(removing[k] + 1) : "...");
    if (by.empty())
      staying.push_back(e);
    else
      table.add({to_text(s.coefficients[e], s.n), by, meaning(s.coefficients[e], g.now.robot.model)});
  }
  ReportSection& section = report.section("Coefficient by coefficient");
  if (!table.rows.empty()) section.table(std::move(table));
  if (!staying.empty())
    section.text("No change that was tried removes " + names(g, staying, view.all ? 1000 : 40) + ".");
}

/// `, at the price of 28.4 kg on 23.45 kg`, where a change adds masses.
std::string price(const DesignGuide& g, const Proposal& p) {
  double before = 0, after = 0;
  for (std::size_t k = 0; k < p.change.robot.links.size(); ++k) {
    before += g.now.robot.model[static_cast<int>(k)].inertia.m;
    after += inertia_of(p.change.robot.links[k].parts).m;
  }
  return after > before * (1 + 1e-9)
             ? fmt::format(" at the price of {} kg more on {} kg", number(after - before), number(before))
             : "";
}

/// What the best change does, and what it costs: all that is added, and the joint that gets worst off.
std::string best_change(const DesignGuide& g, const Proposal& p) {
  std::string text = fmt::format("The best change that was tried, number 1 ({}{}{}), ", to_text(p.change.kind),
                                 p.change.link.empty() ? "" : " on ", p.change.link);
  const std::string percent = guide_percent(p.peak_ratio);
  text += percent.starts_with('-')   ? fmt::format("lowers the sum of peak torques by {}", percent.substr(1))
          : percent.starts_with('+') ? fmt::format("raises the sum of peak torques by {}", percent.substr(1))
                                     : std::string("leaves the sum of peak torques as it is");
  text += price(g, p);
  int worst = -1;
  double most = 1.05;  // what rises by less is not worth a word
  for (std::size_t k = 0; k < g.effect.peak.size(); ++k)
    if (g.effect.peak[k] > 0 && p.effect.peak[k] > most * g.effect.peak[k]) {
      most = p.effect.peak[k] / g.effect.peak[k];
      worst = static_cast<int>(k);
    }
  if (worst >= 0) {
    const auto k = static_cast<std::size_t>(worst);
    text += fmt::format("; but the peak of {} rises from {} to {} {}", g.now.robot.model.velocity_names[k],
                        format_number(g.effect.peak[k], 3), format_number(p.effect.peak[k], 3), unit_of(g, worst));
  }
  return text + ".";
}

}  // namespace

std::vector<Guideline> guidelines_of(const DesignGuide& g) {
  std::vector<Guideline> out;
  for (int k = 1; k <= 4; ++k) out.push_back({k, guideline_text(k), g.guidelines.kept(k), guideline_finding(g, k)});
  return out;
}

Report guide_report(const DesignGuide& g, const GuideView& view, const PrintStyle& print) {
  Report report;
  report.title = fmt::format("{}: design guide", g.now.robot.model.name);
  const int now = total(g.now.numbers().nonzero_counts());
  report.highlights.push_back({"not zero", std::to_string(now),
                               fmt::format("of {}", g.now.numbers().coefficients.size()), "independent coefficients",
                               Tone::plain});
  if (!g.proposals.empty() && g.proposals.front().worth_it())
    report.highlights.push_back({"peak torques with the best change", guide_percent(g.proposals.front().peak_ratio), "",
                                 fmt::format("{} coefficients", g.proposals.front().count()), Tone::good});
  int kept = 0;
  for (int k = 1; k <= 4; ++k) kept += g.guidelines.kept(k) ? 1 : 0;
  const bool pays = !g.proposals.empty() && g.proposals.front().worth_it();
  report.verdict = {fmt::format("{} of the four guidelines are kept. {}", kept,
                                pays ? best_change(g, g.proposals.front()) : "No change that was tried pays."),
                    kept == 4 ? Tone::good : Tone::plain};
  add_guidelines(report, g, print);
  add_proposals(report, g, view);
  add_coefficients(report, g, view);
  return report;
}

}  // namespace torsor

#include "torsor/check/examination.hpp"

#include <algorithm>
#include <unordered_set>

namespace torsor {

int Examination::count(Severity severity) const {
  return static_cast<int>(
      std::ranges::count_if(findings, [severity](const Finding& f) { return f.severity == severity; }));
}

Examination examine(const Description& description, const Model<double>& model, const DoubtLimits& limits) {
  std::vector<Finding> all = plausibility(description, model, limits);
  // with loops M is not that of the tree: light rods move with heavy links
  if (description.loops.empty())
    for (Finding& finding : definiteness(description, model)) all.push_back(std::move(finding));
  std::ranges::stable_sort(all, {}, [](const Finding& f) { return f.error.where.line; });

  const std::unordered_set<std::string> accepted(description.accepted.begin(), description.accepted.end());
  std::unordered_set<std::string> used, refused;
  Examination result;
  for (Finding& finding : all) {
    const bool named = accepted.contains(finding.subject), acceptable = finding.severity == Severity::warning;
    if (named) (acceptable ? used : refused).insert(finding.subject);
    (named && acceptable ? result.accepted : result.findings).push_back(std::move(finding));
  }
  for (const std::string& subject : description.accepted)
    if (!used.contains(subject))
      result.findings.push_back(
          {Severity::note,
           {{description.file, description.accept_where.line},
            "accept \"" + subject + "\"",
            "accept-unused",
            refused.contains(subject) ? "an error cannot be accepted" : "there is no such warning",
            "leave it out"},
           "accept-unused:" + subject,
           {}});
  return result;
}

}  // namespace torsor

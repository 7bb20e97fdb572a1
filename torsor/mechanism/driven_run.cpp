#include "torsor/mechanism/driven_run.hpp"

#include <cmath>

#include "torsor/mechanism/driven_follow.hpp"

namespace torsor {

static void drive(const Mechanism& m, MechanismState& state, const DrivenRunRules& rules,
                  const std::function<bool(const DrivenInstant&)>& at_instant, DrivenRunReport& report) {
  detail::DrivenRun run(m, state, rules);
  if (!run.start(report)) return;
  const double start = state.t, end = start + rules.time;
  DriverWatch watch(m, start, rules.time / 10);
  const auto instants = static_cast<long long>(std::ceil(rules.time / rules.interval - 1e-9));
  for (long long k = 0;; ++k) {
    report.t = state.t;
    if (!at_instant({state, run.A(), run.gap()})) {
      report.stop = RunStop::by_caller;
      return;
    }
    if (k == instants) break;
    const double next = k + 1 == instants ? end : start + rules.interval * static_cast<double>(k + 1);
    const bool there = run.go_to(next, report);
    watch.look(state.t);
    report.jumps = watch.jumps();
    if (!there) return;
  }
  report.finished = true;
  report.block = -1;
}

DrivenRunReport run_driven(const Mechanism& m, MechanismState& state, const DrivenRunRules& rules,
                           const std::function<bool(const DrivenInstant&)>& at_instant) {
  DrivenRunReport report;
  drive(m, state, rules, at_instant, report);
  if (report.block >= 0) report.stopped_by = m.block_name(m.blocks[static_cast<std::size_t>(report.block)]);
  return report;
}

}  // namespace torsor

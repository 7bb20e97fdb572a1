// Why a driven run goes no further, in words (driven_run.hpp).
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "torsor/mechanism/driven_run.hpp"
#include "torsor/mechanism/function_check.hpp"
#include "torsor/mechanism/run_diagnosis.hpp"

namespace torsor::detail {

/// Each sets what the report says of the stop; false, as nothing goes on.
struct DrivenStop {
  const Mechanism& mechanism;
  double moment;                 // s: a little later
  std::vector<int> over_driven;  // drivers that must agree to go on

  static bool stop(DrivenRunReport& report, RunStop reason, std::string why, int block = -1) {
    report.stop = reason;
    report.why = std::move(why);
    report.block = block;
    return false;
  }

  /// Whether a function has ended there: nothing is locked then.
  bool ended(const MechanismState& state, DrivenRunReport& report) const {
    const std::string unsound = unsound_function(mechanism, state);
    if (unsound.empty()) return false;
    stop(report, RunStop::function_ends, fmt::format("the function of {} is no longer a number", unsound));
    return true;
  }

  /// Whether it stands next to a pole of a profile: no driver is to blame then. `later`, `reach`: of profile_pole.
  bool at_pole(const MechanismState& state, DrivenRunReport& report, const MechanismState* later = nullptr,
               double reach = 0) const {
    const std::string pole = profile_pole(mechanism, state, later, reach);
    if (!pole.empty()) stop(report, RunStop::function_ends, pole);
    return !pole.empty();
  }

  bool too_fast(const MechanismState& state, int steps, DrivenRunReport& report) const {
    if (at_pole(state, report)) return false;
    const FastestDriver fastest = fastest_driver(mechanism, state.t);
    return stop(report, RunStop::driver_too_fast,
                fmt::format("{} asks for {:.3g} {}/s: {} steps since the last instant have not reached the next",
                            fastest.name, fastest.rate, fastest.unit, steps));
  }

  /// Whether the value of a driver jumps within so many seconds.
  bool jumps(const MechanismState& state, double within, DrivenRunReport& report) const {
    DriverWatch jumping(mechanism, state.t, 1e6 * within);
    jumping.look(state.t + within);
    for (const DriverJump& jump : jumping.jumps())
      if (jump.of_value) {
        stop(report, RunStop::driver_jumps,
             fmt::format("the value of {} jumps by {:.3g} {}", jump.name, jump.by, jump.unit));
        return true;
      }
    return false;
  }

  /// A moment later it does not close; if it does, it asks here for what has no solution (`velocities`, `accelerations`), or
  /// nothing says how to get there: as from a singular position, where they have none either.
  /// `ahead`: how far to look at least (s).
  bool blocked(const MechanismState& state, std::string_view asked, DrivenRunReport& report, double ahead = 0) const {
    // a function that has no number a moment later is what ends it, whatever else is wrong there
    MechanismState later = state;
    later.t += moment;
    if (ended(later, report) || at_pole(state, report)) return false;
    if (const auto lock = lock_ahead(mechanism, state, std::max(moment, ahead)))
      return locked(report, lock->block, "a position", lock->gap, why_locked(mechanism, *lock));
    if (asked.empty() || (over_driven.empty() && stands_singular(mechanism, state))) return undetermined(report);
    const int block = std::max(report.block, 0);
    return locked(report, block, asked == "velocities" ? "a velocity" : "an acceleration", report.gap,
                  fmt::format("{} asks for {} that nothing can have here",
                              mechanism.block_name(mechanism.blocks[static_cast<std::size_t>(block)]), asked));
  }

  static bool undetermined(DrivenRunReport& report) {
    return stop(report, RunStop::undetermined,
                "it stands in a singular position and may leave it in more than one way: nothing says in which");
  }

 private:
  /// No motion goes on from here: because of drivers that are too many, or for good.
  bool locked(DrivenRunReport& report, int block, const char* asked, double gap, const std::string& why) const {
    report.gap = gap;
    if (over_driven.empty()) return stop(report, RunStop::locked, "it locks: " + why, block);
    return stop(report, RunStop::drivers_fight, "it " + drivers_fight(mechanism, over_driven, asked, gap),
                over_driven.back());
  }
};

}  // namespace torsor::detail

// What a robot's check finds: facts that keep no model from being built and yet are impossible, or improbable enough to
// be somebody's slip.
#pragma once

#include <string>
#include <string_view>

#include "torsor/result.hpp"

namespace torsor {

/// The rules of the check, beyond those of the readers: what a file may accept while it is a warning.
inline constexpr std::string_view finding_rules[] = {
    "angle-degrees",    "com-distance",       "density",        "gyration",    "inertia-placeholder",
    "inertia-point",    "length-millimetres", "limits-degrees", "mass-matrix", "mass-zero",
    "massless-subtree", "moment-negative",    "moment-zero",    "robot-units", "triangle"};

struct Finding {
  Severity severity = Severity::warning;
  Fault error;          // where, link or joint, rule, the numbers, and the probable cause or a remedy
  std::string subject;  // `triangle:forearm`: by which a file accepts it
  std::string cause;    // the slip it looks like: `decimal-point`, `row-order`, ...; empty when none explains it
};

}  // namespace torsor

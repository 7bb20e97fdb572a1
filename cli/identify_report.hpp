// An identification in words, tables and plots: one report for the screen and for the page, and the same as JSON.
#pragma once

#include "cli/print.hpp"
#include "cli/robot_argument.hpp"
#include "torsor/check/examination.hpp"
#include "torsor/identification/group_text.hpp"
#include "torsor/identification/identification.hpp"
#include "torsor/files/torque_record.hpp"

namespace torsor {

/// A full robot with the identified base parameters, or why no file can hold it.
struct IdentifiedRobot {
  IdentifiedSet set;
  std::optional<Robot> robot;
  Faults faults;                  // what keeps it from being one
  std::vector<Finding> findings;  // what the check says of its links and of its mass matrix
};

struct IdentifyView {
  std::string log;  // its name
  TorqueFile& record;
  bool at_motors = false;
  std::string derivation;  // how rates were derived, or empty
};

/// What is to be said of a base parameter; empty where nothing is.
std::string verdict(const Identification&, int k);

Report identify_report(const Robot&, const Identification&, const GroupTexts&, const IdentifiedRobot&,
                       const IdentifyView&, const PrintArguments&);

/// The same on standard output; the verb's exit code.
int print_identify_json(const Robot&, const Identification&, const GroupTexts&, const IdentifiedRobot&,
                        const IdentifyView&);

}  // namespace torsor

// A robot that is being made of an MJCF: what those who describe its parts share.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "torsor/files/mjcf_model.hpp"

namespace torsor::detail {

struct MjcfDescribed {
  const MjcfModel& model;
  Faults& errors;
  Faults& notes;
  Description d = {};
  std::unordered_map<std::string, std::size_t> index = {};  // joint -> its place in d.links
  std::unordered_set<std::string> unfolded = {};            // free joints that are four
  std::vector<double> armature = {};                        // per link

  void fault(const Where& where, std::string offender, std::string rule, std::string what, std::string remedy);
  void note(const Where& where, std::string offender, std::string rule, std::string what);
  /// The place of a joint that has one coordinate; -1, with a fault, where there is none.
  int joint_named(const std::string& name, const Where& where, const std::string& offender, const char* rule);
};

/// The description that the model stands for; faults go to `errors`, what is passed over to `notes`. Loops go to `loops`,
/// unless that is null.
Description describe_mjcf(const MjcfModel& model, Faults& errors, Faults& notes, MjcfLoops* loops);

/// Motors and what they drive: gears and rotors of joints, transmissions of several, armature, damping and bounds of torques.
void describe_drives(MjcfDescribed& robot);

}  // namespace torsor::detail

// The reader of mechanism files. Its blocks refer to one another by name, so that it keeps what it has read; a faulty
// entry leaves the default in its place, and every fault of the file is found in one pass.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "torsor/files/mechanism_toml.hpp"
#include "torsor/text/toml_table.hpp"

namespace torsor::detail {

/// A function of time, or of what a cam measures, under `key` with any suffix of the unit: a number, a formula in quotes,
/// or a table { polynomial | harmonic | law | table | expression }. Empty if it is missing or faulty.
struct FunctionOf {
  std::string_view variable = "t";
  bool of_angle = false;  // a table may give its first column in degrees
};
TimeFunction read_function(TomlTable& table, std::string_view key, Unit unit, const MechanismSources& sources,
                           const FunctionOf& of = {});
bool has_function(TomlTable& table, std::string_view key, Unit unit);

class MechanismReader {
 public:
  MechanismReader(TomlTable& root, const std::string& file, const MechanismSources& sources)
      : root_(root), file_(file), sources_(sources) {}

  MechanismDescription read();

 private:
  // mechanism_toml.cpp: the whole, bodies, robots, how to run it
  void read_body(TomlTable& table);
  void read_robot(TomlTable& table, std::string_view file_key);
  void take_gravity(TomlTable& table, std::string_view file_key, const Vec3<double>& of_robot);
  void read_run(TomlTable& table);
  std::string own_name(TomlTable& table, std::string_view one);

  // mechanism_toml_joint.cpp: carriers, joints
  void read_carrier(TomlTable& table);
  void read_joint(TomlTable& table);
  void read_frames(TomlTable& table, MechanismJoint& joint, bool kind_known);
  std::optional<JointSide> find_side(TomlTable& table, std::string_view key, const std::string& name);
  bool read_sides(TomlTable& table, MechanismJoint& joint);
  Transform<double> start_pose(const JointSide& side) const;

  // mechanism_toml_drive.cpp: what moves it
  void read_coupling(TomlTable& table);
  void read_driver(TomlTable& table);
  void read_actuator(TomlTable& table);
  void read_spring(TomlTable& table);
  void read_stop(TomlTable& table);
  void read_friction(TomlTable& table);
  void read_law(TomlTable& table);
  Result<int> signal(MechanismLaw&, std::string_view name);
  void read_force(TomlTable& table);
  void read_point(TomlTable& table);
  /// Where it sits, and the unit of what is measured there.
  Unit read_place(TomlTable& table, Measure& measure);
  void read_pull(TomlTable& table, Measure& measure, double& k, double& c, double& rest);
  std::optional<int> find_joint(TomlTable& table, std::string_view key, const std::string& name);
  std::optional<int> find_body(TomlTable& table, std::string_view key, const std::string& name);
  Measure measure_at(TomlTable& table, std::string_view key, int joint);
  std::vector<MechanismCoupling::Term> read_terms(TomlTable& table);
  std::array<TimeFunction, 3> read_components(TomlTable& table, std::string_view key);

  TomlTable& root_;
  const std::string& file_;
  const MechanismSources& sources_;
  MechanismDescription m_;
  bool gravity_known_ = false;
  std::vector<bool> kind_known_;  // per joint: the file has its kind right
};

/// `"bar", "baz"`: the names of some things, for a remedy; a few of many.
template <class Things>
std::string names_of(const Things& things) {
  std::string list;
  std::size_t count = 0;
  for (const auto& thing : things) {
    if (++count > 12) return list + " ...";
    list += (list.empty() ? "\"" : ", \"") + thing.name + "\"";
  }
  return list;
}

}  // namespace torsor::detail

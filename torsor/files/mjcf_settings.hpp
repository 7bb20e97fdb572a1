// What an MJCF file sets for all of its elements: <compiler>, <option>, and the classes of <default>.
#pragma once

#include <map>
#include <string>

#include "torsor/files/mjcf_document.hpp"

namespace torsor::detail {

struct MjcfSettings {
  double angle = 0.017453292519943295;  // radians of one unit of angle
  std::string eulerseq = "xyz";
  bool autolimits = true, alignfree = false;
  enum class FromGeoms { never, always, automatic } inertia = FromGeoms::automatic;
  double first_group = 0, last_group = 5;  // geoms of other groups weigh nothing
  bool balance = false;
  std::string meshdir;
  bool strippath = false;
  double least_mass = 0, least_inertia = 0, total_mass = -1;

  Vec3<double> gravity{0, 0, -9.81};
  bool springs = true, dampers = true, friction = true, equalities = true;  // false: switched off by a flag
};
MjcfSettings read_mjcf_settings(MjcfDocument& document);

class MjcfDefaults {
 public:
  explicit MjcfDefaults(MjcfDocument& document);

  /// The element with what its class gives for attributes that it does not have itself. The class is its own, or that of the
  /// body around it. `kind` is the name under which the class has its attributes.
  XmlElement applied(const MjcfNode& node, std::string_view kind, const std::string& around) const;

  /// The class around an element that may name another for what is in it.
  std::string class_inside(const MjcfNode& node, const std::string& around) const;

 private:
  struct Class {
    std::map<std::string, XmlElement, std::less<>> kinds;
    const MjcfFile* file = nullptr;
  };
  std::map<std::string, Class, std::less<>> classes_;
  std::string main_ = "main";

  void read(MjcfDocument& document, const MjcfNode& node, const Class* parent);
  const Class* find(const MjcfNode& node, const std::string& name) const;
};

/// All actuators share one kind of default.
bool is_actuator(std::string_view element);

}  // namespace torsor::detail

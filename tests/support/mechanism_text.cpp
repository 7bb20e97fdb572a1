#include "tests/support/mechanism_text.hpp"

#include <algorithm>

namespace mechanism_text {

std::string block(const std::string& kind, const std::string& name, const std::string& keys) {
  std::string lines = keys;
  std::ranges::replace(lines, ';', '\n');
  return "[[" + kind + "]]\nname = \"" + name + "\"\n" + lines + "\n";
}

std::string body(const std::string& name, const std::string& keys, double moment) {
  const std::string I = std::to_string(moment);
  std::string given;
  if (keys.find("mass =") == keys.npos) given += "mass = 1;";
  if (moment != 0 && keys.find("inertia =") == keys.npos) given += "inertia = [" + I + ", " + I + ", " + I + "];";
  return block("body", name, given + keys);
}

std::string joint(const std::string& name, const std::string& kind, const std::string& i, const std::string& j,
                  const std::string& where) {
  return block("joint", name, "kind = \"" + kind + "\"; bodies = [\"" + i + "\", \"" + j + "\"];" + where);
}

std::string hinge(const std::string& name, const std::string& i, const std::string& j, const std::string& point,
                  const std::string& keys) {
  return joint(name, "revolute", i, j, "point = [" + point + "]; axis = [0, 0, 1];" + keys);
}

std::string local_hinge(const std::string& name, const std::string& i, const std::string& j,
                        const std::string& point_i) {
  return joint(name, "revolute", i, j, "point_i = [" + point_i + "]; axis_i = [0, 0, 1]; axis_j = [0, 0, 1]");
}

std::string driver(const std::string& name, const std::string& joint, const std::string& function) {
  return block("driver", name, "joint = \"" + joint + "\"; function = \"" + function + "\"");
}

std::string stretched(const std::string& function) {
  return body("one", "com = [0.15, 0, 0]; rpy_deg = [0, 0, 60]", 0.01) +
         body("two", "com = [0.25, 0, 0]; position = [0.15, 0.26, 0]; rpy_deg = [0, 0, -31]", 0.02) +
         body("slider", "position = [0.578, 0, 0]", 0.01) + local_hinge("O", "ground", "one", "0, 0, 0") +
         local_hinge("knee", "one", "two", "0.3, 0, 0") + local_hinge("pin", "two", "slider", "0.5, 0, 0") +
         joint("slide", "translational", "ground", "slider",
               "point_i = [0, 0, 0]; axis_i = [1, 0, 0]; reference_i = [0, 1, 0]; axis_j = [1, 0, 0]; "
               "reference_j = [0, 1, 0]") +
         driver("pull", "slide", function);
}

std::string parallelogram() {
  return body("crank", "position = [0, 0.5, 0]") + body("coupler", "position = [1, 1, 0]") +
         body("rocker", "position = [2, 0.5, 0]") + hinge("A", "ground", "crank", "0, 0, 0") +
         hinge("B", "crank", "coupler", "0, 1, 0") + hinge("C", "coupler", "rocker", "2, 1, 0") +
         hinge("D", "ground", "rocker", "2, 0, 0");
}

std::string dead_centre() {
  return "gravity = [0, -9.81, 0]\n" + body("crank", "com = [0.05, 0, 0]", 0.001) +
         body("ram", "mass = 3; position = [0.4, 0, 0]", 0.01) + hinge("shaft", "ground", "crank", "0, 0, 0") +
         joint("rod", "distance", "crank", "ram", "points = [[0.1, 0, 0], [0.4, 0, 0]]") +
         joint("guide", "translational", "ground", "ram", "points = [[0, 0, 0], [0.4, 0, 0]]; axis = [1, 0, 0]") +
         driver("g", "guide", "0.4");
}

std::string turned(const std::string& function) {
  return body("bar", "", 1) + hinge("pivot", "ground", "bar", "0, 0, 0") +
         block("driver", "turn", "joint = \"pivot\"; function = " + function);
}

}  // namespace mechanism_text

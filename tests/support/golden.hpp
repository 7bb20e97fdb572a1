// Golden files: reading them, and turning their models into descriptions. The format is told in tests/golden/README.md.
#pragma once

#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/measure.hpp"
#include "tests/support/places.hpp"
#include "torsor/model/description.hpp"

namespace torsor::testing {

using Json = nlohmann::json;

/// tests/golden/<name>.json
inline const Json& golden(const std::string& name) {
  static std::map<std::string, Json> files;
  const auto known = files.find(name);
  if (known != files.end()) return known->second;
  std::ifstream file(places::in_project("tests/golden/") + name + ".json");
  REQUIRE(file);
  return files.emplace(name, Json::parse(file)).first->second;
}

/// Numbers nested to any depth, in reading order: a matrix comes out row by row.
inline Numbers numbers(const Json& json) {
  if (json.is_number()) return {json.get<double>()};
  Numbers out;
  for (const Json& item : json)
    for (const double x : numbers(item)) out.push_back(x);
  return out;
}

/// The first three numbers.
inline Vec3<double> vector(const Json& json) {
  REQUIRE(json.size() >= 3);
  return {json[0], json[1], json[2]};
}

/// A 3x3 matrix given by rows; of a 4x4 pose, its rotation.
inline Mat3<double> matrix(const Json& json) {
  return ~Mat3<double>{vector(json[0]), vector(json[1]), vector(json[2])};
}

/// The link's one part: mass, mass centre, tensor about it.
inline Part part(const Json& m, const Json& com, const Json& I) {
  return {m, vector(com), symmetric(matrix(I)), InertiaAbout::mass_centre, {}};
}

/// The tip wrench of a golden model as it acts on the last link.
inline Force<double> reaction(const Json& moment, const Json& force) { return {-vector(moment), -vector(force)}; }

inline Description description(const Json& model) {
  Description d;
  d.name = "golden";
  d.convention = model.at("conv") == "standard" ? Convention::standard_dh : Convention::modified_dh;
  d.base.R = matrix(model.at("R0"));
  d.gravity = vector(model.at("grav"));
  for (std::size_t i = 0; i < model.at("n"); ++i) {
    LinkDescription link;
    link.name = "link" + std::to_string(i + 1);
    link.joint_name = "joint" + std::to_string(i + 1);
    link.kind = model.at("type")[i] == "R" ? JointKind::revolute : JointKind::prismatic;
    link.geometry = DhRow{model.at("theta")[i], model.at("d")[i], model.at("a")[i], model.at("alpha")[i]};
    link.parts = {part(model.at("m")[i], model.at("com")[i], model.at("I")[i])};
    if (const double damping = model.at("damp")[i]; damping != 0) {
      link.friction.emplace();
      link.friction->viscous = damping;
    }
    d.links.push_back(link);
  }
  return d;
}

/// The arm of wrist_torques_50 with its "general" or "simplified" inertias.
inline Description wrist_arm(const Json& meta, const char* inertias, bool with_gravity) {
  const Json& dh = meta.at("DH");
  Description d;
  d.name = "wrist-partitioned";
  d.convention = Convention::standard_dh;
  d.gravity = {0, 0, with_gravity ? -9.81 : 0};
  for (std::size_t i = 0; i < 6; ++i) {
    LinkDescription link;
    link.name = "link" + std::to_string(i + 1);
    link.joint_name = "joint" + std::to_string(i + 1);
    link.geometry = DhRow{0, dh.at("s")[i], dh.at("a")[i], dh.at("alpha")[i]};
    const Json& body = meta.at("links").at(inertias)[i];
    link.parts = {part(body.at("m"), body.at("com"), body.at("I"))};
    d.links.push_back(link);
  }
  return d;
}

}  // namespace torsor::testing

// Masses and inertias for links that have none, from their shapes: one in four published robots has no inertias, and every
// one has shapes. Shapes of a link that overlap are summed, as MuJoCo sums them. docs/meshes.md says what the numbers are worth.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "torsor/files/shape_inertia.hpp"

namespace torsor {

/// Masses of links by name; for all others one density, or the mass of the whole robot, from which the density follows.
struct InertiaOptions {
  std::optional<double> density = {}, total_mass = {};  // kg/m^3, kg
  std::map<std::string, double> masses = {};            // kg
  ShapeOptions shapes = {};
};

/// What became of a link: it had a mass; it got one; it has no shape, and stays without; its shapes cannot be weighed; its
/// shapes can, and no mass or density was given.
enum class LinkFilling { kept, filled, bare, failed, measured };
constexpr std::string_view status_name(LinkFilling state) {
  constexpr std::string_view names[] = {"kept", "filled", "no shape", "failed", "measured"};
  return names[static_cast<std::size_t>(state)];
}

struct FilledLink {
  std::string link;
  LinkFilling state = LinkFilling::bare;
  std::string source;  // `collision: 2 meshes`
  std::optional<double> volume = {}, mass = {}, mass_least = {}, mass_most = {};
  Vec3<double> centre;
  std::array<double, 3> moments{};
  std::optional<bool> watertight = {};
  std::optional<std::array<double, 3>> moments_sheet = {}, moments_hull = {}, moments_least = {}, moments_most = {};
  std::vector<ShapeInertia> shapes = {};

  std::optional<Vec3<double>> centre_if_any() const { return mass || volume ? std::optional(centre) : std::nullopt; }
  std::optional<std::vector<double>> moments_if_any() const;
};

constexpr auto fields(Of<FilledLink>) {
  return field_list(
      "FilledLink", "What a link weighs, and where that comes from.",
      field("link", "", "its name", &FilledLink::link),
      field("state", "", "kept, filled, no shape, failed, or measured (no mass was asked for)", &FilledLink::state),
      field("source", "", "the file, or which shapes", &FilledLink::source),
      field("volume", "m^3", "of its shapes together", &FilledLink::volume),
      field("mass", "kg", "in the robot now", &FilledLink::mass),
      field("mass_least", "kg", "at this density, if its open or hollow meshes are as empty as they can be",
            &FilledLink::mass_least),
      field("mass_most", "kg", "the same, as full as they can be", &FilledLink::mass_most),
      field("centre", "m", "mass centre in the link frame", &FilledLink::centre_if_any),
      field("moments", "kg m^2", "principal moments about it, the smallest first", &FilledLink::moments_if_any),
      field("watertight", "", "all of its meshes are", &FilledLink::watertight),
      field("moments_least", "kg m^2",
            "no body that the file allows has less: at its density, or of the mass that was given",
            &FilledLink::moments_least),
      field("moments_most", "kg m^2", "no such body has more", &FilledLink::moments_most),
      field("moments_sheet", "kg m^2", "of the same mass if the meshes are thin sheets", &FilledLink::moments_sheet),
      field("moments_hull", "kg m^2", "of the same mass if their convex hulls are full", &FilledLink::moments_hull),
      field("shapes", "", "one by one", &FilledLink::shapes));
}

struct InertiaFilling {
  std::string robot;
  std::optional<double> density = {};  // of links whose mass was not given
  double total_mass = 0;
  std::vector<FilledLink> links;  // the base first

  /// How many links are in this state.
  std::size_t count(LinkFilling state) const;
};

constexpr auto fields(Of<InertiaFilling>) {
  return field_list("InertiaFilling", "Masses and inertias of links from their shapes.",
                    field("robot", "", "its name", &InertiaFilling::robot),
                    field("density", "kg/m^3", "of links whose mass was not given", &InertiaFilling::density),
                    field("total_mass", "kg", "of all links, the base among them", &InertiaFilling::total_mass),
                    field("links", "", "all links, the base first", &InertiaFilling::links));
}

struct FilledRobot {
  Description description;
  InertiaFilling filling;
  Faults faults;  // why links that have shapes got nothing
};

/// The robot with what its shapes weigh; faults where the options do not fit it (a link that is not there, that has a mass or no
/// shape; a total mass that is used up). Links whose shapes cannot be weighed stay as they are: `faults` of the answer.
Result<FilledRobot> fill_inertia(const Description& robot, const InertiaOptions& options, MeshFiles& files);

}  // namespace torsor

#include "torsor/files/sdf_expressible.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "torsor/model/linear_spring.hpp"
#include "torsor/files/robot_xml.hpp"
#include "torsor/files/urdf_expressible.hpp"

namespace torsor::detail {

Faults beyond_sdf(const Description& d, const Model<double>& model, const std::vector<int>& parent) {
  Faults errors;
  const auto fault = [&](Where where, std::string offender, std::string rule, std::string what, std::string remedy) {
    if (where.file.empty()) where.file = d.file;
    errors.push_back({std::move(where), std::move(offender), std::move(rule), std::move(what), std::move(remedy)});
  };
  std::unordered_map<std::string, const LinkDescription*> by_joint;
  for (std::size_t i = 0; i < d.links.size(); ++i) {
    const LinkDescription& link = d.links[i];
    const std::string title = fmt::format("joint \"{}\"", link.joint_name);
    by_joint.emplace(link.joint_name, &link);
    if (link.kind == JointKind::planar)
      fault(link.where, title, "sdf-joint", "an SDF has no planar joints",
            "write two prismatic joints and a revolute one");
    if (link.kind == JointKind::free &&
        !(parent[i] < 0 && is_unmoved(d.base) && is_unmoved(placement_of(link, d.convention).X_parent_joint)))
      fault(link.where, title, "sdf-free", "what floats in an SDF floats in the world",
            "let it hang from the base, without a placement of its own");
    if (link.rotor && link.rotor->as_body)
      fault(link.where, title, "sdf-rotor", "its rotor is a body of its own", "give it as a diagonal: as_body = false");
    if (link.rotor && link.kind == JointKind::spherical && link.rotor->inertia != 0)
      fault(link.where, title, "sdf-rotor", "an SDF has no rotors at ball joints",
            "leave the rotor of the spherical joint out, or write an MJCF, which has armature");
  }
  for (const auto& [body, law] : model.friction) {
    Friction<double> rest = law;
    if (as_spring(law.table)) rest.table = {};
    if (const std::string_view what = beyond_two_coefficients(rest); !what.empty())
      fault(by_joint.at(model.joint_names[body])->where, fmt::format("joint \"{}\"", model.joint_names[body]),
            "sdf-friction", std::string(what),
            "an SDF has one viscous and one dry coefficient and a linear spring per joint: give such an approximation");
  }
  for (const TransmissionDescription& t : d.transmissions)
    if (std::ranges::any_of(t.rotor_inertia, [](double J) { return J != 0; }))
      fault(t.where, fmt::format("transmission of \"{}\"", t.joints.front()), "sdf-transmission",
            "an SDF has no motors that turn several joints",
            "leave the transmission out: joint torques need it only for the inertia of the rotors");
  return errors;
}

}  // namespace torsor::detail

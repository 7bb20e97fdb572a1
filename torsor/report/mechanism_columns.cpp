#include "torsor/report/mechanism_columns.hpp"

#include <fmt/format.h>

#include "torsor/text/text_table.hpp"

namespace torsor {
namespace {

MechanismColumns body_columns(const MechanismDescription& d, std::string heading, std::string unit,
                              std::initializer_list<const char*> parts) {
  MechanismColumns group{std::move(heading), "", std::move(unit), {}};
  for (const MechanismBody& body : d.bodies)
    for (const char* part : parts) group.names.push_back(fmt::format("{}.{}", part, body.name));
  return group;
}

void append_vector(std::vector<double>& out, const Vec3<double>& v) { out.insert(out.end(), {v.x, v.y, v.z}); }

void append_motion(std::vector<double>& out, const Motion<double>& V) {
  append_vector(out, V.w);
  append_vector(out, V.v);
}

}  // namespace

void MechanismColumns::add(std::string name, std::string_view unit_of_it) {
  names.push_back(std::move(name));
  units.emplace_back(unit_of_it);
}

const char* torque_unit(const Measure& measure) { return measure.what == Measure::What::angle ? "N m" : "N"; }

std::vector<std::string> header_of(const std::vector<MechanismColumns>& groups, bool with_time) {
  std::vector<std::string> header;
  if (with_time) header.emplace_back("t");
  for (const MechanismColumns& group : groups) header.insert(header.end(), group.names.begin(), group.names.end());
  return header;
}

bool tells_as_share(double error, double largest) { return error < 1e-3 * largest; }

std::string beside_largest(double error, double largest, const char* what, const char* unit) {
  if (tells_as_share(error, largest))
    return fmt::format("{} of the largest {}, {} {}", format_number(error / largest, 2), what,
                       format_number(largest, 4), unit);
  return fmt::format("{} {}, where the largest {} is {} {}", format_number(error, 2), unit, what,
                     format_number(largest, 2), unit);
}

ReactionColumns::ReactionColumns(const Mechanism& m, const ReactionChoice& choice) : mechanism_(m), choice_(choice) {
  for (const ConstraintBlock& block : m.blocks) {
    if (block.origin == ConstraintBlock::Origin::joint && block.rows > 0 && (choice.drivers || !block.drives))
      held_.push_back(&block);
    if (block.origin == ConstraintBlock::Origin::coupling) couplings_.push_back(&block);
  }
}

std::vector<MechanismColumns> ReactionColumns::columns() const {
  const MechanismDescription& d = mechanism_.description;
  std::vector<MechanismColumns> groups{{"Reaction forces", "force", "N", {}},
                                       {"Reaction moments", "moment", "N m", {}},
                                       {"Components of the reactions", "", "N, N m", {}},
                                       {"Torques of the couplings along their joints", "torque", "", {}}};
  for (const ConstraintBlock* block : held_) {
    const std::string& joint = d.joints[static_cast<std::size_t>(block->index)].name;
    groups[0].names.push_back("force." + joint);
    groups[1].names.push_back("moment." + joint);
    for (const char* part : {"fx", "fy", "fz", "nx", "ny", "nz"})
      groups[2].names.push_back(fmt::format("{}.{}", part, joint));
  }
  for (const ConstraintBlock* block : couplings_) {
    const MechanismCoupling& coupling = d.couplings[static_cast<std::size_t>(block->index)];
    for (const MechanismCoupling::Term& term : coupling.terms)
      groups[3].add(
          fmt::format("effort.{}.{}", coupling.name, d.joints[static_cast<std::size_t>(term.measure.joint)].name),
          torque_unit(term.measure));
  }
  if (groups[3].names.empty()) groups.pop_back();
  return groups;
}

void ReactionColumns::append(const MechanismEquations& evaluated, std::span<const double> lambda,
                             std::vector<double>& out) const {
  std::vector<double> moments, parts;
  for (const ConstraintBlock* block : held_) {
    const JointReaction reaction = joint_reaction(mechanism_, evaluated, *block, lambda);
    Force<double> F = choice_.on_i ? reaction.on_i : reaction.on_j;
    if (choice_.joint_axes)
      F = along_axes((choice_.on_i ? evaluated.place_i(block->index) : evaluated.place_j(block->index)).R, F);
    out.push_back(norm(F.f));
    moments.push_back(norm(F.n));
    parts.insert(parts.end(), {F.f.x, F.f.y, F.f.z, F.n.x, F.n.y, F.n.z});
  }
  out.insert(out.end(), moments.begin(), moments.end());
  out.insert(out.end(), parts.begin(), parts.end());
  for (const ConstraintBlock* block : couplings_) {
    const auto terms = mechanism_.description.couplings[static_cast<std::size_t>(block->index)].terms.size();
    for (std::size_t k = 0; k < terms; ++k)
      out.push_back(term_torque(mechanism_, evaluated, *block, static_cast<int>(k), lambda));
  }
}

MechanismColumns pose_columns(const MechanismDescription& d) {
  return body_columns(d, "Poses", "m", {"x", "y", "z", "e0", "e1", "e2", "e3"});
}

MechanismColumns velocity_columns(const MechanismDescription& d) {
  return body_columns(d, "Velocities", "rad/s, m/s", {"wx", "wy", "wz", "vx", "vy", "vz"});
}

MechanismColumns acceleration_columns(const MechanismDescription& d) {
  return body_columns(d, "Accelerations", "rad/s², m/s²", {"wdx", "wdy", "wdz", "ax", "ay", "az"});
}

void append_poses(const Mechanism& m, const MechanismState& state, std::vector<double>& out) {
  for (int b = 0; b < m.bodies(); ++b) {
    const Quaternion<double>& p = state.bodies[static_cast<std::size_t>(b)].p;
    append_vector(out, body_pose(m, state, b).p);
    out.insert(out.end(), {p.e0, p.e1, p.e2, p.e3});
  }
}

void append_velocities(const Mechanism& m, const MechanismState& state, std::vector<double>& out) {
  for (int b = 0; b < m.bodies(); ++b) append_motion(out, body_velocity(m, state, b));
}

void append_accelerations(const Mechanism& m, const MechanismState& state, std::span<const Motion<double>> A,
                          std::vector<double>& out) {
  for (int b = 0; b < m.bodies(); ++b)
    append_motion(out, body_acceleration(m, state, A[static_cast<std::size_t>(b)], b));
}

std::vector<MechanismColumns> point_columns(const MechanismDescription& d) {
  std::vector<MechanismColumns> groups;
  if (d.points.empty()) return groups;
  const auto group = [&](const char* heading, const char* unit, std::initializer_list<const char*> parts) {
    groups.push_back({heading, "", unit, {}});
    for (const MechanismPoint& point : d.points)
      for (const char* part : parts) groups.back().names.push_back(fmt::format("{}.{}", part, point.name));
  };
  group("Points", "m", {"x", "y", "z"});
  group("Velocities of the points", "m/s", {"vx", "vy", "vz"});
  group("Accelerations of the points", "m/s^2", {"ax", "ay", "az"});
  return groups;
}

void append_points(const Mechanism& m, const MechanismState& state, std::span<const Motion<double>> A,
                   std::vector<double>& out) {
  std::vector<PointMotion> all;
  for (const MechanismPoint& point : m.description.points) all.push_back(point_motion(m, state, A, point));
  for (const PointMotion& each : all) append_vector(out, each.place);
  for (const PointMotion& each : all) append_vector(out, each.velocity);
  for (const PointMotion& each : all) append_vector(out, each.acceleration);
}

std::vector<MechanismColumns> measure_columns(const std::vector<NamedMeasure>& measures) {
  std::vector<MechanismColumns> groups{{"Angles, displacements and lengths", "measure", "", {}},
                                       {"Their rates", "rate", "", {}},
                                       {"Their second derivatives", "second derivative", "", {}}};
  for (const NamedMeasure& each : measures) {
    const std::string unit = each.measure.what == Measure::What::angle ? "rad" : "m";
    groups[0].add(each.name, unit);
    groups[1].add("rate." + each.name, unit + "/s");
    groups[2].add("second." + each.name, unit + "/s^2");
  }
  return groups;
}

void append_measures(const MechanismEquations& evaluated, const std::vector<NamedMeasure>& measures,
                     std::span<const Motion<double>> A, std::vector<double>& out) {
  std::vector<double> rates, seconds;
  for (const NamedMeasure& each : measures) {
    const MeasureValue at = evaluated.measure(each.measure);
    out.push_back(at.value);
    rates.push_back(at.rate);
    seconds.push_back(second_derivative(at, A));
  }
  out.insert(out.end(), rates.begin(), rates.end());
  out.insert(out.end(), seconds.begin(), seconds.end());
}

}  // namespace torsor

// A robot at a state, as a part of the results of those who compute there: names, units, and numbers as they are printed.
#pragma once

#include "torsor/fields.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/report/coordinate_table.hpp"
#include "torsor/spatial/quaternion.hpp"
#include "torsor/spatial/roll_pitch_yaw.hpp"
#include "torsor/spatial/transform.hpp"

namespace torsor {

/// A pose; roll, pitch and yaw in degrees if so.
struct PoseResult {
  Transform<double> X;
  bool degrees = false;
};

constexpr auto fields(Of<PoseResult>) {
  using P = PoseResult;
  return field_list(
      "Pose", "Of one frame in another.", field("position", "m", "", [](const P& p) { return p.X.p; }),
      field("quaternion", "", "e0 e1 e2 e3",
            [](const P& p) {
              const Quaternion<double> e = quaternion(p.X.R);
              return std::array{e.e0, e.e1, e.e2, e.e3};
            }),
      field("rpy", "", "roll, pitch, yaw: rad, or degrees", [](const P& p) {
        const RollPitchYaw angles = roll_pitch_yaw(p.X.R);
        return in_units(std::array{angles.roll, angles.pitch, angles.yaw}, CoordinateKind::angle, p.degrees);
      }));
}

/// Where a robot is and how it moves; the model must outlive it.
struct StateResult {
  const Model<double>& model;
  std::vector<double> q, qd;
  std::vector<std::string> loads = {};
  bool degrees = false;

  std::vector<double> positions(std::span<const double> x) const { return in_units(x, position_kinds(model), degrees); }
  std::vector<double> rates(std::span<const double> x) const { return in_units(x, velocity_kinds(model), degrees); }
};

constexpr auto fields(Of<StateResult>) {
  using S = StateResult;
  return field_list("State", "A robot at a state.", field("robot", "", "", [](const S& s) { return s.model.name; }),
                    field("position_names", "", "", [](const S& s) { return s.model.position_names; }),
                    field("velocity_names", "", "", [](const S& s) { return s.model.velocity_names; }),
                    field("torque_units", "", "N m or N",
                          [](const S& s) {
                            std::vector<std::string_view> units;
                            for (const CoordinateKind kind : velocity_kinds(s.model))
                              units.push_back(torque_unit(kind));
                            return units;
                          }),
                    field("gravity", "m/s²", "", [](const S& s) { return s.model.gravity; }),
                    field("loads", "", "in words", &S::loads),
                    field("angle_unit", "", "rad or deg", [](const S& s) { return s.degrees ? "deg" : "rad"; }),
                    field("q", "", "", [](const S& s) { return s.positions(s.q); }),
                    field("qd", "", "", [](const S& s) { return s.rates(s.qd); }));
}

}  // namespace torsor

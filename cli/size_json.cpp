#include <cmath>

#include "cli/size_report.hpp"
#include "torsor/model/coordinate_kind.hpp"

namespace torsor {
namespace {

void peak_field(JsonWriter& json, std::string_view name, const Peak& peak) {
  json.key(name).begin_object().field("value", peak.value).field("time", peak.time).end_object();
}

/// A share that is beyond all numbers is null, and `fits` tells.
void share_field(JsonWriter& json, std::string_view name, double share) {
  if (std::isfinite(share))
    json.field(name, share);
  else
    json.field(name, nullptr);
}

void shaft_fields(JsonWriter& json, const ShaftDemand& shaft) {
  peak_field(json, "peak", shaft.torque);
  json.field("rms", shaft.rms_torque());
  peak_field(json, "peak_speed", shaft.speed);
  json.field("mean_speed", shaft.mean_speed());
  peak_field(json, "peak_power", shaft.power);
  peak_field(json, "braking_power", shaft.braking);
  json.field("energy_taken", shaft.energy_taken()).field("energy_returned", shaft.energy_returned());
  json.field("energy_net", shaft.net_energy());
}

void use_fields(JsonWriter& json, const MotorUse& use, const Motor& motor) {
  if (!motor.peak.empty()) share_field(json, "of_peak_torque", use.of_peak.value);
  share_field(json, "of_top_speed", use.of_speed(motor));
  if (!motor.continuous.empty()) share_field(json, "of_continuous_torque", use.of_continuous(motor));
  json.field("fits", use.fits(motor));
}

void sweep_field(JsonWriter& json, const Sizing& sizing, std::size_t d) {
  const AssignedDrive& drive = sizing.drives()[d];
  share_field(json, "least_rms_ratio", sizing.best_ratio(d));
  json.key("sweep").begin_array();
  for (std::size_t r = 0; r < sizing.ratios().size(); ++r) {
    const MotorUse& use = sizing.sweep(d)[r];
    json.begin_object().field("ratio", sizing.ratios()[r]).field("peak", std::abs(use.shaft.torque.value));
    json.field("rms", use.shaft.rms_torque()).field("peak_speed", std::abs(use.shaft.speed.value));
    json.field("mean_speed", use.shaft.mean_speed());
    if (drive.motor) use_fields(json, use, *drive.motor);
    json.end_object();
  }
  json.end_array();
  if (!drive.motor) return;
  json.key("fitting_ratios").begin_array();
  for (const auto& [low, high] : fitting_ratios(sizing.ratios(), sizing.sweep(d), *drive.motor))
    json.begin_array().value(low).value(high).end_array();
  json.end_array();
}

}  // namespace

void sizing_fields(JsonWriter& json, const Sizing& sizing, const Model<double>& model, const SizingFacts& facts) {
  json.field("duration", facts.duration).field("dwell", facts.dwell).field("energy_error", facts.error.energy);
  json.field(facts.rows ? "rows" : "instants", facts.error.instants).field("settled", facts.error.settled);
  const std::vector<CoordinateKind> kinds = velocity_kinds(model);
  json.key("joints").begin_array();
  for (int k = 0; k < model.nv; ++k) {
    const ShaftDemand& joint = sizing.joint(k);
    const Limits& limits = model.limits[k];
    json.begin_object().field("name", model.velocity_names[k]).field("unit", effort_unit(kinds[k]));
    shaft_fields(json, joint);
    if (std::isfinite(limits.effort)) json.field("of_effort_limit", std::abs(joint.torque.value) / limits.effort);
    if (std::isfinite(limits.velocity)) json.field("of_speed_limit", std::abs(joint.speed.value) / limits.velocity);
    if (std::isfinite(sizing.effort_exceeded(k))) json.field("effort_limit_passed", sizing.effort_exceeded(k));
    if (std::isfinite(sizing.speed_exceeded(k))) json.field("speed_limit_passed", sizing.speed_exceeded(k));
    json.end_object();
  }
  json.end_array().key("drives").begin_array();
  for (std::size_t d = 0; d < sizing.drives().size(); ++d) {
    const AssignedDrive& drive = sizing.drives()[d];
    json.begin_object().field("name", drive.name).field("joint", model.velocity_names[drive.coordinate]);
    if (drive.gear) json.field("gear", *drive.gear);
    json.field("efficiency", drive.efficiency).field("rotor_inertia", drive.inertia);
    shaft_fields(json, sizing.motor(d).shaft);
    json.field("gear_torque", sizing.gear(d).gear_torque());
    if (drive.motor) {
      json.field("motor", drive.motor->name);
      use_fields(json, sizing.motor(d), *drive.motor);
      if (const auto loss = sizing.motor(d).copper_loss(*drive.motor)) json.field("copper_loss", *loss);
      json.field("verdict", verdict(sizing.motor(d), *drive.motor));
    }
    if (drive.gear && !sizing.ratios().empty()) sweep_field(json, sizing, d);
    json.end_object();
  }
  json.end_array().key("total").begin_object();
  const ShaftDemand& total = sizing.total();
  peak_field(json, "peak_power", total.power);
  peak_field(json, "braking_power", total.braking);
  json.field("energy_taken", total.energy_taken()).field("energy_returned", total.energy_returned());
  json.field("energy_net", total.net_energy()).end_object();
}

}  // namespace torsor

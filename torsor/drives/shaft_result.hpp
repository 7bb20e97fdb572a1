// The list of fields of what a motion asks of a shaft: fields.hpp says what is made from it.
#pragma once

#include "torsor/drives/shaft_demand.hpp"
#include "torsor/fields.hpp"

namespace torsor {

/// The power that a shaft takes and gives back, as a part of results.
struct ShaftPower {
  const ShaftDemand& of;
};

constexpr auto fields(Of<ShaftPower>) {
  using P = ShaftPower;
  return field_list("ShaftPower", "Power of a shaft.",
                    field("peak_power", "W", "", [](const P& p) { return p.of.power.value; }),
                    field("peak_power_time", "s", "", [](const P& p) { return p.of.power.time; }),
                    field("braking_power", "W", "the most negative", [](const P& p) { return p.of.braking.value; }),
                    field("braking_power_time", "s", "", [](const P& p) { return p.of.braking.time; }),
                    field("energy_taken", "J", "", [](const P& p) { return p.of.energy_taken(); }),
                    field("energy_returned", "J", "", [](const P& p) { return p.of.energy_returned(); }),
                    field("energy_net", "J", "", [](const P& p) { return p.of.net_energy(); }));
}

constexpr auto fields(Of<ShaftDemand>) {
  using S = ShaftDemand;
  return field_list("Shaft", "What a motion asks of one shaft: N m, rad/s, W, J (or N, m/s).",
                    field("peak_torque", "", "N m or N, with its sign", [](const S& s) { return s.torque.value; }),
                    field("peak_torque_time", "s", "", [](const S& s) { return s.torque.time; }),
                    field("rms_torque", "", "what heats a motor", &S::rms_torque),
                    field("peak_speed", "", "rad/s or m/s", [](const S& s) { return s.speed.value; }),
                    field("peak_speed_time", "s", "", [](const S& s) { return s.speed.time; }),
                    field("mean_speed", "", "of its magnitude", &S::mean_speed),
                    fields_of_part([](const S& s) { return ShaftPower{s}; }));
}

}  // namespace torsor

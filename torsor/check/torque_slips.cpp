#include "torsor/check/torque_slips.hpp"

#include <algorithm>
#include <numbers>
#include <numeric>

#include "torsor/model/coordinate_kind.hpp"

namespace torsor {
namespace {

using Variants = std::vector<SlipVariant>;

Variants always(std::function<void(OtherTool&)> apply) { return {{"", std::move(apply)}}; }
Variants fit(std::vector<Addition> additions) {
  return always([additions = std::move(additions)](OtherTool& tool) {
    tool.additions.insert(tool.additions.end(), additions.begin(), additions.end());
  });
}
Variants when(bool possible, Variants variants) { return possible ? std::move(variants) : Variants{}; }

/// Coordinates that are the joints' own, one by one: those can be reordered and reversed.
bool plain(const Model<double>& model) { return model.position_names == model.velocity_names; }

std::string quoted(const char* what, const std::string& name) { return std::string(what) + " \"" + name + '"'; }

// inertias: on the whole robot, then link by link

using PartEdit = void (*)(Part&);

void edit_parts(LinkDescription& link, PartEdit edit) {
  for (Part& part : link.parts) edit(part);
}

Variants on_parts(const Description& robot, PartEdit edit) {
  Variants variants{{"", [edit](OtherTool& tool) {
                       for (LinkDescription& link : tool.robot.links) edit_parts(link, edit);
                     }}};
  for (std::size_t i = 0; i < robot.links.size(); ++i)
    variants.push_back(
        {quoted("link", robot.links[i].name), [edit, i](OtherTool& tool) { edit_parts(tool.robot.links[i], edit); }});
  return variants;
}

/// m (r.r 1 - r r^T): what the point changes.
Sym3<double> steiner(const Part& part) { return inertia_about_centre(part.mass, part.com, Sym3<double>{}).I; }

void shift_towards_centre(Part& part) { part.tensor = part.tensor - steiner(part); }
void shift_away_from_centre(Part& part) { part.tensor = part.tensor + steiner(part); }

/// In the axes in which they were typed.
void reverse_products(Part& part) {
  Sym3<double> typed = rotate(~part.typed_in, part.tensor);
  typed.xy = -typed.xy;
  typed.xz = -typed.xz;
  typed.yz = -typed.yz;
  part.tensor = rotate(part.typed_in, typed);
}

void leave_products_out(Part& part) {
  Sym3<double> typed = rotate(~part.typed_in, part.tensor);
  typed.xy = typed.xz = typed.yz = 0;
  part.tensor = rotate(part.typed_in, typed);
}

// drives

Variants scale_rotors(const Description& robot, double (*factor)(double gear)) {
  const bool any = std::any_of(robot.links.begin(), robot.links.end(), [](const auto& l) { return l.rotor; }) ||
                   std::any_of(robot.transmissions.begin(), robot.transmissions.end(),
                               [](const auto& t) { return !t.rotor_inertia.empty(); });
  return when(any, always([factor](OtherTool& tool) {
                for (LinkDescription& link : tool.robot.links)
                  if (link.rotor) link.rotor->inertia *= factor(link.rotor->gear);
                for (TransmissionDescription& t : tool.robot.transmissions)
                  for (double& inertia : t.rotor_inertia) inertia *= factor(1);
              }));
}

/// The dry part alone, as by an engine that knows viscous friction only.
Variants leave_dry_friction_out(const Description& robot) {
  const auto any = [&](const auto& has) {
    return std::ranges::any_of(robot.links, [&](const LinkDescription& l) { return l.friction && has(*l.friction); });
  };
  const bool dry = any([](const auto& law) { return law.coulomb_positive > 0 || law.coulomb_negative > 0; });
  const bool more = any([](const auto& law) { return law.viscous > 0 || law.function || !law.table.values.empty(); });
  return when(dry && more, always([](OtherTool& tool) {
                for (LinkDescription& link : tool.robot.links)
                  if (link.friction)
                    link.friction->coulomb_positive = link.friction->coulomb_negative =
                        link.friction->breakaway_positive = link.friction->breakaway_negative =
                            link.friction->stribeck_velocity = 0;
              }));
}

// columns

std::vector<int> in_order(int n) {
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// Two exchanged, all backwards, all shifted by one; `target` is where the order goes.
Variants reorder(const Model<double>& model, std::vector<int> OtherTool::*target) {
  Variants variants;
  const int n = model.nv;
  const auto put = [&](std::string detail, const std::vector<int>& order, bool alone) {
    variants.push_back({std::move(detail),
                        [=](OtherTool& tool) {
                          std::vector<int>& to = tool.*target;
                          std::vector<int> composed = order;
                          if (!to.empty())
                            for (std::size_t k = 0; k < order.size(); ++k) composed[k] = to[order[k]];
                          to = composed;
                        },
                        alone});
  };
  for (int i = 0; i < n; ++i)
    for (int k = i + 1; k < n; ++k) {
      std::vector<int> order = in_order(n);
      std::swap(order[i], order[k]);
      put('"' + model.velocity_names[i] + "\" and \"" + model.velocity_names[k] + "\" exchanged", order, k > i + 1);
    }
  if (n < 3) return variants;
  std::vector<int> order = in_order(n);
  std::reverse(order.begin(), order.end());
  put("all backwards", order, false);
  for (const int shift : {1, n - 1}) {
    order = in_order(n);
    std::rotate(order.begin(), order.begin() + shift, order.end());
    put(shift == 1 ? "all shifted by one" : "all shifted by one the other way", order, false);
  }
  return variants;
}

Variants reverse(const Model<double>& model, std::vector<double> OtherTool::*target) {
  const auto flip = [=, n = static_cast<std::size_t>(model.nv)](OtherTool& tool, std::size_t k) {
    std::vector<double>& to = tool.*target;
    if (to.empty()) to.assign(n, 1);
    to[k] = -to[k];
  };
  Variants variants{{"all", [=, n = static_cast<std::size_t>(model.nv)](OtherTool& tool) {
                       for (std::size_t k = 0; k < n; ++k) flip(tool, k);
                     }}};
  for (std::size_t k = 0; k < model.velocity_names.size(); ++k)
    variants.push_back({quoted("joint", model.velocity_names[k]), [=](OtherTool& tool) { flip(tool, k); }});
  return variants;
}

Variants other_zero(const Model<double>& model) {
  Variants variants;
  const std::vector<CoordinateKind> kinds = position_kinds(model);
  for (std::size_t k = 0; k < kinds.size(); ++k)
    for (const int quarters : {1, 2, 3})
      if (kinds[k] == CoordinateKind::angle)
        variants.push_back({quoted("joint", model.position_names[k]) + " by " +
                                (quarters == 3 ? "-90" : std::to_string(90 * quarters)) + " degrees",
                            [k, quarters, n = kinds.size()](OtherTool& tool) {
                              if (tool.zero.empty()) tool.zero.assign(n, 0);
                              tool.zero[k] += quarters * std::numbers::pi / 2;
                            },
                            true});
  return variants;
}

// sizes of the torques

/// Units that torques and forces are written in, as parts of N m and N. Degrees are no unit of torque, but are taken for one
/// where a torque constant is per degree.
struct TorqueUnit {
  const char* text;
  double torque, force;
};
constexpr double standard_gravity = 9.80665, pound = 0.45359237 * standard_gravity, inch = 0.0254,
                 half_turn = std::numbers::pi;
constexpr TorqueUnit torque_units[] = {
    {"N mm and N", 1e-3, 1},
    {"mN m and mN", 1e-3, 1e-3},
    {"N cm and N", 1e-2, 1},
    {"kN m and kN", 1e3, 1e3},
    {"kgf m and kgf", standard_gravity, standard_gravity},
    {"kgf cm and kgf", 1e-2 * standard_gravity, standard_gravity},
    {"gf cm and gf", 1e-5 * standard_gravity, 1e-3 * standard_gravity},
    {"lbf ft and lbf", 12 * inch * pound, pound},
    {"lbf in and lbf", inch * pound, pound},
    {"ozf in and ozf", inch * pound / 16, pound / 16},
    {"per radian instead of per degree", half_turn / 180, half_turn / 180},
    {"per degree instead of per radian", 180 / half_turn, 180 / half_turn},
};

Variants other_unit(const Model<double>& model) {
  Variants variants;
  std::vector<bool> turns;
  for (const CoordinateKind kind : velocity_kinds(model)) turns.push_back(kind == CoordinateKind::angle);
  for (const TorqueUnit& unit : torque_units)
    variants.push_back({unit.text,
                        [&unit, turns](OtherTool& tool) {
                          if (tool.torque_sense.empty()) tool.torque_sense.assign(turns.size(), 1);
                          for (std::size_t k = 0; k < turns.size(); ++k)
                            tool.torque_sense[k] /= turns[k] ? unit.torque : unit.force;
                        },
                        true});
  return variants;
}

/// Columns that are zero in all rows: all of them, or one.
Variants unrecorded(const Model<double>& model) {
  const auto zero = [n = static_cast<std::size_t>(model.nv)](OtherTool& tool, std::size_t k) {
    if (tool.torque_sense.empty()) tool.torque_sense.assign(n, 1);
    tool.torque_sense[k] = 0;
  };
  Variants variants{{"all", [=, n = static_cast<std::size_t>(model.nv)](OtherTool& tool) {
                       for (std::size_t k = 0; k < n; ++k) zero(tool, k);
                     }}};
  for (std::size_t k = 0; model.nv > 1 && k < model.velocity_names.size(); ++k)
    variants.push_back({quoted("joint", model.velocity_names[k]), [=](OtherTool& tool) { zero(tool, k); }});
  return variants;
}

Variants one_offset(const Model<double>& model) {
  Variants variants;
  for (int k = 0; k < model.nv; ++k)
    variants.push_back({quoted("joint", model.velocity_names[static_cast<std::size_t>(k)]),
                        [k](OtherTool& tool) { tool.offset_torques.push_back(k); }});
  return variants;
}

Variants one_factor(const Model<double>& model) {
  Variants variants;
  for (int k = 0; model.nv > 1 && k < model.nv; ++k)
    variants.push_back({quoted("joint", model.velocity_names[static_cast<std::size_t>(k)]),
                        [k](OtherTool& tool) { tool.sized_torques.push_back(k); }});
  return variants;
}

bool has_dh_rows(const Description& robot) {
  return robot.convention != Convention::placement &&
         std::any_of(robot.links.begin(), robot.links.end(),
                     [](const auto& l) { return std::holds_alternative<DhRow>(l.geometry); });
}

bool has_angles(const Model<double>& model) {
  const auto kinds = position_kinds(model);
  return std::find(kinds.begin(), kinds.end(), CoordinateKind::angle) != kinds.end();
}

constexpr double degree = std::numbers::pi / 180;

using D = const Description&;
using M = const Model<double>&;

const TorqueSlip slips[] = {
    {"torque-missing", "effort-size", "no torque was recorded: its column is zero in all rows",
     [](D, M m) { return unrecorded(m); }},
    // before gravity and loads, which at a joint that moves along the vertical are a constant, too
    {"torque-offset", "torque-offset", "the torque of one joint is off by a constant, as by the bias of its sensor",
     [](D, M m) { return one_offset(m); }},
    {"gravity-sign", "gravity", "gravity points the other way",
     [](D, M) { return always([](OtherTool& t) { t.robot.gravity = -t.robot.gravity; }); }},
    {"gravity-missing", "gravity", "gravity is left out",
     [](D, M) { return always([](OtherTool& t) { t.robot.gravity = {}; }); }},
    {"gravity-size", "gravity", "gravity has another size",
     [](D d, M) { return when(norm(d.gravity) > 0, fit({Addition::gravity_size})); }},
    {"base-pose", "gravity", "the pose of the base is left out: gravity comes from another side",
     [](D, M) { return always([](OtherTool& t) { t.robot.base = {}; }); }},
    {"gravity-direction", "gravity", "gravity has another direction",
     [](D, M) { return fit({Addition::gravity_vector}); }},

    {"rotor-missing", "rotor", "the rotor inertias are left out",
     [](D d, M) { return scale_rotors(d, [](double) { return 0.0; }); }},
    {"rotor-doubled", "rotor", "the rotor inertias are counted twice",
     [](D d, M) { return scale_rotors(d, [](double) { return 2.0; }); }},
    {"rotor-gear", "rotor", "the rotor inertias are not multiplied by the square of the gear",
     [](D d, M) { return scale_rotors(d, [](double gear) { return 1 / (gear * gear); }); }},
    {"rotor-gear-once", "rotor", "the rotor inertias are multiplied by the gear, not by its square",
     [](D d, M) { return scale_rotors(d, [](double gear) { return 1 / abs(gear); }); }},
    {"rotor-body", "rotor",
     "the rotors are bodies that turn on the links here, and only a diagonal there, or the reverse",
     [](D d, M) {
       return when(std::any_of(d.links.begin(), d.links.end(), [](const auto& l) { return l.rotor; }),
                   always([](OtherTool& t) {
                     for (LinkDescription& l : t.robot.links)
                       if (l.rotor) l.rotor->as_body = !l.rotor->as_body;
                   }));
     }},
    {"rotor-other", "rotor", "the joints have other rotor inertias", [](D, M) { return fit({Addition::rotor}); }},

    {"friction-missing", "friction", "friction is left out",
     [](D, M m) { return when(!m.friction.empty(), always([](OtherTool& t) { t.friction = 0; })); }},
    {"friction-sign", "friction", "friction has the other sign",
     [](D, M m) { return when(!m.friction.empty(), always([](OtherTool& t) { t.friction = -1; })); }},
    {"friction-dry-missing", "friction", "dry friction is left out", [](D d, M) { return leave_dry_friction_out(d); }},
    {"friction-viscous", "friction", "there is other viscous friction", [](D, M) { return fit({Addition::viscous}); }},
    {"friction-dry", "friction", "there is other dry friction", [](D, M) { return fit({Addition::coulomb}); }},
    {"friction-other", "friction", "there is other friction, viscous and dry",
     [](D, M) {
       return fit({Addition::viscous, Addition::coulomb});
     }},
    {"friction-pair", "friction", "there is other friction, viscous and dry, not the same in both directions",
     [](D, M) {
       return fit({Addition::viscous, Addition::coulomb_pair});
     }},

    {"inertia-origin", "inertia", "inertias given about the mass centre are taken as if about the frame's origin",
     [](D d, M) { return on_parts(d, shift_towards_centre); }},
    {"inertia-centre", "inertia", "inertias about the frame's origin are taken as if about the mass centre",
     [](D d, M) { return on_parts(d, shift_away_from_centre); }},
    {"product-signs", "products", "the products of inertia have the other sign",
     [](D d, M) { return on_parts(d, reverse_products); }},
    {"products-missing", "products", "the products of inertia are left out",
     [](D d, M) { return on_parts(d, leave_products_out); }},

    {"degrees", "degrees", "the angles of the file are degrees, and so are their rates",
     [](D, M m) {
       return when(plain(m) && has_angles(m), always([](OtherTool& t) { t.angle = t.angular_rate = degree; }));
     }},
    {"degrees-positions", "degrees", "the angles of the file are degrees, their rates are not",
     [](D, M m) { return when(plain(m) && has_angles(m), always([](OtherTool& t) { t.angle = degree; })); }},
    {"degrees-rates", "degrees", "the rates of the angles are in degrees, the angles are not",
     [](D, M m) { return when(plain(m) && has_angles(m), always([](OtherTool& t) { t.angular_rate = degree; })); }},

    {"joint-sign", "joint-sign", "the joint turns the other way: position, rates and torque are reversed",
     [](D, M m) { return when(plain(m), reverse(m, &OtherTool::sense)); }},
    {"effort-sign", "effort-sign", "the torque has the other sign: it is what the joint does to the motor",
     [](D, M m) { return reverse(m, &OtherTool::torque_sense); }},
    {"joint-order", "joint-order", "the joints are in another order",
     [](D, M m) { return when(plain(m), reorder(m, &OtherTool::order)); }},
    {"effort-order", "effort-order", "the torques alone are in another order",
     [](D, M m) { return reorder(m, &OtherTool::torque_order); }},
    {"joint-zero", "joint-zero", "the joint counts from another zero",
     [](D, M m) { return when(plain(m), other_zero(m)); }},

    {"dh-convention", "dh", "the DH table is read in the other convention (standard as modified, or the reverse)",
     [](D d, M) {
       return when(has_dh_rows(d), always([](OtherTool& t) {
                     t.robot.convention = t.robot.convention == Convention::standard_dh ? Convention::modified_dh
                                                                                        : Convention::standard_dh;
                   }));
     }},
    {"dh-offsets", "dh", "the constant angles theta of the DH table are left out",
     [](D d, M) {
       return when(has_dh_rows(d), always([](OtherTool& t) {
                     for (LinkDescription& l : t.robot.links)
                       if (auto* dh = std::get_if<DhRow>(&l.geometry); dh && l.kind == JointKind::revolute)
                         dh->theta = 0;
                   }));
     }},

    {"payload", "payload", "there is another mass at the tool", [](D, M) { return fit({Addition::payload_mass}); }},
    {"payload-body", "payload",
     "there is another load at the tool, a body with its mass centre beside the tool's origin",
     [](D, M) { return fit({Addition::payload_body}); }},

    {"velocity-terms", "terms", "Coriolis and centrifugal terms are left out (friction, too)",
     [](D, M) { return always([](OtherTool& t) { t.velocity = 0; }); }},
    {"acceleration-terms", "terms", "the terms of the accelerations are left out",
     [](D, M) { return always([](OtherTool& t) { t.acceleration = 0; }); }},
    {"motor-side", "effort-size", "the torques are those of the motors, before the gears",
     [](D, M m) { return when(!m.transmissions.empty(), always([](OtherTool& t) { t.at_motors = true; })); }},
    {"effort-unit", "effort-size", "all torques are in another unit", [](D, M m) { return other_unit(m); }},
    {"effort-size", "effort-size", "all torques have a common factor",
     [](D, M) { return fit({Addition::torque_size}); }},
    {"joint-factor", "effort-size",
     "the torques of one joint have a factor, as of another gear ratio or torque constant",
     [](D, M m) { return one_factor(m); }},
};

}  // namespace

std::span<const TorqueSlip> torque_slips() { return slips; }

}  // namespace torsor

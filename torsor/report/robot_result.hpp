// A robot as algorithms understand it, as a plain result. Rows refer to the robot, which outlives them.
#pragma once

#include "torsor/model/transmission.hpp"
#include "torsor/report/loop_summary.hpp"
#include "torsor/report/robot_summary.hpp"
#include "torsor/report/state_result.hpp"

namespace torsor {

/// Nothing of it where there is none.
struct InertiaResult {
  std::optional<Inertia<double>> of;
};

constexpr auto fields(Of<InertiaResult>) {
  const auto if_any = [](auto get) {
    return [get](const InertiaResult& r) { return r.of ? std::optional(get(*r.of)) : std::nullopt; };
  };
  return field_list(
      "Inertia", "Of a body, in the frame of its link.",
      field("mass", "kg", "", if_any([](const Inertia<double>& J) { return J.m; })).or_absent(),
      field("mass_centre", "m", "", if_any([](const Inertia<double>& J) { return mass_centre(J); })).or_absent(),
      field("inertia_about_mass_centre", "kg m²", "xx, yy, zz, xy, xz, yz", if_any([](const Inertia<double>& J) {
              const Sym3<double> I = tensor_about_centre(J);
              return std::array{I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
            }))
          .or_absent());
}

/// A joint that follows another one.
struct MimicResult {
  std::string joint;
  double ratio = 1, offset = 0;
};

constexpr auto fields(Of<MimicResult>) {
  using M = MimicResult;
  return field_list("Mimic", "A joint that follows another one.", field("joint", "", "that it follows", &M::joint),
                    field("ratio", "", "", &M::ratio), field("offset", "", "", &M::offset));
}

/// Link i of the tree and the joint that moves it.
struct LinkResult {
  const Robot& robot;
  int i;
  bool degrees;
  InertiaResult inertia{inverse(body().link) * body().inertia};

  const Model<double>& tree() const { return robot.tree(); }
  const Body<double>& body() const { return tree()[i]; }
  std::optional<MimicResult> mimic() const;
  /// Of a coordinate of its own.
  std::optional<double> limit(double Limits::*which) const;
};

constexpr auto fields(Of<LinkResult>) {
  using L = LinkResult;
  const auto limit = [](double Limits::*which) { return [which](const L& l) { return l.limit(which); }; };
  return field_list("RobotLink", "A link and the joint that moves it.",
                    field("link", "", "", [](const L& l) { return l.tree().link_names[l.i]; }),
                    field("joint", "", "", [](const L& l) { return l.tree().joint_names[l.i]; }),
                    field("kind", "", "of joint", [](const L& l) { return row(l.body().kind).name; }),
                    field("parent", "", "link",
                          [](const L& l) {
                            const int parent = l.body().parent;
                            return parent < 0 ? l.robot.description().base_name : l.tree().link_names[parent];
                          }),
                    field("mimic", "", "", &L::mimic).or_absent(),
                    field("lower", "", "rad or m", limit(&Limits::lower)).or_absent(),
                    field("upper", "", "", limit(&Limits::upper)).or_absent(),
                    field("velocity", "", "its largest", limit(&Limits::velocity)).or_absent(),
                    field("effort", "", "largest torque, N m or N", limit(&Limits::effort)).or_absent(),
                    field("acceleration", "", "", limit(&Limits::acceleration)).or_absent(),
                    field("deceleration", "", "", limit(&Limits::deceleration)).or_absent(),
                    field("jerk", "", "", limit(&Limits::jerk)).or_absent(), fields_of_part(&L::inertia));
}

struct BaseResult {
  std::string name;
  PoseResult pose;
  InertiaResult inertia;
};

constexpr auto fields(Of<BaseResult>) {
  using B = BaseResult;
  return field_list("RobotBase", "The link that all others hang on, in the world.", field("name", "", "", &B::name),
                    fields_of_part(&B::pose), fields_of_part(&B::inertia));
}

/// A row of a DH table.
struct DhRowResult {
  std::string joint;
  DhRow of;
  bool degrees;
};

constexpr auto fields(Of<DhRowResult>) {
  using D = DhRowResult;
  const auto angle = [](double DhRow::*which) {
    return [which](const D& d) { return in_unit(d.of.*which, CoordinateKind::angle, d.degrees); };
  };
  return field_list("DhRow", "A row of a DH table.", field("joint", "", "", &D::joint),
                    field("theta", "", "rad or degrees", angle(&DhRow::theta)),
                    field("d", "m", "", [](const D& d) { return d.of.d; }),
                    field("a", "m", "", [](const D& d) { return d.of.a; }),
                    field("alpha", "", "", angle(&DhRow::alpha)));
}

struct DhResult {
  const char* convention;
  std::vector<DhRowResult> rows;
};

constexpr auto fields(Of<DhResult>) {
  return field_list("DhTable", "As the file gives it.",
                    field("convention", "", "standard or modified", &DhResult::convention),
                    field("rows", "", "", &DhResult::rows));
}

struct TransmissionResult {
  const Model<double>& model;
  const Transmission& of;
};

constexpr auto fields(Of<TransmissionResult>) {
  using T = TransmissionResult;
  return field_list("Transmission", "Motors that move joints together.",
                    field("joints", "", "",
                          [](const T& t) {
                            std::vector<std::string> names;
                            for (const int dof : t.of.dofs) names.push_back(t.model.velocity_names[dof]);
                            return names;
                          }),
                    field("motors", "", "", [](const T& t) { return t.of.motors; }),
                    field("matrix", "", "", [](const T& t) { return matrix_of(t.of.matrix, t.of.dofs.size()); }));
}

constexpr auto fields(Of<FrictionTable<double>>) {
  using F = FrictionTable<double>;
  return field_list("FrictionTable", "Torques of friction by measurement.", field("q", "", "", &F::q),
                    field("qd", "", "", &F::qd),
                    field("effort", "", "a row for each position, or one list over the speed alone", [](const F& f) {
                      return f.q.empty() ? NumberArray{f.values, {f.values.size()}} : matrix_of(f.values, f.qd.size());
                    }));
}

struct FrictionResult {
  std::string joint;
  const Friction<double>& of;
};

constexpr auto fields(Of<FrictionResult>) {
  using F = FrictionResult;
  using L = Friction<double>;
  const auto of = [](double L::*which) { return [which](const F& f) { return f.of.*which; }; };
  const auto breakaway = [](double L::*which) {
    return [which](const F& f) { return f.of.stribeck_velocity > 0 ? std::optional(f.of.*which) : std::nullopt; };
  };
  return field_list(
      "Friction", "Of a joint.", field("joint", "", "", &F::joint), field("viscous", "", "", of(&L::viscous)),
      field("coulomb_positive", "", "", of(&L::coulomb_positive)),
      field("coulomb_negative", "", "", of(&L::coulomb_negative)),
      field("breakaway_positive", "", "", breakaway(&L::breakaway_positive)).or_absent(),
      field("breakaway_negative", "", "", breakaway(&L::breakaway_negative)).or_absent(),
      field("stribeck_velocity", "", "", breakaway(&L::stribeck_velocity)).or_absent(),
      field("table", "", "",
            [](const F& f) { return f.of.table.values.empty() ? std::nullopt : std::optional(f.of.table); })
          .or_absent(),
      field("text", "", "in words", [](const F& f) { return friction_text(f.of); }));
}

/// How far a tool gets.
struct ReachResult {
  std::string tool;
  Reach of;
  std::vector<double> at;

  /// Nothing where a joint without limits takes it anywhere.
  template <class T>
  std::optional<T> if_bounded(const T& x) const {
    return std::isfinite(of.bound) ? std::optional(x) : std::nullopt;
  }
};

constexpr auto fields(Of<ReachResult>) {
  using R = ReachResult;
  return field_list(
      "Reach", "How far a tool gets from the base.", field("tool", "", "", &R::tool),
      field("bound", "m", "for certain", [](const R& r) { return r.if_bounded(r.of.bound); }),
      field("found", "m", "by search", [](const R& r) { return r.if_bounded(r.of.found); }).or_absent(),
      field("cut_short", "", "a longer search might find more", [](const R& r) { return r.if_bounded(r.of.cut_short); })
          .or_absent(),
      field("at", "", "q", [](const R& r) { return r.if_bounded(r.at); }).or_absent());
}

/// reach: none of a robot with loops, which does not reach what its tree does.
struct RobotResult {
  const Robot& robot;
  bool degrees = false;
  std::optional<ReachResult> reach = {};

  const Model<double>& tree() const { return robot.tree(); }
  BaseResult base() const;
  /// From the first to the one before last.
  std::vector<LinkResult> links(int first, int last) const;
  std::optional<DhResult> dh() const;
  std::vector<TransmissionResult> transmissions() const;
  std::vector<FrictionResult> friction() const;
  std::vector<std::string> tools() const;
};

/// With the reach of a tool.
RobotResult robot_result(const Robot& robot, const Frame<double>& tool, const Reach& reach, bool degrees);

constexpr auto fields(Of<RobotResult>) {
  using R = RobotResult;
  return field_list(
      "RobotResult", "A robot as algorithms understand it.",
      field("robot", "", "", [](const R& r) { return r.tree().name; }),
      field("source", "", "of its numbers", [](const R& r) { return r.robot.description().source; }),
      field("joints", "", "6R", [](const R& r) { return joints_of(r.robot); }),
      field("position_names", "", "", [](const R& r) { return r.robot.coordinates().position_names; }),
      field("velocity_names", "", "", [](const R& r) { return r.robot.coordinates().velocity_names; }),
      field("loops", "", "in words",
            [](const R& r) { return r.robot.loops() ? std::optional(loop_sentences(r.robot)) : std::nullopt; })
          .or_absent(),
      field("gravity", "m/s²", "", [](const R& r) { return r.tree().gravity; }),
      field("angle_unit", "", "rad or deg", [](const R& r) { return r.degrees ? "deg" : "rad"; }),
      field("base", "", "", &R::base), field("links", "", "", [](const R& r) { return r.links(0, links_of(r.robot)); }),
      field("rotor_bodies", "", "that are bodies of their own",
            [](const R& r) { return r.links(links_of(r.robot), r.tree().size()); }),
      field("dh", "", "where the file has a DH table", &R::dh).or_absent(),
      field("transmissions", "", "", &R::transmissions), field("friction", "", "", &R::friction),
      field("rotor_at_joint", "kg m²", "or kg", [](const R& r) { return r.tree().rotor; }),
      field("tools", "", "", &R::tools), field("total_mass", "kg", "", [](const R& r) { return total_mass(r.robot); }),
      field("reach", "", "", &R::reach).or_absent());
}

}  // namespace torsor

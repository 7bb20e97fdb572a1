#include "torsor/symbolic/symbolic_robot.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/model/dh_conventions.hpp"
#include "torsor/scalar/poly.hpp"
#include "torsor/symbolic/drop_rounding.hpp"
#include "torsor/symbolic/meant_robot.hpp"

namespace torsor {
namespace {

using Arm = DhArm<Poly>;

DhLink<Poly>& link(Arm& arm, int i) { return arm.links[static_cast<std::size_t>(i - 1)]; }

bool near(double x, double y) { return std::abs(x - y) <= 1e-9 * std::max(std::abs(x), std::abs(y)); }

/// Every link a uniform rod from its joint to the end of its length.
bool is_of_rods(const DhArm<double>& arm) {
  return arm.convention == Convention::standard_dh && std::ranges::all_of(arm.links, [](const DhLink<double>& l) {
           const double across = l.m * l.a * l.a / 12;
           return l.a != 0 && !l.prismatic && near(l.r.x, -l.a / 2) && l.r.y == 0 && l.r.z == 0 && l.I.xx == 0 &&
                  near(l.I.yy, across) && near(l.I.zz, across) && !l.structure.products;
         });
}

/// Writes an arm of letters beside one of numbers.
class Lettering {
 public:
  Lettering(const DhArm<double>& arm, const SymbolicOptions& options)
      : arm_(arm), options_(options), rods_(options.rods && !options.first_moments && is_of_rods(arm)) {}

  Symbols symbols;
  std::vector<SymbolicJoint> joints;

  Arm run() {
    // angles of the joints first, so that their numbers are theirs
    for (int i = 1; i <= arm_.n(); ++i)
      angle_of_joint_.push_back(arm_[i].prismatic ? -1 : symbols.add(AngleSymbol{"", std::to_string(i), 0, {}}));
    Arm out{arm_.convention, {}, {}, arm_.level};
    out.links.resize(arm_.links.size());
    for (int i = 1; i <= arm_.n(); ++i) write_mass(i, link(out, i));
    write_gravity(out);
    for (int i = 1; i <= arm_.n(); ++i) write_geometry(i, link(out, i));
    for (int i = 1; i <= arm_.n(); ++i) write_inertia(i, link(out, i));
    return out;
  }

 private:
  Poly letter(SymbolKind kind, const char* name, int i, double value, bool always = false) {
    return value == 0 && !always ? Poly() : symbols.add(Symbol{kind, name, std::to_string(i), value});
  }

  void write_mass(int i, DhLink<Poly>& l) {
    l.m = letter(SymbolKind::mass, "m", i, arm_[i].m, options_.general_inertias);
  }

  /// Along one axis it is g, in its sense.
  void write_gravity(Arm& out) {
    const std::array<double, 3> g{arm_.g.x, arm_.g.y, arm_.g.z};
    const bool single = std::ranges::count(g, 0.0) == 2;
    const std::array<Poly*, 3> to{&out.g.x, &out.g.y, &out.g.z};
    for (std::size_t k = 0; k < 3; ++k) {
      if (g[k] == 0) continue;
      const std::string name = single ? "g" : std::string("g") + "xyz"[k];
      const bool down = single && g[k] < 0;
      const Poly size = symbols.add(Symbol{SymbolKind::gravity, name, "", down ? -g[k] : g[k]});
      *to[k] = down ? -size : size;
    }
  }

  void write_geometry(int i, DhLink<Poly>& l) {
    const DhLink<double>& from = arm_[i];
    const bool standard = arm_.convention == Convention::standard_dh;
    // the twist and length beyond the last joint (before the first one) move no axis
    const bool inner = standard ? i < arm_.n() : i > 1;
    l.prismatic = from.prismatic;
    l.structure = from.structure;
    write_twist(i, l, inner && options_.general_twists);
    const bool general = inner && options_.general_lengths;
    l.a = rods_ ? rod_length(i) : letter(SymbolKind::length, "a", i, from.a, general);
    l.structure.a = !l.a.is_zero();
    write_joint(i, l);
  }

  Poly rod_length(int i) {
    const bool equal = std::ranges::all_of(arm_.links, [&](const DhLink<double>& l) { return near(l.a, arm_[1].a); });
    if (equal && i > 1) return length_;
    return length_ = symbols.add(Symbol{SymbolKind::length, "l", equal ? "" : std::to_string(i), arm_[i].a});
  }

  void write_twist(int i, DhLink<Poly>& l, bool general) {
    const DhLink<double>& from = arm_[i];
    if (from.structure.quarter_turns >= 0 && !general) {
      l.ca = Poly(static_cast<int>(from.ca));
      l.sa = Poly(static_cast<int>(from.sa));
      return;
    }
    const int k = symbols.add(AngleSymbol{"alpha", std::to_string(i), std::atan2(from.sa, from.ca), {}});
    l.ca = Poly::cosine(k);
    l.sa = Poly::sine(k);
    l.structure.quarter_turns = -1;
  }

  void write_joint(int i, DhLink<Poly>& l) {
    const DhLink<double>& from = arm_[i];
    if (!from.prismatic) {
      const bool general = options_.general_lengths && (arm_.convention == Convention::standard_dh || i > 1);
      l.d = letter(SymbolKind::length, "d", i, from.d, general);
      l.structure.d = !l.d.is_zero();
      joints.push_back({false, angle_of_joint_[static_cast<std::size_t>(i - 1)], std::atan2(from.s, from.c)});
      return;
    }
    // a slide has its constant angle, special or not
    const bool special = (from.c == 0 || from.s == 0) && std::abs(from.c + from.s) == 1;
    const int k = special ? -1 : symbols.add(AngleSymbol{"theta", std::to_string(i), std::atan2(from.s, from.c), {}});
    l.c = special ? Poly(static_cast<int>(from.c)) : Poly::cosine(k);
    l.s = special ? Poly(static_cast<int>(from.s)) : Poly::sine(k);
    joints.push_back({true, static_cast<int>(symbols.parameters.size()), from.d});
    symbols.add(Symbol{SymbolKind::displacement, "d", std::to_string(i), 0});
  }

  void write_inertia(int i, DhLink<Poly>& l) {
    const DhLink<double>& from = arm_[i];
    if (options_.first_moments) return;
    if (rods_) {
      const Poly across = Poly(Fraction{1, 12}) * l.m * l.a * l.a;
      l.r = {Poly(Fraction{-1, 2}) * l.a, Poly(), Poly()};
      l.I = {Poly(), across, across, Poly(), Poly(), Poly()};
      return;
    }
    const bool all = options_.general_inertias;
    const auto length = [&](const char* name, double x) { return letter(SymbolKind::length, name, i, x, all); };
    const auto inertia = [&](const char* name, double x) { return letter(SymbolKind::inertia, name, i, x, all); };
    l.r = {length("x", from.r.x), length("y", from.r.y), length("z", from.r.z)};
    l.I.xx = inertia("Ixx", from.I.xx);
    l.I.yy = inertia("Iyy", from.I.yy);
    l.I.zz = inertia("Izz", from.I.zz);
    l.I.xy = inertia("Ixy", from.I.xy);
    l.I.xz = inertia("Ixz", from.I.xz);
    l.I.yz = inertia("Iyz", from.I.yz);
    l.structure.products = !l.I.xy.is_zero() || !l.I.xz.is_zero() || !l.I.yz.is_zero();
  }

  const DhArm<double>& arm_;
  SymbolicOptions options_;
  bool rods_;
  Poly length_;
  std::vector<int> angle_of_joint_;
};

/// The tree of a modified arm: a body's frame is its joint's, the link frame d further along z (of a slide: turned).
Model<Poly> tree_of(const Arm& arm, const Model<double>& names) {
  Model<Poly> model;
  model.name = names.name;
  model.nq = model.nv = arm.n();
  model.gravity = arm.g;
  model.joint_names = names.joint_names;
  model.link_names = names.link_names;
  model.position_names = names.position_names;
  model.velocity_names = names.velocity_names;
  model.limits = names.limits;
  model.rotor.resize(static_cast<std::size_t>(arm.n()));
  for (int i = 1; i <= arm.n(); ++i) {
    const DhLink<Poly>& l = arm[i];
    Body<Poly> body;
    body.parent = i - 2;
    body.kind = l.prismatic ? JointKind::prismatic : JointKind::revolute;
    body.q = body.v = body.column = i - 1;
    body.nv = 1;
    const Transform<Poly> arrival{rotation_x(l.ca, l.sa), {l.a, Poly(), Poly()}};
    body.placement = i == 1 ? arrival : model.bodies.back().link * arrival;
    body.link = l.prismatic ? Transform<Poly>::rotation(rotation_z(l.c, l.s))
                            : Transform<Poly>::translation({Poly(), Poly(), l.d});
    body.inertia = body.link * inertia_about_centre(l.m, l.r, l.I);
    model.S.push_back(joint_motion(body.kind, 0, body.pitch));
    model.bodies.push_back(std::move(body));
  }
  return model;
}

/// The arms at the general position: C_i, S_i, d_i.
DhPosition<Poly> general_position(const Arm& arm, const std::vector<SymbolicJoint>& joints) {
  DhPosition<Poly> position(arm.n());
  for (int i = 1; i <= arm.n(); ++i) {
    const SymbolicJoint& joint = joints[static_cast<std::size_t>(i - 1)];
    const auto k = static_cast<std::size_t>(i);
    position.c[k] = joint.prismatic ? arm[i].c : Poly::cosine(joint.variable);
    position.s[k] = joint.prismatic ? arm[i].s : Poly::sine(joint.variable);
    position.d[k] = joint.prismatic ? Poly::parameter(joint.variable) : arm[i].d;
  }
  return position;
}

/// The robot with the letters of geometry, masses and, unless they are to be first moments, inertias.
SymbolicRobot assemble(const RobotForms<double>& from, Convention convention, const SymbolicOptions& options) {
  Lettering lettering(convention == Convention::modified_dh ? *from.modified : *from.standard, options);
  const Arm arm = lettering.run();
  const Arm modified = convention == Convention::modified_dh ? arm : to_modified(arm);
  const Arm standard = convention == Convention::modified_dh ? to_standard(arm) : arm;
  SymbolicRobot out{from.model.name,
                    {},
                    {tree_of(modified, from.model), standard, modified, {}, from.snaps, {}, {}},
                    std::move(lettering.symbols),
                    std::move(lettering.joints),
                    {},
                    {},
                    {}};

  out.forms.standard_position = general_position(standard, out.joints);
  out.forms.modified_position = general_position(modified, out.joints);
  for (int i = 1; i <= arm.n(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    JointPosition<Poly>& joint = out.forms.configuration[i - 1];
    if (arm[i].prismatic) {
      joint.d = out.forms.modified_position.d[k];
    } else {
      joint.c = out.forms.modified_position.c[k];
      joint.s = out.forms.modified_position.s[k];
    }
    out.parallel.push_back(i > 1 && modified[i].structure.quarter_turns == 0);
  }
  return out;
}

/// First moments and tensors of each body, a letter for each that does not vanish in the robot with mass centres.
void letter_first_moments(const SymbolicRobot& centres, SymbolicRobot& out) {
  const std::vector<double> values = centres.symbols.values();
  for (std::size_t i = 0; i < out.forms.model.bodies.size(); ++i) {
    const auto letter = [&](SymbolKind kind, const char* name, const Poly& x) {
      return x.is_zero() ? Poly() : out.symbols.add(Symbol{kind, name, std::to_string(i + 1), evaluate(x, values)});
    };
    const auto moment = [&](const char* name, const Poly& x) { return letter(SymbolKind::inertia, name, x); };
    const Inertia<Poly>& J = centres.forms.model.bodies[i].inertia;
    Inertia<Poly>& to = out.forms.model.bodies[i].inertia;
    to.h = {moment("mx", J.h.x), moment("my", J.h.y), moment("mz", J.h.z)};
    to.I = {moment("Ixx", J.I.xx), moment("Iyy", J.I.yy), moment("Izz", J.I.zz),
            moment("Ixy", J.I.xy), moment("Ixz", J.I.xz), moment("Iyz", J.I.yz)};
  }
  out.forms.standard.reset();
  out.forms.modified.reset();
  out.forms.not_serial = {
      {{}, out.name, "first-moments", "its letters are first moments, and DH forms take mass centres", ""}};
}

void letter_rotors(const RobotForms<double>& from, SymbolicRobot& out) {
  for (const auto& [i, j, value] : from.rotors) {
    const std::string index = i == j ? std::to_string(i + 1) : std::to_string(i + 1) + "," + std::to_string(j + 1);
    const Poly J = out.symbols.add(Symbol{SymbolKind::inertia, "J", index, value});
    out.forms.rotors.push_back({i, j, J});
    if (i == j)
      out.forms.model.rotor[static_cast<std::size_t>(i)] = J;
    else
      out.forms.model.rotor_coupling.push_back({i, j, J});
  }
}

SymbolicRobot letter(const RobotForms<double>& from, Convention convention, const SymbolicOptions& options) {
  SymbolicRobot out = assemble(from, convention, options);
  if (options.first_moments) {
    SymbolicOptions with_centres = options;
    with_centres.first_moments = false;
    letter_first_moments(assemble(from, convention, with_centres), out);
  }
  letter_rotors(from, out);
  if (!options.rates) return out;
  for (std::size_t i = 1; i <= out.joints.size(); ++i)
    out.qd.push_back(out.symbols.add(Symbol{SymbolKind::velocity, "qd", std::to_string(i), 0}));
  for (std::size_t i = 1; i <= out.joints.size(); ++i)
    out.qdd.push_back(out.symbols.add(Symbol{SymbolKind::acceleration, "qdd", std::to_string(i), 0}));
  return out;
}

}  // namespace

std::vector<double> SymbolicRobot::values(std::span<const double> q, std::span<const double> velocities,
                                          std::span<const double> accelerations) const {
  TORSOR_EXPECT(q.size() == joints.size());
  std::vector<double> values = symbols.values();
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double x = q[i] + joints[i].offset;
    const auto k = static_cast<std::size_t>(joints[i].variable);
    if (joints[i].prismatic) {
      values[Monomial::first_parameter + k] = x;
    } else {
      values[2 * k] = std::cos(x);
      values[2 * k + 1] = std::sin(x);
    }
  }
  const auto put = [&](SymbolKind kind, std::span<const double> numbers) {
    std::size_t next = 0;
    for (std::size_t k = 0; k < symbols.parameters.size() && next < numbers.size(); ++k)
      if (symbols.parameters[k].kind == kind) values[Monomial::first_parameter + k] = numbers[next++];
  };
  put(SymbolKind::velocity, velocities);
  put(SymbolKind::acceleration, accelerations);
  return values;
}

Result<SymbolicRobot> symbolic_robot(const RobotForms<double>& forms, Convention convention,
                                     const SymbolicOptions& options) {
  TORSOR_EXPECT(convention != Convention::placement);
  if (!forms.standard) return forms.not_serial;
  if (Faults errors = held_joints(forms); !errors.empty()) return errors;
  try {
    return letter(forms, convention, options);
  } catch (const PolyOverflow& overflow) {
    return Faults{{{},
                   "robot \"" + forms.model.name + "\"",
                   "too-large",
                   overflow.what(),
                   "take a part of the arm (convert --tip); torsor structure has no such limit"}};
  }
}

Result<SymbolicRobot> symbolic_robot(const Description& robot, const SymbolicOptions& options) {
  const MeantRobot meant = meant_robot(robot);
  auto forms = robot_forms(meant.description, GeometryTolerance{});
  if (!forms) return forms.faults();
  const Convention convention =
      robot.convention == Convention::modified_dh ? Convention::modified_dh : Convention::standard_dh;
  if (forms->standard && (!forms->snaps.empty() || !is_written_in(robot, convention)))
    drop_rounding(convention == Convention::modified_dh ? *forms->modified : *forms->standard);
  forms->snaps.insert(forms->snaps.begin(), meant.snaps.begin(), meant.snaps.end());
  auto out = symbolic_robot(*forms, convention, options);
  if (!out) {
    Faults errors = out.faults();
    for (Fault& error : errors)
      if (error.where.file.empty()) error.where.file = robot.file;
    return errors;
  }
  out->where.file = robot.file;
  if (!out->forms.snaps.empty()) out->snap_effect = snap_effect(robot);
  return out;
}

Poly derivative(const Poly& p, const SymbolicJoint& joint) {
  return joint.prismatic ? derivative_by_parameter(p, joint.variable) : derivative_by_angle(p, joint.variable);
}

}  // namespace torsor

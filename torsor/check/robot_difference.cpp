#include "torsor/check/robot_difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "torsor/check/body_doubts.hpp"
#include "torsor/check/state_difference.hpp"
#include "torsor/model/coordinate_kind.hpp"

namespace torsor {
namespace {

/// Half a turn about x: for an axis that points the other way.
Transform<double> half_turn_about_x() { return Transform<double>::rotation({{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}); }

/// Distance between the z axes of the frame in which D is given and of D itself.
double axis_distance(const Transform<double>& D) {
  const Vec3<double> n = cross(Vec3<double>{0, 0, 1}, D.R.z);
  const double sine = norm(n);
  // so nearly parallel that where they would meet says nothing
  if (sine < 1e-6) return std::hypot(D.p.x, D.p.y);
  return abs(dot(D.p, n)) / sine;
}

class Comparer {
 public:
  Comparer(const Robot& first, const Robot& second, const DifferenceOptions& given)
      : a(first), b(second), A(first.model()), B(second.model()), options(given), match(match_robots(first, second)) {
    for (const MovingBody& body : match.first.bodies) length = std::max(length, norm(body.X_parent.p));
    for (const Frame<double>& frame : A.frames) length = std::max(length, norm(frame.X_body_frame.p));
    gauge.resize(match.first.bodies.size());
  }

  RobotDifference run() {
    out.first = A.name;
    out.second = B.name;
    out.tolerance = options.tolerance;
    out.renamed = match.renamed;
    out.only_first = match.only_first;
    out.only_second = match.only_second;
    for (const auto& [names, where, other] :
         {std::tuple{&out.only_first, "first", "second"}, std::tuple{&out.only_second, "second", "first"}})
      for (const std::string& joint : *names)
        add("structure", joint, "joint", "", {}, {}, 1,
            fmt::format("joint \"{}\" is in the {} robot, and not in the {}", joint, where, other));
    surroundings();
    for (std::size_t i = 0; i < match.first.bodies.size(); ++i)
      if (match.to_second[i] >= 0) compare_body(i);
    for (std::size_t i = 0; i < match.first.bodies.size(); ++i)
      if (match.to_second[i] >= 0) compare_coordinates(i);
    transmissions();
    tools();
    link_frames();
    common_mass_factor();
    const StateDifference states = compare_states(a, b, match, gauge, options);
    out.states = states.states;
    out.pose = states.pose;
    out.torque = states.torque;
    // sums of rounding along the arm: what counts is by how much more
    const double rounding = 1e-12;
    out.same = out.differences.empty() && out.pose.position <= std::max(options.tolerance, rounding) * length &&
               out.pose.angle <= std::max(options.tolerance, rounding) &&
               out.torque.relative <= std::max(options.tolerance, rounding);
    return std::move(out);
  }

 private:
  const Robot &a, &b;
  const Model<double>&A, &B;
  const DifferenceOptions& options;
  RobotMatch match;
  double length = 1e-3;                  // of the first robot
  std::vector<Transform<double>> gauge;  // of each body of the first: the second's frame in its own, all joints at zero
  Transform<double> base_gauge;          // the same of the base
  RobotDifference out;

  void add(const char* topic, const std::string& where, const char* quantity, const char* unit,
           std::optional<double> first, std::optional<double> second, std::optional<double> difference,
           std::string sentence) {
    out.differences.push_back({topic, where, quantity, unit, first, second, difference, std::move(sentence)});
  }

  /// A number of a thing: a difference if it is one.
  void number(const char* topic, const std::string& where, const char* quantity, const char* unit, double first,
              double second, double size = 0) {
    if (first == second || (std::isnan(first) && std::isnan(second))) return;
    const double off = abs(first - second);
    if (off <= options.tolerance *
                   std::max({size, std::isfinite(first) ? abs(first) : 0, std::isfinite(second) ? abs(second) : 0}))
      return;
    const auto text = [&](double x) {
      return std::isinf(x) ? std::string("none") : fmt::format("{:.9g}{}{}", x, *unit ? " " : "", unit);
    };
    const bool share = std::isfinite(off) && first != 0;
    // a limit that is not there is no number
    const auto known = [](double x) { return std::isfinite(x) ? std::optional(x) : std::nullopt; };
    add(topic, where, quantity, unit, known(first), known(second), known(second - first),
        fmt::format("\"{}\": {} {} in the first, {} in the second{}", where, quantity, text(first), text(second),
                    share ? fmt::format(" ({:+.3g} %)", (second - first) / abs(first) * 100) : ""));
  }

  void misfit(const char* topic, const std::string& where, const char* quantity, const char* unit, double difference,
              double size) {
    if (difference <= options.tolerance * size) return;
    add(topic, where, quantity, unit, {}, {}, difference,
        fmt::format("\"{}\": {} by {:.6g} {}", where, quantity, difference, unit));
  }

  const Body<double>& body_a(std::size_t i) const { return A[match.first.bodies[i].body]; }
  std::size_t in_second(std::size_t i) const { return static_cast<std::size_t>(match.to_second[i]); }
  const Body<double>& body_b(std::size_t i) const { return B[match.second.bodies[in_second(i)].body]; }
  const std::string& joint_a(std::size_t i) const {
    return A.joint_names[static_cast<std::size_t>(match.first.bodies[i].body)];
  }
  const std::string& link_a(std::size_t i) const {
    return A.link_names[static_cast<std::size_t>(match.first.bodies[i].body)];
  }

  void surroundings() {
    const Vec3<double> g = A.gravity - B.gravity;
    if (norm(g) > options.tolerance * std::max(norm(A.gravity), norm(B.gravity)))
      add("surroundings", A.name, "gravity", "m/s^2", norm(A.gravity), norm(B.gravity), norm(g),
          fmt::format("gravity is {:.9g} {:.9g} {:.9g} m/s^2 in the first, {:.9g} {:.9g} {:.9g} in the second",
                      A.gravity.x, A.gravity.y, A.gravity.z, B.gravity.x, B.gravity.y, B.gravity.z));
    // does the base stand elsewhere, or has it another frame?
    const Transform<double> chosen = ~A.base * B.base, written;
    const double as_chosen = misfit_of(-1, chosen), as_written = misfit_of(-1, written);
    const bool displaced = as_written < as_chosen / 2 && as_chosen > options.tolerance * length;
    base_gauge = displaced ? written : chosen;
    if (!displaced) return;
    misfit("surroundings", a.description().base_name, "base displaced", "m", norm(chosen.p), length);
    misfit("surroundings", a.description().base_name, "base turned", "rad", angle_between(A.base.R, B.base.R), 1);
  }

  /// Where the second's frame of a body is in that of the first, if what carries it is the same.
  Transform<double> found(std::size_t i) const {
    const MovingBody &x = match.first.bodies[i], &y = match.second.bodies[in_second(i)];
    const Transform<double>& G = x.parent < 0 ? base_gauge : gauge[static_cast<std::size_t>(x.parent)];
    return ~x.X_parent * (G * y.X_parent);
  }

  /// What of that is a choice of frames: a turn about the axis, a shift along it.
  static Transform<double> choice_of_frame(JointKind kind, const Transform<double>& D) {
    if (kind == JointKind::free) return D;
    if (kind == JointKind::spherical) return Transform<double>::rotation(D.R);
    const double turn = std::atan2(D.R.x.y - D.R.y.x, D.R.x.x + D.R.y.y);
    Transform<double> G = Transform<double>::rotation(rotation_z(turn));
    G.p = kind == JointKind::prismatic || kind == JointKind::planar ? D.p : Vec3<double>{0, 0, D.p.z};
    return G;
  }

  /// How far what a body (-1: the base) carries is off, were its frame G: its mass centre, its tools, the axes of its joints.
  double misfit_of(int i, const Transform<double>& G) const {
    double cost = 0;
    if (i >= 0) {
      const Inertia<double>&x = match.first.bodies[static_cast<std::size_t>(i)].inertia,
            &y = match.second.bodies[in_second(static_cast<std::size_t>(i))].inertia;
      if (x.m > 0 && y.m > 0) cost += norm(mass_centre(x) - G * mass_centre(y));
    }
    const int other_body = i < 0 ? -1 : match.to_second[static_cast<std::size_t>(i)];
    for (std::size_t c = static_cast<std::size_t>(i + 1); c < match.first.bodies.size(); ++c) {
      if (match.first.bodies[c].parent != i || match.to_second[c] < 0) continue;
      const Transform<double> D = ~match.first.bodies[c].X_parent * (G * match.second.bodies[in_second(c)].X_parent);
      if (has_axis(body_a(c).kind)) cost += length * norm(cross(Vec3<double>{0, 0, 1}, D.R.z));
      if (body_a(c).kind != JointKind::prismatic) cost += has_axis(body_a(c).kind) ? axis_distance(D) : norm(D.p);
    }
    for (const Frame<double>& frame : A.frames) {
      if (match.first.owner[static_cast<std::size_t>(frame.body)] != i) continue;
      const auto other = b.find_frame(&frame.name);
      if (!other || match.second.owner[static_cast<std::size_t>(other->body)] != other_body) continue;
      const Transform<double> X = match.first.X_owner[static_cast<std::size_t>(frame.body)] * frame.X_body_frame,
                              Y = G *
                                  (match.second.X_owner[static_cast<std::size_t>(other->body)] * other->X_body_frame);
      cost += norm(X.p - Y.p) + length * angle_between(X.R, Y.R);
    }
    return cost;
  }

  void compare_body(std::size_t i) {
    const MovingBody &x = match.first.bodies[i], &y = match.second.bodies[in_second(i)];
    const Body<double>&p = body_a(i), &q = body_b(i);
    const std::string& joint = joint_a(i);
    const int carrier = x.parent < 0 ? -1 : match.to_second[static_cast<std::size_t>(x.parent)];
    if (carrier != y.parent || (x.parent >= 0 && carrier < 0))
      add("structure", joint, "carrier", "", {}, {}, 1,
          fmt::format("joint \"{}\" hangs from another body in the second robot", joint));
    if (p.kind != q.kind)
      add("structure", joint, "kind", "", {}, {}, 1,
          fmt::format("joint \"{}\" is {} in the first, {} in the second", joint, row(p.kind).name, row(q.kind).name));
    number("geometry", joint, "pitch", "m/rad", p.pitch, q.pitch);

    Transform<double> D = found(i), flip;
    if (has_axis(p.kind) && p.kind == q.kind && D.R.z.z < 0 && p.kind != JointKind::planar) {
      add("geometry", joint, "sense", "", {}, {}, 2,
          fmt::format("joint \"{}\" moves the other way in the second robot", joint));
      flip = half_turn_about_x();
      D = D * flip;
    }
    if (has_axis(p.kind))
      misfit("geometry", joint, "axis turned", "rad", std::atan2(norm(cross(Vec3<double>{0, 0, 1}, D.R.z)), D.R.z.z),
             1);
    if (p.kind == JointKind::revolute || p.kind == JointKind::helical)
      misfit("geometry", joint, "axis displaced", "m", axis_distance(D), length);
    if (p.kind == JointKind::spherical) misfit("geometry", joint, "centre displaced", "m", norm(D.p), length);

    // is the frame another one, or does the joint have another zero?
    const Transform<double> chosen = choice_of_frame(p.kind, D), G = inverse(flip);
    const Transform<double> moved = chosen * G;
    const double as_chosen = misfit_of(static_cast<int>(i), moved), as_written = misfit_of(static_cast<int>(i), G);
    const bool written = as_written < as_chosen / 2 && as_chosen > options.tolerance * length;
    gauge[i] = written ? G : moved;
    if (written) {
      if (p.kind == JointKind::revolute || p.kind == JointKind::helical || p.kind == JointKind::planar) {
        misfit("geometry", joint, "zero turned", "rad", angle_between(chosen.R, Mat3<double>::identity()), 1);
        misfit("geometry", joint, "link displaced along the axis", "m", abs(chosen.p.z), length);
      } else {
        misfit("geometry", joint, "zero displaced", "m", norm(chosen.p), length);
        misfit("geometry", joint, "zero turned", "rad", angle_between(chosen.R, Mat3<double>::identity()), 1);
      }
    }
    compare_inertia(i, x.inertia, gauge[i] * y.inertia);
  }

  void compare_inertia(std::size_t i, const Inertia<double>& x, const Inertia<double>& y) {
    const std::string& link = link_a(i);
    number("mass", link, "mass", "kg", x.m, y.m);
    if (x.m > 0 && y.m > 0)
      misfit("mass", link, "mass centre displaced", "m", norm(mass_centre(x) - mass_centre(y)), length);
    const Sym3<double> I = tensor_about_centre(x), J = tensor_about_centre(y);
    const Sym3<double> off{I.xx - J.xx, I.yy - J.yy, I.zz - J.zz, I.xy - J.xy, I.xz - J.xz, I.yz - J.yz};
    const double size = std::max(largest_entry(I), largest_entry(J));
    // what the shift to the mass centre may leave of rounding
    const double hidden = 1e-14 * std::max(largest_entry(x.I), largest_entry(y.I));
    if (largest_entry(off) <= options.tolerance * size + hidden) return;
    add("mass", link, "inertia about the mass centre", "kg m²", {}, {}, largest_entry(off),
        fmt::format("\"{}\": inertia about the mass centre {:.6g} {:.6g} {:.6g} (xy {:.3g} xz {:.3g} yz {:.3g}) kg m² "
                    "in the first, "
                    "{:.6g} {:.6g} {:.6g} ({:.3g} {:.3g} {:.3g}) in the second",
                    link, I.xx, I.yy, I.zz, I.xy, I.xz, I.yz, J.xx, J.yy, J.zz, J.xy, J.xz, J.yz));
  }

  const Friction<double>* friction(const Model<double>& m, int body) const {
    const auto law = std::ranges::find(m.friction, body, &JointFriction<double>::body);
    return law == m.friction.end() ? nullptr : &law->law;
  }

  void compare_coordinates(std::size_t i) {
    const Body<double>&p = body_a(i), &q = body_b(i);
    const std::string& joint = joint_a(i);
    if (p.nv != q.nv || p.nv == 0) return;
    // a follower has the limits of its leader
    const auto follows = [](const Model<double>& m, const Body<double>& body, const std::string& name) {
      return body.nv == 1 && m.velocity_names[static_cast<std::size_t>(body.v)] != name;
    };
    const std::string& joint_b = B.joint_names[static_cast<std::size_t>(match.second.bodies[in_second(i)].body)];
    const bool here = follows(A, p, joint), there = follows(B, q, joint_b);
    if (here != there)
      add("structure", joint, "mimic", "", {}, {}, 1,
          fmt::format("joint \"{}\" {} in the first, {} in the second", joint,
                      here ? "follows another" : "moves by itself", there ? "follows another" : "moves by itself"));
    number("structure", joint, "mimic ratio", "", p.ratio, q.ratio);
    number("structure", joint, "mimic offset", "", p.offset, q.offset, 1);
    if (p.nv == 1 && !here && !there) compare_limits(joint, p, q);
    const Friction<double>*f = friction(A, match.first.bodies[i].body),
          *h = friction(B, match.second.bodies[in_second(i)].body);
    if (f || h)
      compare_friction(joint, p.kind != JointKind::prismatic, f ? *f : Friction<double>{}, h ? *h : Friction<double>{});
    if ((p.nv == 1 && !here && !there) || p.kind == JointKind::spherical)
      number("drive", joint, "rotor inertia at the joint", p.kind == JointKind::prismatic ? "kg" : "kg m²",
             rotor(A, p.v), rotor(B, q.v));
    if (p.nv == 1 && !here && !there) compare_gears(joint, p.kind == JointKind::prismatic, p.v, q.v);
  }

  /// The transmission that drives a coordinate, and its place in it; null where it is driven directly.
  static std::pair<const Transmission*, std::size_t> drive_of(const Model<double>& m, int v) {
    for (const Transmission& t : m.transmissions)
      for (std::size_t i = 0; i < t.dofs.size(); ++i)
        if (t.dofs[i] == v) return {&t, i};
    return {nullptr, 0};
  }

  /// What no torque of a joint shows: how fast its motor turns, and which way.
  void compare_gears(const std::string& joint, bool slides, int v, int w) {
    const auto [t, i] = drive_of(A, v);
    const auto [u, j] = drive_of(B, w);
    const std::size_t m = t ? t->dofs.size() : 1, n = u ? u->dofs.size() : 1;
    if (m == 1 && n == 1)
      return number("drive", joint, "gear", slides ? "rad/m" : "", t ? 1 / t->matrix[0] : 1, u ? 1 / u->matrix[0] : 1);
    if (m != n)
      return add("drive", joint, "motors", "", static_cast<double>(m), static_cast<double>(n),
                 static_cast<double>(n) - static_cast<double>(m),
                 fmt::format("joint \"{}\" is driven by {} motor{} in the first, by {} in the second", joint, m,
                             m == 1 ? "" : "s", n));
    const bool by_name = std::ranges::is_permutation(t->motors, u->motors);
    for (std::size_t k = 0; k < n; ++k) {
      const std::string& motor = t->motors[k];
      const auto other =
          by_name ? static_cast<std::size_t>(std::ranges::find(u->motors, motor) - u->motors.begin()) : k;
      number("drive", joint, fmt::format("speed per speed of motor \"{}\"", motor).c_str(), slides ? "m/rad" : "",
             t->matrix[i * n + k], u->matrix[j * n + other]);
    }
  }

  void compare_limits(const std::string& joint, const Body<double>& p, const Body<double>& q) {
    const bool turns = p.kind != JointKind::prismatic;
    const Limits &x = A.limits[static_cast<std::size_t>(p.v)], &y = B.limits[static_cast<std::size_t>(q.v)];
    number("limit", joint, "lower limit", turns ? "rad" : "m", x.lower, y.lower, 1);
    number("limit", joint, "upper limit", turns ? "rad" : "m", x.upper, y.upper, 1);
    number("limit", joint, "velocity limit", turns ? "rad/s" : "m/s", x.velocity, y.velocity);
    number("limit", joint, "effort limit", turns ? "N m" : "N", x.effort, y.effort);
    number("limit", joint, "acceleration limit", turns ? "rad/s²" : "m/s²", x.acceleration, y.acceleration);
    number("limit", joint, "deceleration limit", turns ? "rad/s²" : "m/s²", x.deceleration, y.deceleration);
    number("limit", joint, "jerk limit", turns ? "rad/s³" : "m/s³", x.jerk, y.jerk);
  }

  void compare_friction(const std::string& joint, bool turns, const Friction<double>& f, const Friction<double>& h) {
    const char *const force = turns ? "N m" : "N", *const speed = turns ? "rad/s" : "m/s";
    number("friction", joint, "viscous friction", turns ? "N m s/rad" : "N s/m", f.viscous, h.viscous);
    number("friction", joint, "Coulomb friction, forward", force, f.coulomb_positive, h.coulomb_positive);
    number("friction", joint, "Coulomb friction, backward", force, f.coulomb_negative, h.coulomb_negative);
    number("friction", joint, "Stribeck velocity", speed, f.stribeck_velocity, h.stribeck_velocity);
    if (f.stribeck_velocity > 0 || h.stribeck_velocity > 0) {
      number("friction", joint, "breakaway friction, forward", force, f.breakaway_positive, h.breakaway_positive);
      number("friction", joint, "breakaway friction, backward", force, f.breakaway_negative, h.breakaway_negative);
    }
    const auto &s = f.table, &t = h.table;
    if (s.q != t.q || s.qd != t.qd || s.values != t.values)
      add("friction", joint, "friction table", "", {}, {}, 1,
          fmt::format("joint \"{}\": the tables of friction differ", joint));
  }

  /// Inertia of the rotors that a coordinate turns, those that are bodies, too.
  static double rotor(const Model<double>& m, int v) {
    double sum = m.rotor[static_cast<std::size_t>(v)];
    for (std::size_t k = 0; k < m.bodies.size(); ++k)
      if (const Body<double>& body = m.bodies[k]; body.v == v && body.nv == 1 && m.link_names[k].ends_with(".rotor"))
        sum += body.ratio * body.ratio * body.inertia.I.zz;
    return sum;
  }

  /// Motors that drive several joints: the inertia that they couple.
  void transmissions() {
    const auto name = [](const Model<double>& m, const RotorCoupling<double>& c) {
      return m.velocity_names[static_cast<std::size_t>(c.i)] + ", " + m.velocity_names[static_cast<std::size_t>(c.j)];
    };
    const auto value = [&](const Model<double>& m, const std::string& wanted) {
      double sum = 0;
      for (const RotorCoupling<double>& c : m.rotor_coupling)
        if (name(m, c) == wanted) sum += c.value;
      return sum;
    };
    std::vector<std::string> names;
    for (const Model<double>* m : {&A, &B})
      for (const RotorCoupling<double>& c : m->rotor_coupling)
        if (std::ranges::find(names, name(*m, c)) == names.end()) names.push_back(name(*m, c));
    for (const std::string& each : names)
      number("drive", each, "rotor inertia between them", "kg m²", value(A, each), value(B, each));
  }

  /// A frame on the body that carries it, in the frames of the first robot; none where that body is in one robot alone.
  std::optional<std::pair<int, Transform<double>>> place_in_first(const Frame<double>& frame, bool of_second) const {
    const MovingBodies& moving = of_second ? match.second : match.first;
    const auto body = static_cast<std::size_t>(frame.body);
    const int owner = moving.owner[body];
    const Transform<double> X = moving.X_owner[body] * frame.X_body_frame;
    if (!of_second) return std::pair{owner, X};
    if (owner < 0) return std::pair{owner, base_gauge * X};
    for (std::size_t i = 0; i < match.to_second.size(); ++i)
      if (match.to_second[i] == owner) return std::pair{static_cast<int>(i), gauge[i] * X};
    return std::nullopt;
  }

  void compare_frames(const char* topic, const std::string& name, const Frame<double>& x, const Frame<double>& y) {
    const auto here = place_in_first(x, false), there = place_in_first(y, true);
    if (!there || there->first != here->first)
      add(topic, name, "carrier", "", {}, {}, 1, fmt::format("\"{}\" is on another body in the second robot", name));
    else {
      misfit(topic, name, "frame displaced", "m", norm(here->second.p - there->second.p), length);
      misfit(topic, name, "frame turned", "rad", angle_between(here->second.R, there->second.R), 1);
    }
  }

  void tools() {
    for (const auto& [robot, other, where] : {std::tuple{&a, &b, "second"}, std::tuple{&b, &a, "first"}})
      for (const ToolDescription& tool : robot->description().tools)
        if (!other->find_frame(&tool.name))
          add("frame", tool.name, "tool", "", {}, {}, 1,
              fmt::format("tool \"{}\" is not in the {} robot", tool.name, where));
    for (const Frame<double>& frame : A.frames)
      if (const auto other = b.find_frame(&frame.name)) compare_frames("frame", frame.name, frame, *other);
    if (A.frames.empty() || B.frames.empty() || A.frames.back().name == B.frames.back().name) return;
    // another name for the default tool is no difference, another place is
    const std::size_t before = out.differences.size();
    compare_frames("frame", A.frames.back().name, A.frames.back(), B.frames.back());
    if (out.differences.size() > before)
      out.notes.push_back(fmt::format("the default tool is \"{}\" in the first, \"{}\" in the second",
                                      A.frames.back().name, B.frames.back().name));
  }

  /// Frames of links that both have.
  void link_frames() {
    std::vector<DifferenceRow> rows;
    std::swap(rows, out.differences);
    int elsewhere = 0;
    double furthest = 0;
    for (std::size_t i = 0; i < match.first.owner.size() && i < a.description().links.size(); ++i) {
      const std::string& name = A.link_names[i];
      if (std::ranges::find(A.frames, name, &Frame<double>::name) != A.frames.end()) continue;
      const int k = B.body_index(name);
      if (k < 0) continue;
      const std::size_t before = out.differences.size();
      compare_frames("frame", name, {name, static_cast<int>(i), A.bodies[i].link}, {name, k, B[k].link});
      for (std::size_t r = before; r < out.differences.size(); ++r)
        if (out.differences[r].unit == "m") furthest = std::max(furthest, out.differences[r].difference.value_or(0));
      elsewhere += out.differences.size() > before;
    }
    std::swap(rows, out.differences);
    if (options.link_frames) {
      out.differences.insert(out.differences.end(), rows.begin(), rows.end());
    } else if (elsewhere > 0) {
      out.notes.push_back(
          fmt::format("{} link{} another frame on the same body, up to {:.3g} m away: frames of links are no physical "
                      "difference",
                      elsewhere, elsewhere == 1 ? " has" : "s have", furthest));
    }
  }

  void common_mass_factor() {
    std::vector<double> factors;
    for (std::size_t i = 0; i < match.first.bodies.size(); ++i) {
      if (match.to_second[i] < 0) continue;
      const double x = match.first.bodies[i].inertia.m, y = match.second.bodies[in_second(i)].inertia.m;
      if (x > 0 && y > 0) factors.push_back(y / x);
    }
    constexpr std::size_t enough = 3;
    constexpr double alike = 1e-6;
    if (factors.size() < enough) return;
    const auto [least, most] = std::ranges::minmax(factors);
    if (most - least <= alike * most && abs(most - 1) > std::max(options.tolerance, alike))
      out.notes.push_back(
          fmt::format("every mass of the second is {:.9g} times that of the first", (least + most) / 2));
  }
};

}  // namespace

RobotDifference robot_difference(const Robot& first, const Robot& second, const DifferenceOptions& options) {
  return Comparer(first, second, options).run();
}

}  // namespace torsor

// What moves a mechanism, and what its joints have to do with each other: couplings, drivers, actuators, springs, forces.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/files/mechanism_toml_blocks.hpp"
#include "torsor/files/robot_toml_blocks.hpp"
#include "torsor/files/time_expression.hpp"
#include "torsor/scalar/infinity.hpp"
#include "torsor/text/number.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor::detail {
namespace {

using What = Measure::What;
using Term = MechanismCoupling::Term;

bool can_measure(const MechanismJointRow& row, What what) {
  return what == What::angle ? row.angle : what == What::slide ? row.slide : row.length;
}

std::string_view word_of(What what) { return what == What::angle ? "angle" : what == What::slide ? "slide" : "length"; }

Unit unit_of(What what) { return what == What::angle ? Unit(units::angle) : Unit(units::length); }

const Words<What> measure_words{{"angle", What::angle}, {"slide", What::slide}, {"length", What::length}};

double not_negative(TomlTable& table, std::string_view key) {
  const auto x = table.number(key);
  if (x && *x < 0)
    table.fault(key, "spring-sign", fmt::format("it is {}", print_number(*x)), "give zero or a positive number");
  return x.value_or(0);
}

/// The name, or the block's own number where it has none.
std::string optional_name(TomlTable& table, std::string_view one) {
  std::string name = read_name(table, "name", table.title());
  if (name != table.title()) table.rename(fmt::format("{} \"{}\"", one, name));
  return name;
}

}  // namespace

std::optional<int> MechanismReader::find_joint(TomlTable& table, std::string_view key, const std::string& name) {
  const auto joint = std::ranges::find(m_.joints, name, &MechanismJoint::name);
  if (joint != m_.joints.end()) return static_cast<int>(joint - m_.joints.begin());
  std::vector<std::string> known;
  for (const MechanismJoint& j : m_.joints) known.push_back(j.name);
  const std::string hint = did_you_mean(name, known);
  table.fault(key, "name-unknown", fmt::format("there is no joint \"{}\"", excerpt(name)),
              hint.empty() ? fmt::format("there are {}", names_of(m_.joints)) : hint);
  return std::nullopt;
}

std::optional<int> MechanismReader::find_body(TomlTable& table, std::string_view key, const std::string& name) {
  const auto body = std::ranges::find(m_.bodies, name, &MechanismBody::name);
  if (body != m_.bodies.end()) return static_cast<int>(body - m_.bodies.begin());
  std::vector<std::string> known;
  for (const MechanismBody& b : m_.bodies) known.push_back(b.name);
  const std::string hint = did_you_mean(name, known);
  table.fault(key, "name-unknown", fmt::format("there is no body \"{}\"", excerpt(name)),
              hint.empty() ? fmt::format("there are {}", names_of(m_.bodies)) : hint);
  return std::nullopt;
}

/// The measure under `key` ("measure"), or the first that makes sense at this joint: angle, slide, length.
Measure MechanismReader::measure_at(TomlTable& table, std::string_view key, int joint) {
  const auto index = static_cast<std::size_t>(joint);
  const MechanismJointRow& kind = row(m_.joints[index].kind);
  const auto asked = table.word<What>(key, measure_words);
  Measure measure{joint, kind.angle ? What::angle : kind.slide ? What::slide : What::length};
  if (asked) measure.what = *asked;
  if (kind_known_[index] && !can_measure(kind, measure.what))
    table.fault(table.has(key) ? key : "joint", "joint-measure",
                asked ? fmt::format("a {} joint has no {}", kind.name, word_of(measure.what))
                      : fmt::format("a {} joint has nothing to measure", kind.name),
                "take another joint, or a free one between two points");
  return measure;
}

std::vector<Term> MechanismReader::read_terms(TomlTable& table) {
  std::vector<Term> terms;
  table.tables("terms", [&](TomlTable& t) {
    const auto name = t.text("joint");
    if (!t.has("joint")) t.missing("joint", "name a joint");
    const auto joint = name ? find_joint(t, "joint", *name) : std::nullopt;
    Term term;
    if (joint)
      term.measure = measure_at(t, "measure", *joint);
    else
      t.word<What>("measure", measure_words);
    term.factor = t.number("factor").value_or(1);
    term.profile =
        read_function(t, "profile", units::angle_or_length, sources_, {"x", joint && term.measure.what == What::angle});
    if (joint) terms.push_back(std::move(term));
  });
  return terms;
}

void MechanismReader::read_coupling(TomlTable& table) {
  enum class CouplingKind { gear, belt, rack, cam, coupler };
  MechanismCoupling coupling;
  coupling.where = table.where();
  coupling.name = optional_name(table, "coupling");
  const auto kind = table.word<CouplingKind>("kind",
                                             {{"gear", CouplingKind::gear},
                                              {"belt", CouplingKind::belt},
                                              {"rack-and-pinion", CouplingKind::rack},
                                              {"cam", CouplingKind::cam},
                                              {"coupler", CouplingKind::coupler}},
                                             "coupling-kind");
  if (!table.has("kind")) table.missing("kind", "write gear, belt, rack-and-pinion, cam or coupler");
  coupling.kind = table.is_text("kind") ? *table.text("kind") : "coupler";
  coupling.offset = table.number("offset", units::angle_or_length);
  if (kind == CouplingKind::coupler) {
    const std::size_t before = table.fault_count();
    coupling.terms = read_terms(table);
    if (coupling.terms.empty() && table.fault_count() == before)
      table.missing("terms", "write [[coupling.terms]] for each joint of the sum");
    m_.couplings.push_back(std::move(coupling));
    return;
  }

  // some coupling was meant: no second fault on every key of it
  if (!kind)
    for (const std::string_view key :
         {"terms", "joints", "ratio", "teeth", "mesh", "run", "radii", "radius", "profile"})
      table.has(key, units::angle_or_length);
  if (!kind) return m_.couplings.push_back(std::move(coupling));

  // the others: joints = [one, other], measure of the other = ratio or profile of that of the one
  const auto names = table.texts("joints");
  if (!table.has("joints")) table.missing("joints", "name two: joints = [\"one\", \"other\"]");
  std::optional<int> one, other;
  if (names && names->size() == 2) {
    one = find_joint(table, "joints", (*names)[0]);
    other = find_joint(table, "joints", (*names)[1]);
  } else if (names) {
    table.fault("joints", "array-length", fmt::format("it has {} names", names->size()), "name two joints");
  }
  const auto pair = [&](std::string_view key, Unit unit) -> std::optional<std::pair<double, double>> {
    const auto two = table.numbers(key, unit);
    if (!two) return std::nullopt;
    if (two->size() == 2 && (*two)[0] > 0 && (*two)[1] > 0) return std::pair{(*two)[0], (*two)[1]};
    table.fault(key, "coupling-size", "it is not two numbers above zero", "give one for each joint", unit);
    return std::nullopt;
  };
  double ratio = 1;
  TimeFunction profile;
  using Ways = std::vector<std::pair<std::string_view, Unit>>;
  const auto ratio_or = [&](const Ways& ways, std::string_view others) {
    if (table.at_most_one(ways) == 0)
      table.missing("ratio", fmt::format("give turns of the second per turn of the first, or {}", others));
    if (const auto r = table.number("ratio")) ratio = *r;
    if (table.has("ratio") && ratio == 0)
      table.fault("ratio", "coupling-size", "it is zero", "give turns of the second per turn of the first");
  };
  if (kind == CouplingKind::gear) {
    ratio_or({{"ratio", units::plain}, {"teeth", units::plain}}, "teeth");
    // wheels that mesh turn against each other; one inside the other with it
    const auto inside = table.word<bool>("mesh", {{"outside", false}, {"inside", true}});
    if (const auto teeth = pair("teeth", units::plain))
      ratio = (inside == true ? 1 : -1) * teeth->first / teeth->second;
  } else if (kind == CouplingKind::belt) {
    // a chain has sprockets with teeth
    ratio_or({{"ratio", units::plain}, {"radii", units::length}, {"teeth", units::plain}}, "radii or teeth");
    const auto crossed = table.word<bool>("run", {{"open", false}, {"crossed", true}});
    const double sign = crossed == true ? -1 : 1;
    if (const auto radii = pair("radii", units::length)) ratio = sign * radii->first / radii->second;
    if (const auto teeth = pair("teeth", units::plain)) ratio = sign * teeth->first / teeth->second;
  } else if (kind == CouplingKind::rack) {
    const auto radius = table.number("radius", units::length);
    if (!table.has("radius", units::length)) table.missing("radius", "give that of the pinion, the first joint");
    if (radius && *radius == 0)
      table.fault("radius", "coupling-size", "it is zero", "give the displacement per radian; negative: the other way",
                  units::length);
    ratio = radius.value_or(1);
  }

  // measures: two angles; a pinion's angle and a rack's slide; a cam's angle and whatever its follower does
  if (one && other) {
    const auto expect = [&](int joint, What what) {
      const MechanismJoint& at = m_.joints[static_cast<std::size_t>(joint)];
      if (kind && kind_known_[static_cast<std::size_t>(joint)] && !can_measure(row(at.kind), what))
        table.fault("joints", "joint-measure",
                    fmt::format("joint \"{}\" is {} and has no {}", at.name, row(at.kind).name, word_of(what)),
                    "name a joint that has one, or write the coupling as a coupler");
      return Measure{joint, what};
    };
    const MechanismJointRow& follower = row(m_.joints[static_cast<std::size_t>(*other)].kind);
    const What last = kind == CouplingKind::rack  ? What::slide
                      : kind == CouplingKind::cam ? (follower.slide ? What::slide : What::angle)
                                                  : What::angle;
    const Measure from = expect(*one, What::angle), to = expect(*other, last);
    if (kind == CouplingKind::cam) {
      profile = read_function(table, "profile", unit_of(last), sources_, {"x", true});
      if (!has_function(table, "profile", unit_of(last)))
        table.missing("profile", "give what the follower does over the angle x of the cam");
      if (!coupling.offset) coupling.offset = 0;
    }
    coupling.terms = {{to, 1, {}}, {from, profile ? -1 : -ratio, profile}};
  } else if (kind == CouplingKind::cam) {
    read_function(table, "profile", units::angle_or_length, sources_, {"x", true});
  }
  m_.couplings.push_back(std::move(coupling));
}

void MechanismReader::read_driver(TomlTable& table) {
  MechanismDriver driver;
  driver.where = table.where();
  driver.name = optional_name(table, "driver");
  const int ways = table.at_most_one({{"joint", units::plain}, {"terms", units::plain}, {"body", units::plain}});
  if (ways == 0) table.missing("joint", "name what it drives: joint, terms, or body with a [[carrier]]");
  const auto needed_function = [&](Unit unit) {
    driver.function = read_function(table, "function", unit, sources_);
    // one in the wrong unit is told of as that
    bool there = table.has("function");
    for (const UnitSuffix& suffix : units::angle_or_length)
      there |= table.holds(fmt::format("function{}", suffix.text));
    if (!there) table.missing("function", "give a function of time");
  };
  if (table.has("body")) {
    // the body's frame, or a point of it, goes where the carrier goes
    const auto body = table.text("body"), carrier = table.text("carrier");
    const auto what = table.word<MechanismJointKind>("drive", {{"pose", MechanismJointKind::fixed},
                                                               {"point", MechanismJointKind::spherical},
                                                               {"orientation", MechanismJointKind::orientation}});
    if (!table.has("carrier")) table.missing("carrier", "name the [[carrier]] it follows");
    MechanismJoint joint;
    joint.where = driver.where;
    joint.name = driver.name;
    joint.kind = what.value_or(MechanismJointKind::fixed);
    joint.j.X = read_pose(table);
    const auto found = body ? find_body(table, "body", *body) : std::nullopt;
    const auto path = std::ranges::find(m_.carriers, carrier.value_or(""), &MechanismCarrier::name);
    if (carrier && path == m_.carriers.end())
      table.fault("carrier", "driver-carrier",
                  fmt::format("there is no such prescribed frame \"{}\"", excerpt(*carrier)),
                  m_.carriers.empty() ? "describe one in a block [[carrier]]"
                                      : fmt::format("there are {}", names_of(m_.carriers)));
    if (found && carrier && path != m_.carriers.end()) {
      joint.j.body = *found;
      joint.i.carrier = static_cast<int>(path - m_.carriers.begin());
      driver.joint = static_cast<int>(m_.joints.size());
      m_.joints.push_back(std::move(joint));
      kind_known_.push_back(true);
    }
  } else if (table.has("terms")) {
    driver.terms = read_terms(table);
    needed_function(units::angle_or_length);
  } else {
    const auto name = table.text("joint");
    const auto joint = name ? find_joint(table, "joint", *name) : std::nullopt;
    Unit unit = units::angle_or_length;
    if (joint) {
      driver.terms = {{measure_at(table, "measure", *joint), 1, {}}};
      unit = unit_of(driver.terms[0].measure.what);
    } else {
      table.word<What>("measure", measure_words);
    }
    if (ways > 0)
      needed_function(unit);
    else
      read_function(table, "function", unit, sources_);
  }
  m_.drivers.push_back(std::move(driver));
}

/// Where a spring, a stop or an actuator sits: a joint with a measure, or two points of two bodies.
Unit MechanismReader::read_place(TomlTable& table, Measure& measure) {
  const int ways = table.at_most_one({{"joint", units::plain}, {"bodies", units::plain}});
  if (ways == 0) table.missing("joint", "name the joint it sits at, or bodies with point_i and point_j");
  Unit unit = units::angle_or_length;
  if (table.has("bodies")) {
    MechanismJoint points;
    points.where = table.where();
    points.name = table.title().find('"') == std::string::npos ? table.title() : read_name(table, "name", "");
    points.kind = MechanismJointKind::free;
    if (read_sides(table, points)) {
      read_frames(table, points, true);
      points.length = points.offset = 0;
      measure = {static_cast<int>(m_.joints.size()), What::length};
      m_.joints.push_back(std::move(points));
      kind_known_.push_back(true);
    } else {
      read_frames(table, points, true);
    }
    unit = units::length;
  } else if (const auto name = table.text("joint")) {
    if (const auto joint = find_joint(table, "joint", *name)) {
      measure = measure_at(table, "measure", *joint);
      unit = unit_of(measure.what);
    } else {
      table.word<What>("measure", measure_words);
    }
  }
  return unit;
}

/// The same, and its k, c and rest.
void MechanismReader::read_pull(TomlTable& table, Measure& measure, double& k, double& c, double& rest) {
  const Unit unit = read_place(table, measure);
  k = not_negative(table, "stiffness");
  c = not_negative(table, "damping");
  rest = table.number("rest", unit).value_or(0);
  if (k > 0 && !table.has("rest", unit)) table.missing("rest", "say where the spring pulls nothing");
}

void MechanismReader::read_actuator(TomlTable& table) {
  MechanismActuator actuator;
  actuator.where = table.where();
  actuator.name = optional_name(table, "actuator");
  read_pull(table, actuator.measure, actuator.k, actuator.c, actuator.rest);
  const auto positive = [&](std::string_view key, auto& target) {
    const auto x = table.number(key);
    if (x && !(*x > 0))
      table.fault(key, "actuator-size", fmt::format("it is {}", print_number(*x)), "give a number above zero");
    else if (x)
      target = *x;
  };
  positive("weight", actuator.weight);
  positive("effort_limit", actuator.effort_limit);
  actuator.effort = read_function(table, "effort", units::plain, sources_);
  m_.actuators.push_back(std::move(actuator));
}

void MechanismReader::read_spring(TomlTable& table) {
  MechanismSpring spring;
  spring.where = table.where();
  spring.name = optional_name(table, "spring");
  read_pull(table, spring.measure, spring.k, spring.c, spring.rest);
  spring.effort = read_function(table, "effort", units::plain, sources_);
  if (!table.has("stiffness") && !table.has("damping") && !table.has("effort"))
    table.missing("stiffness", "give stiffness, damping or \"effort\"");
  if (const int k = spring.measure.joint;
      k >= 0 && spring.measure.what == What::length && spring.k != 0 && spring.rest != 0) {
    const MechanismJoint& ends = m_.joints[static_cast<std::size_t>(k)];
    const Vec3<double> i = start_pose(ends.i) * ends.i.X.p, j = start_pose(ends.j) * ends.j.X.p;
    if (norm(j - i) <= 1e-9 * std::fabs(spring.rest))
      m_.notes.push_back({spring.where, fmt::format("spring \"{}\"", spring.name), "spring-direction",
                          fmt::format("its ends are in one place at the start, where it has no direction to push in: "
                                      "with a rest length of {:.4g} m it pushes nothing until they part",
                                      spring.rest),
                          "let the ends stand apart, or give it no rest length"});
  }
  m_.springs.push_back(std::move(spring));
}

/// A measure pushed back beyond what it may be.
void MechanismReader::read_stop(TomlTable& table) {
  MechanismSpring stop;
  stop.where = table.where();
  stop.name = optional_name(table, "stop");
  const Unit unit = read_place(table, stop.measure);
  stop.k = not_negative(table, "stiffness");
  stop.c = not_negative(table, "damping");
  if (!table.has("stiffness"))
    table.missing("stiffness", "say how hard it pushes back: N/m, N m/rad");
  else if (!(stop.k > 0) && table.number("stiffness").value_or(-1) == 0)
    table.fault("stiffness", "stop-stiffness", "it is zero", "give a number above zero");
  const auto lower = table.number("lower", unit), upper = table.number("upper", unit);
  stop.play = {lower.value_or(-infinity), upper.value_or(infinity)};
  if (!table.has("lower", unit) && !table.has("upper", unit))
    table.missing("lower", "give lower, upper or both: where it begins to push back");
  if (lower && upper && *lower > *upper)
    table.fault("lower", "stop-order", "it lies above upper", "exchange the two", unit);
  m_.springs.push_back(std::move(stop));
}

/// Dry friction at a joint: levels, or coefficients of what the joint bears.
void MechanismReader::read_friction(TomlTable& table) {
  MechanismFriction friction;
  friction.where = table.where();
  friction.name = optional_name(table, "friction");
  const auto at_least = [&](std::string_view key, double least, std::string_view what) {
    const auto x = table.number(key);
    if (x && *x < least)
      table.fault(key, "friction-size", fmt::format("it is {}", print_number(*x)), std::string(what));
    return x.value_or(least);
  };
  if (const auto name = table.text("joint")) {
    if (const auto joint = find_joint(table, "joint", *name))
      friction.measure = measure_at(table, "measure", *joint);
    else
      table.word<What>("measure", measure_words);
  } else {
    table.missing("joint", "name the joint that rubs");
  }
  const bool angle = friction.measure.what == What::angle;
  friction.coulomb = at_least("coulomb", 0, "give zero or a positive number");
  friction.breakaway = at_least("breakaway", friction.coulomb, "give no less than coulomb");
  friction.coefficient = at_least("coefficient", 0, "give zero or a positive number");
  friction.static_coefficient = at_least("static_coefficient", friction.coefficient, "give no less than coefficient");
  friction.stribeck = table.number("stribeck_velocity", unit_of(friction.measure.what)).value_or(0);
  if (friction.stribeck < 0)
    table.fault("stribeck_velocity", "friction-size", "it is below zero", "give a speed above zero",
                unit_of(friction.measure.what));
  const auto radius = table.number("radius", units::length);
  if (angle && friction.by_load() && !radius)
    table.missing("radius", "give that of the bearing: the coefficient makes a force, the radius a torque");
  if (radius && !(*radius > 0))
    table.fault("radius", "friction-size", "it is not above zero", "give that of the bearing", units::length);
  if (radius && !angle)
    table.fault("radius", "friction-size", "friction along an axis has none", "leave it out", units::length);
  friction.radius = radius.value_or(1);
  if (!table.has("coulomb") && !table.has("breakaway") && !table.has("coefficient") && !table.has("static_coefficient"))
    table.missing("coulomb", "give coulomb (N m or N), coefficient, or both");
  m_.frictions.push_back(std::move(friction));
}

/// A force along a measure that is a formula of the state.
void MechanismReader::read_law(TomlTable& table) {
  MechanismLaw law;
  law.where = table.where();
  law.name = optional_name(table, "law");
  read_place(table, law.measure);
  const auto text = table.text("effort");
  if (!table.has("effort"))
    table.missing("effort", "give a formula of x, xd, angle.JOINT, rate.angle.JOINT, x.POINT and so on");
  if (text) {
    const auto f = read_state_expression(*text, [&](std::string_view name) { return signal(law, name); });
    if (f)
      law.f = f->value, law.bends = f->bends, law.bend_count = f->bend_count;
    else
      table.fault("effort", f.faults().front().rule, f.faults().front().what, f.faults().front().remedy);
  }
  if (!law.f) law.f = [](std::span<const double>) { return 0.0; };
  m_.laws.push_back(std::move(law));
}

/// The number of a signal by its name, which is added to what the law looks at.
Result<int> MechanismReader::signal(MechanismLaw& law, std::string_view name) {
  using Kind = StateSignal::Kind;
  StateSignal found;
  const auto taken = [&] {
    law.signals.push_back(found);
    return static_cast<int>(law.signals.size()) - 1;
  };
  const auto wrong = [&](std::string what, std::string remedy) {
    return Fault{{}, "", "expression", std::move(what), std::move(remedy)};
  };
  if (name == "t")
    return wrong("a law is of the state, not of time",
                 "give what depends on time to a [[spring]] or [[actuator]] beside it, as its `effort`");
  found.measure = law.measure;
  if (name == "x" || name == "xd") return found.kind = name == "x" ? Kind::measure : Kind::rate, taken();
  std::string_view rest = name;
  const auto take = [&rest](std::string_view word) {
    if (!rest.starts_with(word)) return false;
    rest.remove_prefix(word.size());
    return true;
  };
  constexpr std::string_view axes[] = {"x.", "y.", "z.", "vx.", "vy.", "vz."};
  for (int k = 0; k < 6; ++k)
    if (name.starts_with(axes[k])) {
      const std::string of(name.substr(axes[k].size()));
      const auto point = std::ranges::find(m_.points, of, &MechanismPoint::name);
      if (point == m_.points.end())
        return wrong(fmt::format("there is no [[point]] \"{}\"", excerpt(of)),
                     m_.points.empty() ? "describe one" : fmt::format("there are {}", names_of(m_.points)));
      found = {k < 3 ? Kind::place : Kind::velocity, {}, static_cast<int>(point - m_.points.begin()), k % 3};
      return taken();
    }
  found.kind = take("rate.") ? Kind::rate : Kind::measure;
  for (const What what : {What::angle, What::slide, What::length})
    if (take(fmt::format("{}.", word_of(what)))) {
      const auto joint = std::ranges::find(m_.joints, rest, &MechanismJoint::name);
      if (joint == m_.joints.end())
        return wrong(fmt::format("there is no joint \"{}\"", excerpt(rest)),
                     fmt::format("there are {}", names_of(m_.joints)));
      if (!can_measure(row(joint->kind), what))
        return wrong(fmt::format("a {} joint has no {}", row(joint->kind).name, word_of(what)), "take what it has");
      found.measure = {static_cast<int>(joint - m_.joints.begin()), what};
      return taken();
    }
  return wrong(fmt::format("the state has no \"{}\"", excerpt(name)),
               "it has x and xd (the law's own measure and its rate), angle.JOINT, slide.JOINT, length.JOINT, "
               "rate.angle.JOINT and "
               "so on, x.POINT, vx.POINT and so on; names with blanks in brackets: [angle.left crank]");
}

void MechanismReader::read_point(TomlTable& table) {
  MechanismPoint point;
  point.where = table.where();
  point.name = own_name(table, "point");
  const auto body = table.text("body");
  if (!table.has("body")) table.missing("body", "name the body it is a place of");
  if (body) point.body = find_body(table, "body", *body).value_or(0);
  if (std::ranges::find(m_.bodies, point.name, &MechanismBody::name) != m_.bodies.end())
    table.fault("name", "name-twice", fmt::format("a body is called \"{}\" as well", excerpt(point.name)),
                "the columns of both would have the same names: take another one");
  if (!table.has("position", units::length)) table.missing("position", "say where in the body's frame it is");
  point.point = table.vector("position", units::length).value_or(Vec3<double>{});
  m_.points.push_back(std::move(point));
}

/// Three numbers, or functions of time as { x = ..., y = ..., z = ... }.
std::array<TimeFunction, 3> MechanismReader::read_components(TomlTable& table, std::string_view key) {
  std::array<TimeFunction, 3> out;
  if (!table.is_table(key)) {
    if (const auto v = table.vector(key))
      out = {constant_in_time(v->x), constant_in_time(v->y), constant_in_time(v->z)};
    return out;
  }
  table.table(key, [&](TomlTable& t) {
    out = {read_function(t, "x", units::plain, sources_), read_function(t, "y", units::plain, sources_),
           read_function(t, "z", units::plain, sources_)};
  });
  return out;
}

void MechanismReader::read_force(TomlTable& table) {
  MechanismForce force;
  force.where = table.where();
  force.name = optional_name(table, "force");
  const auto body = table.text("body");
  if (!table.has("body")) table.missing("body", "name the body it acts on");
  if (body) force.body = find_body(table, "body", *body).value_or(0);
  force.point = table.vector("point", units::length).value_or(Vec3<double>{});
  force.along_body_axes = table.word<bool>("axes", {{"world", false}, {"body", true}}).value_or(false);
  force.force = read_components(table, "force");
  force.moment = read_components(table, "moment");
  if (!table.has("force") && !table.has("moment")) table.missing("force", "give force, moment or both");
  m_.forces.push_back(std::move(force));
}

}  // namespace torsor::detail

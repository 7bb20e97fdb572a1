// Joints of a mechanism file, each by two frames: given in the bodies (point_i, axis_i, ...), or in the world where the
// bodies stand at the start (point, axis, ...). Carriers, which are joined to as bodies are.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/files/mechanism_toml_blocks.hpp"
#include "torsor/text/number.hpp"
#include "torsor/files/robot_toml_blocks.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/utf8.hpp"
#include "torsor/spatial/rotation.hpp"

namespace torsor::detail {
namespace {

using Kind = MechanismJointKind;

/// The equations of the kind have a direction of side i, of side j.
bool needs_axis(Kind kind, bool side_j) {
  switch (kind) {
    case Kind::spherical:
    case Kind::fixed:
    case Kind::distance:
    case Kind::free: return false;
    case Kind::point_on_line:
    case Kind::point_on_plane:
    case Kind::revolute_spherical:
    case Kind::rolling_ball: return !side_j;
    default: return true;
  }
}

std::optional<Vec3<double>> read_direction(TomlTable& table, std::string_view key) {
  const auto v = table.vector(key);
  if (!v) return std::nullopt;
  const double length = std::hypot(v->x, v->y, v->z);
  if (length > 1e-9 && std::isfinite(length)) return *v * (1 / length);
  table.fault(key, "axis-zero", "it has no direction", "give a vector of non-zero length, such as [0, 0, 1]");
  return std::nullopt;
}

/// z along the unit vector, x as near to the direction as it can be; nothing if they are parallel.
std::optional<Mat3<double>> frame_along(const Vec3<double>& z, const Vec3<double>& towards) {
  const Vec3<double> x = towards - z * dot(z, towards);
  const double length = norm(x);
  if (!(length > 1e-6)) return std::nullopt;
  const Vec3<double> unit = x * (1 / length);
  return Mat3<double>{unit, cross(z, unit), z};
}

/// One vector, or a list of two of them: for side i and for side j.
struct Pair {
  std::optional<Vec3<double>> i, j;
};

Pair read_pair(TomlTable& table, std::string_view one, std::string_view two, Unit unit) {
  table.at_most_one({{one, unit}, {two, unit}});
  Pair pair;
  if (const auto v = table.vector(one, unit)) pair = {*v, *v};
  const auto rows = table.matrix(two, unit);
  if (!rows) return pair;
  if (rows->size() == 2 && rows->front().size() == 3) {
    const auto row = [&](std::size_t k) { return Vec3<double>{(*rows)[k][0], (*rows)[k][1], (*rows)[k][2]}; };
    return {row(0), row(1)};
  }
  table.fault(two, "array-length", "it is not two vectors",
              "write [[x, y, z], [x, y, z]], the first for the first body", unit);
  return pair;
}

}  // namespace

void MechanismReader::read_carrier(TomlTable& table) {
  MechanismCarrier carrier;
  carrier.where = table.where();
  carrier.name = own_name(table, "carrier");
  for (std::size_t k = 0; k < 3; ++k) {
    constexpr std::array<std::string_view, 3> keys{"x", "y", "z"};
    carrier.position[k] = read_function(table, keys[k], units::length, sources_);
    if (!carrier.position[k]) carrier.position[k] = constant_in_time(0);
  }
  table.tables("turn", [&](TomlTable& turn) {
    const auto axis = read_direction(turn, "axis");
    if (!turn.has("axis")) turn.missing("axis", "give the direction it turns about");
    TimeFunction angle = read_function(turn, "angle", units::angle, sources_);
    if (!has_function(turn, "angle", units::angle)) turn.missing("angle", "give a function of time");
    if (!angle) angle = constant_in_time(0);
    carrier.turns.push_back({axis.value_or(Vec3<double>{0, 0, 1}), std::move(angle)});
  });
  if (std::ranges::any_of(m_.bodies, [&](const MechanismBody& b) { return b.name == carrier.name; }))
    table.fault("name", "name-twice", "a body has the same name", "joints name either: give each a name of its own");
  m_.carriers.push_back(std::move(carrier));
}

std::optional<JointSide> MechanismReader::find_side(TomlTable& table, std::string_view key, const std::string& name) {
  JointSide side;
  if (name == "ground") return side;
  const auto body = std::ranges::find(m_.bodies, name, &MechanismBody::name);
  if (body != m_.bodies.end()) {
    side.body = static_cast<int>(body - m_.bodies.begin());
    return side;
  }
  const auto carrier = std::ranges::find(m_.carriers, name, &MechanismCarrier::name);
  if (carrier != m_.carriers.end()) {
    side.carrier = static_cast<int>(carrier - m_.carriers.begin());
    return side;
  }
  std::vector<std::string> known{"ground"};
  for (const MechanismBody& b : m_.bodies) known.push_back(b.name);
  for (const MechanismCarrier& c : m_.carriers) known.push_back(c.name);
  const std::string hint = did_you_mean(name, known);
  table.fault(key, "name-unknown", fmt::format("there is no body \"{}\"", excerpt(name)),
              hint.empty() ? fmt::format("there are \"ground\" and {}", names_of(m_.bodies)) : hint);
  return std::nullopt;
}

bool MechanismReader::read_sides(TomlTable& table, MechanismJoint& joint) {
  const auto names = table.texts("bodies");
  if (!table.has("bodies")) table.missing("bodies", "name the two: bodies = [\"ground\", \"crank\"]");
  if (!names) return false;
  if (names->size() != 2) {
    table.fault("bodies", "array-length", fmt::format("it has {} names", names->size()), "name two bodies");
    return false;
  }
  const auto i = find_side(table, "bodies", (*names)[0]), j = find_side(table, "bodies", (*names)[1]);
  if (!i || !j) return false;
  joint.i = *i;
  joint.j = *j;
  const auto fixed = [](const JointSide& side) { return side.carrier >= 0 || side.body == ground; };
  if ((*names)[0] == (*names)[1] || (fixed(*i) && fixed(*j))) {
    table.fault("bodies", "joint-bodies",
                fmt::format("nothing can move between \"{}\" and \"{}\"", (*names)[0], (*names)[1]),
                "join two different bodies, or a body and the ground");
    return false;
  }
  return true;
}

Transform<double> MechanismReader::start_pose(const JointSide& side) const {
  if (side.carrier < 0)
    return side.body == ground ? Transform<double>{} : m_.bodies[static_cast<std::size_t>(side.body)].X_world_body;
  const MechanismCarrier& carrier = m_.carriers[static_cast<std::size_t>(side.carrier)];
  Transform<double> X;
  X.p = {carrier.position[0](0).f, carrier.position[1](0).f, carrier.position[2](0).f};
  for (const MechanismCarrier::Turn& turn : carrier.turns) X.R = X.R * rotation_about(turn.axis, turn.angle(0).f);
  return X;
}

void MechanismReader::read_frames(TomlTable& table, MechanismJoint& joint, bool kind_known) {
  constexpr std::array<std::string_view, 2> points{"point_i", "point_j"}, axes{"axis_i", "axis_j"},
      references{"reference_i", "reference_j"};
  bool in_bodies = false;
  for (const std::string_view key : points) in_bodies |= table.has(key, units::length);
  for (const auto& keys : {axes, references})
    for (const std::string_view key : keys) in_bodies |= table.has(key);
  bool in_world = false;
  for (const std::string_view key : {"point", "points"}) in_world |= table.has(key, units::length);
  for (const std::string_view key : {"axis", "axes", "reference"}) in_world |= table.has(key);
  const std::array<JointSide*, 2> sides{&joint.i, &joint.j};
  std::array<std::optional<Vec3<double>>, 2> point, axis, reference;  // all in the world
  const std::size_t before = table.fault_count();

  if (in_bodies) {
    if (in_world)
      return table.fault("", "joint-frames", "it is given in the world and in the bodies",
                         "keep point, axis, reference or those with _i and _j");
    for (std::size_t k = 0; k < 2; ++k) {
      const Transform<double> X = start_pose(*sides[k]);
      point[k] = X * table.vector(points[k], units::length).value_or(Vec3<double>{});
      if (const auto v = read_direction(table, axes[k])) axis[k] = X.R * *v;
      if (const auto v = read_direction(table, references[k])) reference[k] = X.R * *v;
      if (kind_known && needs_axis(joint.kind, k == 1) && !table.has(axes[k]))
        table.missing(axes[k], "give the direction of the joint in this body");
    }
  } else {
    const Pair p = read_pair(table, "point", "points", units::length);
    point = {p.i, p.j};
    if (!in_world || (!table.has("point", units::length) && !table.has("points", units::length)))
      table.missing("point", "give point in the world, or point_i and point_j in the two bodies");
    Pair a = read_pair(table, "axis", "axes", units::plain);
    for (std::optional<Vec3<double>>* const v : {&a.i, &a.j}) {
      const double length = *v ? std::hypot((*v)->x, (*v)->y, (*v)->z) : 1;
      if (length > 1e-9 && std::isfinite(length)) {
        if (*v) **v = **v * (1 / length);
      } else {
        table.fault(table.has("axis") ? "axis" : "axes", "axis-zero", "it has no direction",
                    "give a vector of non-zero length, such as [0, 0, 1]");
        break;
      }
    }
    axis = {a.i, a.j};
    reference[0] = reference[1] = read_direction(table, "reference");
    if (kind_known && joint.kind == Kind::universal && !table.has("axes"))
      table.missing("axes", "give the two directions of the cross: axes = [[1, 0, 0], [0, 1, 0]]");
    else if (kind_known && needs_axis(joint.kind, false) && !table.has("axis") && !table.has("axes"))
      table.missing("axis", "give the direction of the joint");
  }
  if (table.fault_count() != before) return;

  // a side without a reference takes the other's, so that the angle is zero at the start
  std::array<Mat3<double>, 2> R;
  for (std::size_t k = 0; k < 2; ++k) {
    const Vec3<double> z = axis[k].value_or(axis[1 - k].value_or(Vec3<double>{0, 0, 1}));
    R[k] = rotation_z_onto(z);
    if (reference[k]) {
      const auto frame = frame_along(z, *reference[k]);
      if (!frame)
        return table.fault(in_bodies ? references[k] : "reference", "reference-parallel", "it is along the axis",
                           "give a direction across the axis");
      R[k] = *frame;
    }
  }
  for (std::size_t k = 0; k < 2; ++k)
    if (!reference[k] && (k == 1 || reference[1]))
      if (const auto frame = frame_along(R[k].z, R[1 - k].x)) R[k] = *frame;
  for (std::size_t k = 0; k < 2; ++k) {
    const Transform<double> X = start_pose(*sides[k]);
    sides[k]->X = ~X * Transform<double>{R[k], *point[k]};
    // as typed, to the last digit
    if (in_bodies) sides[k]->X.p = table.vector(points[k], units::length).value_or(Vec3<double>{});
  }
  const Vec3<double> d = *point[1] - *point[0];
  joint.length = norm(d);
  joint.offset = dot(R[0].z, d);
}

void MechanismReader::read_joint(TomlTable& table) {
  MechanismJoint joint;
  joint.where = table.where();
  joint.name = own_name(table, "joint");
  Words<Kind> kinds;
  for (const MechanismJointRow& r : mechanism_joint_kinds) kinds.emplace_back(r.name, r.kind);
  const auto kind = table.word("kind", kinds, "joint-kind");
  if (!table.has("kind")) table.missing("kind", "write kind = \"revolute\" or another kind");
  joint.kind = kind.value_or(Kind::revolute);
  read_sides(table, joint);
  read_frames(table, joint, kind.has_value());

  const auto dimension = [&](std::string_view key, Unit unit, double& target, bool has_one, bool required,
                             bool positive) {
    const auto x = table.number(key, unit);
    if (!has_one) target = 0;
    if (kind && !has_one && table.has(key, unit))
      table.fault(key, "joint-key", fmt::format("a {} joint has no {}", row(*kind).name, key), "leave it out", unit);
    if (kind && required && !table.has(key, unit))
      table.missing(key, fmt::format("a {} joint needs it", row(*kind).name));
    if (!x) return;
    if (positive && !(*x > 0))
      table.fault(key, "joint-size", fmt::format("it is {}", print_number(*x)), "give a number above zero", unit);
    target = *x;
  };
  const auto is = [&](auto... any) { return ((joint.kind == any) || ...); };
  dimension("length", units::length, joint.length, is(Kind::distance, Kind::revolute_spherical), false, true);
  dimension("offset", units::length, joint.offset, is(Kind::point_on_plane, Kind::revolute_spherical), false, false);
  dimension("pitch", units::pitch, joint.pitch, is(Kind::screw), is(Kind::screw), false);
  dimension("radius", units::length, joint.radius, is(Kind::rolling_ball, Kind::rolling_disc),
            is(Kind::rolling_ball, Kind::rolling_disc), true);
  const auto rate = [&](std::string_view key, Unit unit, bool has_one, std::optional<double>& target) {
    const auto x = table.number(key, unit);
    if (kind && !has_one && table.has(key, unit))
      table.fault(key, "joint-key", fmt::format("a {} joint has no {}", row(*kind).name, key), "leave it out", unit);
    else
      target = x;
  };
  rate("angle_rate", units::turning_speed, row(joint.kind).angle, joint.angle_rate);
  rate("slide_rate", units::length, row(joint.kind).slide, joint.slide_rate);
  rate("length_rate", units::length, row(joint.kind).length, joint.length_rate);
  m_.joints.push_back(std::move(joint));
  kind_known_.push_back(kind.has_value());
}

}  // namespace torsor::detail

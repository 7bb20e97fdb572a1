// Poses of a robot file: a position and a rotation, written in whichever way the author has it.
#include <fmt/format.h>

#include <cmath>

#include "torsor/files/robot_toml_blocks.hpp"
#include "torsor/model/dh.hpp"

namespace torsor::detail {
namespace {

using Matrix = std::vector<std::vector<double>>;

// a typed matrix has few digits: accepted up to here, then made exactly orthonormal
constexpr double orthonormality = 1e-6;

std::optional<Mat3<double>> from_matrix(TomlTable& table, const Matrix& rows) {
  if (rows.size() != 3 || rows[0].size() != 3) {
    table.fault("matrix", "array-length", "it is not 3 x 3", "write three rows of three numbers");
    return std::nullopt;
  }
  const Mat3<double> R{
      {rows[0][0], rows[1][0], rows[2][0]}, {rows[0][1], rows[1][1], rows[2][1]}, {rows[0][2], rows[1][2], rows[2][2]}};
  double error = 0;
  const Mat3<double> E = ~R * R - Mat3<double>::identity();
  for (const Vec3<double>& column : {E.x, E.y, E.z})
    for (const double e : {column.x, column.y, column.z}) error = std::max(error, std::abs(e));
  if (!(error <= orthonormality)) {
    table.fault("matrix", "rotation-orthonormal", fmt::format("it is off by {:.1e} from orthonormal", error),
                "give unit, mutually perpendicular axes, with more digits if these are rounded");
    return std::nullopt;
  }
  if (dot(cross(R.x, R.y), R.z) < 0) {
    table.fault("matrix", "rotation-orthonormal", "it is left-handed, a reflection", "turn one axis round");
    return std::nullopt;
  }
  // already as good as rounding allows, as a program writes it: kept to the last bit
  if (error <= 1e-14) return R;
  // x keeps its direction, y its plane
  const Vec3<double> x = R.x * (1 / norm(R.x)), normal = cross(x, R.y), z = normal * (1 / norm(normal));
  return Mat3<double>{x, cross(z, x), z};
}

std::optional<Mat3<double>> from_quaternion(TomlTable& table, const std::vector<double>& e) {
  if (e.size() != 4) {
    table.fault("quaternion", "array-length", fmt::format("it has {} numbers", e.size()),
                "write four: the scalar e0 first, then e1, e2, e3");
    return std::nullopt;
  }
  // scaled by the largest first: no overflow on the way to the norm
  double largest = 0;
  for (const double x : e) largest = std::max(largest, std::abs(x));
  if (!(largest > 1e-100)) {
    table.fault("quaternion", "quaternion-zero", "it is zero", "[1, 0, 0, 0] is no rotation");
    return std::nullopt;
  }
  return rotation(normalized(Quaternion<double>{e[0] / largest, e[1] / largest, e[2] / largest, e[3] / largest}));
}

std::optional<Mat3<double>> from_axis(TomlTable& table, const Vec3<double>& axis, double angle) {
  const double length = std::hypot(axis.x, axis.y, axis.z);
  if (!(length > 1e-9) || !std::isfinite(length)) {
    table.fault("axis", "axis-zero", "it has no direction", "give a vector of non-zero length, such as [0, 0, 1]");
    return std::nullopt;
  }
  return rotation_about(axis * (1 / length), angle);
}

}  // namespace

Transform<double> read_pose(TomlTable& table, RotationKeys keys) {
  Transform<double> X;
  if (const auto position = table.vector("position", units::length)) X.p = *position;

  std::vector<std::pair<std::string_view, Unit>> ways{
      {"rpy", units::angle}, {"quaternion", units::plain}, {"matrix", units::plain}};
  if (keys == RotationKeys::all) ways.push_back({"axis", units::plain});
  table.at_most_one(ways);

  std::optional<Mat3<double>> R;
  if (const auto rpy = table.vector("rpy", units::angle)) R = exact_rotation_rpy(*rpy);
  if (const auto e = table.numbers("quaternion")) R = from_quaternion(table, *e);
  if (const auto rows = table.matrix("matrix")) R = from_matrix(table, *rows);
  if (keys == RotationKeys::all) {
    const auto axis = table.vector("axis");
    const auto angle = table.number("angle", units::angle);
    if (axis && angle) R = from_axis(table, *axis, *angle);
    if (table.has("axis") && !table.has("angle", units::angle)) table.missing("angle", "an axis turns by an angle");
    if (table.has("angle", units::angle) && !table.has("axis")) table.missing("axis", "an angle turns about an axis");
  }
  if (R) X.R = *R;
  return X;
}

}  // namespace torsor::detail

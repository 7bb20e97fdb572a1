#include "torsor/files/mjcf_pose.hpp"

#include <cmath>

#include "torsor/model/dh.hpp"
#include "torsor/spatial/quaternion.hpp"

namespace torsor::detail {
namespace {

/// The shortest rotation that takes z to u.
Mat3<double> shortest_onto(const Vec3<double>& u) {
  if (u.x == 0 && u.y == 0) return u.z > 0 ? Mat3<double>::identity() : rotation_x(-1.0, 0.0);
  const double c = u.z, s = std::hypot(u.x, u.y);
  return rotation_about(Vec3<double>{-u.y / s, u.x / s, 0}, std::atan2(s, c));
}

double length_of(const std::vector<double>& numbers, std::size_t first, std::size_t count) {
  double largest = 0, sum = 0;
  for (std::size_t k = first; k < first + count; ++k) largest = std::max(largest, std::abs(numbers[k]));
  if (largest == 0) return 0;
  for (std::size_t k = first; k < first + count; ++k) sum += (numbers[k] / largest) * (numbers[k] / largest);
  return largest * std::sqrt(sum);
}

Vec3<double> direction(const std::vector<double>& n, std::size_t first) {
  const double length = length_of(n, first, 3);
  return {n[first] / length, n[first + 1] / length, n[first + 2] / length};
}

/// The rotation that the numbers of one spelling mean; nothing if they mean none.
std::optional<Mat3<double>> rotation_of(std::string_view key, const std::vector<double>& n,
                                        const MjcfSettings& settings) {
  if (key == "euler") return euler_rotation({n[0], n[1], n[2]}, settings);
  if (key == "quat") {
    const double length = length_of(n, 0, 4);
    if (!(length > 1e-15)) return std::nullopt;
    return rotation(normalized(Quaternion<double>{n[0] / length, n[1] / length, n[2] / length, n[3] / length}));
  }
  if (!(length_of(n, 0, 3) > 1e-15)) return std::nullopt;
  const Vec3<double> first = direction(n, 0);
  if (key == "zaxis") return shortest_onto(first);
  if (key == "axisangle") {
    const auto [c, s] = exact_cos_sin(n[3] * settings.angle);
    const Mat3<double> Z = rotation_z_onto(first);
    return Z * rotation_z(c, s) * ~Z;
  }
  const Vec3<double> typed{n[3], n[4], n[5]}, across = typed - first * dot(first, typed);
  const std::vector<double> y{across.x, across.y, across.z};
  if (!(length_of(y, 0, 3) > 1e-15)) return std::nullopt;
  const Vec3<double> second = direction(y, 0);
  return Mat3<double>{first, second, cross(first, second)};
}

}  // namespace

Mat3<double> euler_rotation(const Vec3<double>& angles, const MjcfSettings& settings) {
  Mat3<double> R = Mat3<double>::identity();
  const double turns[] = {angles.x, angles.y, angles.z};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto [c, s] = exact_cos_sin(turns[k] * settings.angle);
    const char axis = settings.eulerseq[k];
    const char plain = static_cast<char>(axis | 0x20);
    const Mat3<double> turn = plain == 'x' ? rotation_x(c, s) : plain == 'y' ? rotation_y(c, s) : rotation_z(c, s);
    R = axis == plain ? R * turn : turn * R;
  }
  return R;
}

Mat3<double> read_mjcf_rotation(UrdfElement& element, const MjcfSettings& settings) {
  constexpr std::size_t counts[] = {4, 4, 6, 3, 3};
  std::string_view given;
  Mat3<double> R = Mat3<double>::identity();
  for (std::size_t k = 0; k < std::size(counts); ++k) {
    const std::string_view key = mjcf_rotations[k];
    if (!element.has(key)) continue;
    if (!given.empty()) {
      element.fault(key, "rotation-twice", "the rotation is given already, in another form", "give it once");
      continue;
    }
    given = key;
    const auto numbers = read_list(element, key, counts[k], counts[k]);
    if (!numbers) continue;
    if (const auto found = rotation_of(key, *numbers, settings))
      R = *found;
    else
      element.fault(key, "rotation-zero", "it has no direction", "give vectors of non-zero length, not parallel");
  }
  return R;
}

Transform<double> read_mjcf_pose(UrdfElement& element, const MjcfSettings& settings) {
  return {read_mjcf_rotation(element, settings), element.vector("pos").value_or(Vec3<double>{})};
}

}  // namespace torsor::detail

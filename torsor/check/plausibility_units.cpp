// Angles in degrees and lengths in millimetres where radians and metres are read. An angle inside a rotation matrix is
// lost but for whole turns: 90 rad is 14 turns and 2.0354... rad, and no rotation has exactly that by chance.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "torsor/check/plausibility.hpp"
#include "torsor/scalar/infinity.hpp"
#include "torsor/spatial/roll_pitch_yaw.hpp"

namespace torsor {
namespace {

constexpr double pi = std::numbers::pi;

std::string radians_meant(double degrees) {
  return fmt::format(
      "probable cause: degrees: {:.6g} degrees are {:.6g} rad (in a robot file, the key may end in _deg)", degrees,
      degrees / 180 * pi);
}

/// Whole degrees taken for radians, with the angle they come to: 7 to 360 of either sign, sorted by that angle.
struct Mistaken {
  double angle;
  int degrees;
};
const std::vector<Mistaken>& mistaken_degrees() {
  static const std::vector<Mistaken> table = [] {
    std::vector<Mistaken> all;
    for (int degrees = 7; degrees <= 360; ++degrees)
      for (const int signed_degrees : {degrees, -degrees})
        all.push_back({std::remainder(signed_degrees, 2 * pi), signed_degrees});
    std::ranges::sort(all, {}, &Mistaken::angle);
    return all;
  }();
  return table;
}

/// The degrees that, taken for radians, give this angle up to whole turns.
std::optional<double> degrees_taken_for_radians(double angle) {
  constexpr double chance = 1e-9;
  const double within_a_turn = std::remainder(angle, 2 * pi);
  const auto found = std::ranges::lower_bound(mistaken_degrees(), within_a_turn - chance, {}, &Mistaken::angle);
  if (found == mistaken_degrees().end() || found->angle > within_a_turn + chance) return std::nullopt;
  return found->degrees;
}

/// The same for the angles a rotation may have been given by: roll, pitch, yaw in either of their two forms, or one
/// angle about an axis.
std::optional<double> degrees_in(const Mat3<double>& R) {
  const auto [roll, pitch, yaw] = roll_pitch_yaw(R);
  const Vec3<double> twice_sine{R.y.z - R.z.y, R.z.x - R.x.z, R.x.y - R.y.x};
  const double angle = std::atan2(norm(twice_sine), R.x.x + R.y.y + R.z.z - 1);
  for (const double x : {roll, pitch, yaw, roll + pi, pi - pitch, yaw + pi, angle})
    if (const auto degrees = degrees_taken_for_radians(x)) return degrees;
  return std::nullopt;
}

class UnitCheck {
 public:
  UnitCheck(const Description& description, const Model<double>& model, const DoubtLimits& bounds,
            std::vector<Finding>& all)
      : d(description), limits(bounds), findings(all) {
    for (const LinkDescription& link : d.links) lengths.push_back(length(link));
    for (const Body<double>& b : model.bodies) {
      if (!(b.inertia.m > 0)) continue;
      const MassSpread spread = mass_spread(b.inertia.m, tensor_about_centre(b.inertia));
      body_size = std::max({body_size, norm(inverse(b.link) * mass_centre(b.inertia)), gyration_radius(spread)});
    }
    std::vector<double> sorted = lengths;
    std::ranges::sort(sorted, std::greater<>());
    for (std::size_t k = 0; k < 2 && k < sorted.size(); ++k) largest[k] = sorted[k];
  }

  void run() {
    rotation(d.base.R, {}, "base", d.base_name);
    for (std::size_t i = 0; i < d.links.size(); ++i) {
      const LinkDescription& link = d.links[i];
      const Where& where = link.geometry_where.line > 0 ? link.geometry_where : link.where;
      if (const auto* dh = std::get_if<DhRow>(&link.geometry))
        dh_angles(*dh, where, link.name);
      else
        rotation(std::get<JointPlacement>(link.geometry).X_parent_joint.R, where, "link", link.name);
      far_joint(lengths[i], where, link.name);
      joint_limits(link);
    }
    for (const ToolDescription& tool : d.tools) rotation(tool.X_link_tool.R, tool.where, "tool", tool.name);
  }

 private:
  const Description& d;
  const DoubtLimits& limits;
  std::vector<Finding>& findings;
  std::vector<double> lengths;  // of each link: from the joint before
  std::array<double, 2> largest{};
  double body_size = 0;  // what mass centres and inertias say about the size of the robot

  void add(const Where& where, const char* kind, const std::string& name, const char* rule, std::string what,
           std::string remedy, const char* cause) {
    findings.push_back(detail::make_finding(d, where, kind, name, rule, std::move(what), std::move(remedy), cause));
  }

  static double length(const LinkDescription& link) {
    if (const auto* dh = std::get_if<DhRow>(&link.geometry)) return std::hypot(dh->a, dh->d);
    return norm(std::get<JointPlacement>(link.geometry).X_parent_joint.p);
  }

  void dh_angles(const DhRow& dh, const Where& where, const std::string& name) {
    for (const auto& [key, angle] : {std::pair{"theta", dh.theta}, {"alpha", dh.alpha}, {"beta", dh.beta}})
      if (std::abs(angle) > 1.001 * 2 * pi)
        add(where, "link", name, "angle-degrees", fmt::format("its {} is {:.6g} rad, more than a turn", key, angle),
            radians_meant(angle), "degrees");
  }

  void rotation(const Mat3<double>& R, const Where& where, const char* kind, const std::string& name) {
    if (const auto degrees = degrees_in(R))
      add(where, kind, name, "angle-degrees",
          fmt::format("its rotation has an angle of {:.6g} rad, more than a turn", *degrees), radians_meant(*degrees),
          "degrees");
  }

  void joint_limits(const LinkDescription& link) {
    const Where& where = link.limits_where.line > 0 ? link.limits_where : link.where;
    for (const double limit : {link.limits.lower, link.limits.upper}) {
      const double size = std::abs(limit);
      if (!(size < infinity)) continue;
      if (link.kind == JointKind::revolute && looks_like_degrees(size))
        return add(where, "joint", link.joint_name, "limits-degrees",
                   fmt::format("a position limit is {:.6g} rad, {:.3g} turns", limit, size / (2 * pi)),
                   radians_meant(limit), "degrees");
      // round powers of ten are the limits of those who have none
      const double exponent = std::log10(std::max(size, 1.0));
      if (link.kind == JointKind::prismatic && size > limits.longest && exponent != std::floor(exponent))
        return add(where, "joint", link.joint_name, "length-millimetres",
                   fmt::format("a position limit is {:.6g} m", limit), metres_meant(limit), "units");
    }
  }

  /// More turns than a joint has, no multiple of half a turn however rounded, and not beyond all degrees.
  bool looks_like_degrees(double limit) const {
    const double halves = limit / pi;
    const bool half_turns = halves < 20 && std::abs(halves - std::nearbyint(halves)) < 0.006 * halves;
    return limit > 1.001 * 2 * pi * limits.turns && limit <= 720 && !half_turns;
  }

  static std::string metres_meant(double length) {
    return fmt::format("probable cause: millimetres: {:.6g} mm are {:.6g} m (in a robot file, the key may end in _mm)",
                       length, length / 1000);
  }

  void far_joint(double distance, const Where& where, const std::string& name) {
    const double others = std::max(distance == largest[0] ? largest[1] : largest[0], body_size);
    if (distance > limits.longest || (others > 0 && distance > 100 * others))
      add(where, "link", name, "length-millimetres", fmt::format("it is {:.6g} m from the joint before", distance),
          metres_meant(distance), "units");
  }
};

}  // namespace

void detail::check_units(const Description& description, const Model<double>& model, const DoubtLimits& limits,
                         std::vector<Finding>& findings) {
  UnitCheck(description, model, limits, findings).run();
}

}  // namespace torsor

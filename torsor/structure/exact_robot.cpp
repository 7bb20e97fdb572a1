#include "torsor/structure/exact_robot.hpp"

#include <numeric>
#include <unordered_map>

#include "torsor/scalar/modular.hpp"
#include "torsor/spatial/roll_pitch_yaw.hpp"
#include "torsor/symbolic/meant_robot.hpp"

namespace torsor {
namespace {

constexpr double pi = std::numbers::pi;
constexpr std::int64_t turn_parts = 36000, quarter_parts = turn_parts / 4;
constexpr double same_angle = 1e-13;  // rad; what atan2 and the change from degrees leave

using Steps = std::vector<ExactStep>;

/// A decimal ratio as numerator / denominator, if both are of a size to work with.
struct Ratio {
  std::int64_t numerator = 1, denominator = 1;
};

std::optional<Ratio> ratio(double x) {
  const Decimal d = shortest_decimal(x);
  if (d.digits.size() > 9 || d.exponent > 9 || d.exponent < -9) return std::nullopt;
  Ratio out{std::stoll(d.digits), 1};
  for (int k = 0; k < std::abs(d.exponent); ++k) (d.exponent < 0 ? out.denominator : out.numerator) *= 10;
  const std::int64_t common = std::gcd(out.numerator, out.denominator);
  return Ratio{(d.negative ? -1 : 1) * out.numerator / common, out.denominator / common};
}

class Maker {
 public:
  Maker(const MeantRobot& meant, GeometryTolerance tolerance) : d_(meant.description), classifier_(tolerance) {
    out_.snaps = meant.snaps;
  }

  Result<ExactRobot> run() {
    Result<Model<double>> model = build(d_);
    if (!model) return model.faults();
    out_.model = *std::move(model);
    shared_ = out_.model.S.size() != static_cast<std::size_t>(out_.model.nv);
    refuse();
    if (!faults_.empty()) return faults_;

    shift(d_.base.p, out_.base);
    turn(d_.base.R, "base", out_.base);
    out_.bodies.resize(out_.model.bodies.size());
    std::unordered_map<std::string, const LinkDescription*> links;
    for (const LinkDescription& link : d_.links) links.emplace(link.name, &link);
    for (std::size_t i = 0; i < out_.bodies.size(); ++i) {
      std::string name = out_.model.link_names[i];
      ExactBody& body = out_.bodies[i];
      body.is_rotor = i >= d_.links.size();
      if (body.is_rotor) name.resize(name.size() - std::string_view(".rotor").size());
      add(*links.at(name), body);
    }
    share_coordinates();
    if (!faults_.empty()) return faults_;
    for (const ExactStep& step : all_steps()) {
      out_.hundredths = out_.hundredths || step.angle.parts % 100 != 0;
      if (step.angle.general >= 0) ++out_.general_angles[static_cast<std::size_t>(step.angle.general)].uses;
    }
    out_.snaps.insert(out_.snaps.end(), classifier_.snaps().begin(), classifier_.snaps().end());
    return std::move(out_);
  }

 private:
  void refuse() {
    for (int i = 0; i < out_.model.size(); ++i)
      if (out_.model[i].nv > 1)
        faults_.push_back({{d_.file, 0},
                           "joint \"" + out_.model.joint_names[i] + "\"",
                           "structure-joint",
                           "has several degrees of freedom, and no coordinates whose coefficients could be named",
                           "write it as joints of one degree of freedom"});
    if (out_.model.nv > most_coordinates)
      faults_.push_back({{d_.file, 0},
                         "robot \"" + d_.name + "\"",
                         "structure-size",
                         "has " + std::to_string(out_.model.nv) + " coordinates, and coefficients by their third power",
                         "take a part of at most " + std::to_string(most_coordinates) + " coordinates"});
  }

  ExactAngle angle(double x, const std::string& what) {
    const double parts = std::nearbyint(x * (turn_parts / (2 * pi)));
    const double near = same_angle * std::max(1.0, abs(x));
    if (abs(x - parts * (2 * pi / turn_parts)) <= near)
      return {static_cast<std::int64_t>(std::remainder(parts, static_cast<double>(turn_parts)))};
    const double quarters = std::nearbyint(x / (pi / 2)), rest = x - quarters * (pi / 2);
    ExactAngle found{static_cast<std::int64_t>(std::remainder(quarters, 4)) * quarter_parts, 0, rest < 0};
    for (const GeneralAngle& known : out_.general_angles) {
      if (abs(abs(rest) - known.size) <= near) return found;
      ++found.general;
    }
    out_.general_angles.push_back({abs(rest), 0, what});
    return found;
  }

  void turn(int axis, double by, const std::string& what, Steps& steps) {
    if (by != 0) steps.push_back({axis, angle(by, what)});
  }

  void turn(const Mat3<double>& R, const std::string& what, Steps& steps) {
    const auto [roll, pitch, yaw] = roll_pitch_yaw(R);
    turn(2, yaw, what + ": yaw", steps);
    turn(1, pitch, what + ": pitch", steps);
    turn(0, roll, what + ": roll", steps);
  }

  static void shift(const Vec3<double>& by, Steps& steps) {
    if (by.x != 0 || by.y != 0 || by.z != 0) steps.push_back({-1, {}, by});
  }

  void add(const LinkDescription& link, ExactBody& body) {
    const std::string what = "joint \"" + link.joint_name + "\"";
    if (const auto* row = std::get_if<DhRow>(&link.geometry)) {
      // where a joint has its coordinate to itself, the angle it starts from makes no difference
      DhRow constant = *row;
      if ((link.kind == JointKind::revolute || link.kind == JointKind::helical) && !shared_) constant.theta = 0;
      add(constant, what, d_.convention == Convention::standard_dh ? body.to_link : body.to_joint);
    } else {
      add(std::get<JointPlacement>(link.geometry), has_axis(link.kind), what, body);
    }
    body.parts = link.parts;
    if (!body.is_rotor) return;
    body.to_link.clear();
    body.parts = {Part{}};
    body.parts[0].tensor.zz = link.rotor->inertia;
  }

  void add(const DhRow& row, const std::string& what, Steps& steps) {
    const auto along = [&] {
      turn(2, row.theta, what + ": theta", steps);
      shift({0, 0, row.d}, steps);
    };
    const auto across = [&] {
      shift({row.a, 0, 0}, steps);
      turn(0, row.alpha, what + ": alpha", steps);
      turn(1, row.beta, what + ": beta", steps);
    };
    if (d_.convention == Convention::standard_dh) {
      along();
      across();
    } else {
      across();
      along();
    }
  }

  void add(const JointPlacement& placement, bool with_axis, const std::string& what, ExactBody& body) {
    shift(placement.X_parent_joint.p, body.to_joint);
    turn(placement.X_parent_joint.R, what, body.to_joint);
    if (!with_axis) return;
    const auto [phi, theta] = axis_angles(placement.axis);
    turn(2, phi, what + ": axis about z", body.to_joint);
    turn(1, theta, what + ": axis from z", body.to_joint);
    turn(1, -theta, what + ": axis from z", body.to_link);
    turn(2, -phi, what + ": axis about z", body.to_link);
  }

  /// Joints that share a coordinate turn by whole multiples of one unit of it.
  void share_coordinates() {
    std::vector<std::int64_t> denominator(static_cast<std::size_t>(out_.model.nv), 1);
    std::vector<Ratio> ratios(out_.bodies.size());
    for (std::size_t i = 0; i < out_.bodies.size(); ++i) {
      const Body<double>& b = out_.model.bodies[i];
      if (b.nv == 0 || b.kind == JointKind::prismatic || out_.bodies[i].is_rotor) continue;
      const std::optional<Ratio> r = ratio(b.ratio);
      std::int64_t& unit = denominator[static_cast<std::size_t>(b.v)];
      if (r) unit = std::lcm(unit, r->denominator);
      if (!r || unit > 1'000'000'000) {
        faults_.push_back({{d_.file, 0},
                           "joint \"" + out_.model.joint_names[i] + "\"",
                           "structure-ratio",
                           "its ratio has too many digits to be a ratio of whole numbers",
                           "write the ratio with at most nine digits"});
        unit = 1;
        continue;
      }
      ratios[i] = *r;
      const std::string what = "joint \"" + out_.model.joint_names[i] + "\": offset";
      out_.bodies[i].offset = angle(classifier_.angle(b.offset, what), what);
    }
    for (std::size_t i = 0; i < out_.bodies.size(); ++i)
      if (out_.model.bodies[i].nv == 1)
        out_.bodies[i].multiple = ratios[i].numerator * (denominator[static_cast<std::size_t>(out_.model.bodies[i].v)] /
                                                         ratios[i].denominator);
  }

  Steps all_steps() const {
    Steps steps = out_.base;
    for (const ExactBody& body : out_.bodies) {
      steps.insert(steps.end(), body.to_joint.begin(), body.to_joint.end());
      steps.insert(steps.end(), body.to_link.begin(), body.to_link.end());
      steps.push_back({2, body.offset});
    }
    return steps;
  }

  const Description& d_;
  GeometryClassifier classifier_;  // of the offsets of mimic joints, which add up
  ExactRobot out_;
  Faults faults_;
  bool shared_ = false;  // some coordinate moves several joints
};

}  // namespace

Result<ExactRobot> exact_robot(const Description& description, GeometryTolerance tolerance) {
  const MeantRobot meant = meant_robot(description, tolerance);
  return Maker(meant, tolerance).run();
}

}  // namespace torsor

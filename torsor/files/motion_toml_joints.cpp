// Motions of the joints: positions with stops, with blended corners, or on a spline; durations given, the least that
// limits leave, or scaled to the limits of a robot.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/files/motion_toml_blocks.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/text/number.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/trajectory/blended_motion.hpp"
#include "torsor/trajectory/spline_motion.hpp"
#include "torsor/trajectory/time_law.hpp"
#include "torsor/trajectory/via_points.hpp"

namespace torsor::detail {
namespace {

// degrees are for angles: a list may hold lengths, too, so that the suffix is applied entry by entry
constexpr UnitSuffix coordinate[] = {{""}, {"_deg"}};

enum class Through { stops, blends, cubic, quintic };
enum class Ends { rest, open, periodic };

struct JointPoint {
  Where where;
  std::vector<double> q, velocity, acceleration;
  std::optional<double> duration, blend;
  double wait = 0;
};

class JointReader {
 public:
  JointReader(TomlTable& root, const Model<double>* robot) : root_(root), robot_(robot) {
    if (!robot) return;
    size_ = static_cast<std::size_t>(robot->nq);
    kinds_ = position_kinds(*robot);
  }

  /// The motion before [scale]; false where its path is of no known kind.
  bool read(Trajectory& motion) {
    const std::size_t before = root_.fault_count();
    if (robot_ && robot_->nq != robot_->nv) {
      root_.fault(
          "motion", "motion-coordinates",
          fmt::format("{} has planar, ball or free joints, whose positions are no list of joint angles", robot_->name),
          "joint motions are for joints of one degree of freedom");
      return false;
    }
    const auto through = root_.word<Through>("path",
                                             {{"stops", Through::stops},
                                              {"blends", Through::blends},
                                              {"cubic-spline", Through::cubic},
                                              {"quintic-spline", Through::quintic}},
                                             "motion-path");
    if (!through && root_.has("path")) return false;
    through_ = through.value_or(Through::stops);
    limited_ = through_ == Through::stops && root_.has("limits");
    if (root_.has("duration"))
      root_.fault("duration", "motion-duration", "a joint motion has one for every way",
                  "write duration in each [[point]] but the first");
    read_points();
    switch (through_) {
      case Through::stops: motion = stops(before); break;
      case Through::blends: motion = blends(before); break;
      default: motion = spline(before);
    }
    return true;
  }

  /// The points at which the velocity jumps.
  const std::vector<std::size_t>& corners() const { return corners_; }

  /// The limits that [scale] asks for, or nothing.
  std::optional<ScalingLimits> scaling_limits() {
    if (!root_.has("scale")) return std::nullopt;
    const std::size_t before = root_.fault_count();
    ScalingLimits limits;
    root_.table("scale", [&](TomlTable& table) {
      const auto own = [&](const char* key, std::vector<double>& into, Unit unit) {
        if (auto list = coordinates(table, key, Spread::allowed, Sign::positive, unit)) into = *std::move(list);
      };
      own("velocity", limits.velocity, coordinate);
      own("acceleration", limits.acceleration, coordinate);
      own("effort", limits.effort, units::plain);
      take_limits_of_robot(table, limits);
      if (table.fault_count() == before && (robot_ || !table.has("robot")) && limits.velocity.empty() &&
          limits.acceleration.empty() && limits.effort.empty())
        table.fault("", "motion-limit", "it limits nothing",
                    "give velocity, acceleration or \"effort\", or robot = [\"velocity\", \"effort\"]");
    });
    if (!robot_ && root_.fault_count() == before)
      root_.fault("scale", "motion-robot", "time is scaled to the limits of a robot, and there is none",
                  "name it: torsor path FILE --robot ROBOT, torsor track ROBOT FILE");
    if (root_.fault_count() != before) return std::nullopt;
    return limits;
  }

  /// The motion scaled as [scale] says, and what decides it; nothing where it says nothing.
  std::optional<TimeScaling> scale(Trajectory& motion) {
    const auto limits = scaling_limits();
    if (!limits || motion.size() == 0) return std::nullopt;
    const auto scaling = smallest_time_factor(*robot_, motion, *limits);
    if (!scaling) {
      blame(root_, "scale", scaling.faults());
      return std::nullopt;
    }
    if (scaling->status == ScalingStatus::ok) motion = motion.stretched(scaling->factor);
    return *scaling;
  }

  std::vector<std::string> positions_beyond_limits() const {
    std::vector<std::string> notes;
    for (std::size_t i = 0; robot_ && i < points_.size(); ++i)
      for (std::size_t k = 0; k < points_[i].q.size(); ++k) {
        const Limits& limits = robot_->limits[k];
        const double q = points_[i].q[k], beyond = std::max(limits.lower - q, q - limits.upper);
        if (beyond > 1e-12)
          notes.push_back(fmt::format("point {} is {} {} beyond the limits of \"{}\"", i + 1, format_short(beyond),
                                      coordinate_unit(kinds_[k], 0), robot_->position_names[k]));
      }
    return notes;
  }

 private:
  enum class Spread { refused, allowed };
  enum class Sign { any, positive };

  static std::string format_short(double x) { return fmt::format("{:.4g}", x); }

  /// One number per coordinate, `_deg` for the angles among them; a single number for all of them where allowed.
  std::optional<std::vector<double>> coordinates(TomlTable& table, std::string_view key, Spread spread, Sign sign,
                                                 Unit unit = coordinate) {
    if (!table.has(key, unit)) return std::nullopt;
    const bool degrees = unit.size() > 1 && table.has(fmt::format("{}_deg", key));
    std::vector<double> list;
    if (spread == Spread::allowed && !table.is_array(key, unit)) {
      const auto number = table.number(key, unit);
      if (!number) return std::nullopt;
      list.assign(size_.value_or(1), *number);
    } else {
      auto numbers = table.numbers(key, unit);
      if (!numbers) return std::nullopt;
      list = *std::move(numbers);
    }
    if (list.empty()) {
      table.fault(key, "array-length", "it is empty", "give one number per coordinate", unit);
      return std::nullopt;
    }
    if (!size_ && key != "q") return std::nullopt;
    if (!size_) size_ = list.size();
    if (list.size() != *size_) {
      const std::string names = robot_ ? fmt::format(": {}", fmt::join(robot_->position_names, ", ")) : "";
      table.fault(key, "motion-size", fmt::format("it has {} numbers", list.size()),
                  fmt::format("give {}, as {}{}", *size_, robot_ ? "the robot has" : "the first point has", names),
                  unit);
      return std::nullopt;
    }
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (sign == Sign::positive && !(list[k] > 0)) {
        table.fault(key, "motion-limit", fmt::format("it is {}", print_number(list[k])), "give numbers above zero",
                    unit);
        return std::nullopt;
      }
      const bool angle = kinds_.empty() || kinds_[k] == CoordinateKind::angle;
      if (degrees && angle) list[k] = list[k] / 180 * std::numbers::pi;
    }
    return list;
  }

  void read_points() {
    root_.tables("point", [&](TomlTable& table) {
      JointPoint point;
      point.where = table.where();
      if (auto q = coordinates(table, "q", Spread::refused, Sign::any))
        point.q = *std::move(q);
      else if (!table.has("q", coordinate))
        table.missing("q", "give the joint positions: q = [...], or q_deg = [...]");
      point.duration = read_seconds(table, "duration");
      if (points_.empty() && table.has("duration"))
        table.fault("duration", "motion-duration", "the motion begins here: there is no way to this point",
                    "leave it out");
      else if (limited_ && table.has("duration"))
        table.fault("duration", "motion-duration", "the motion has limits, too", "keep the durations or the limits");
      else if (!points_.empty() && !limited_ && !table.has("duration"))
        table.missing("duration", through_ == Through::stops
                                      ? "give the seconds of the way there, or limits for the least time"
                                      : "give the seconds of the way there");
      if (through_ == Through::stops) point.wait = read_seconds(table, "wait", Zero::allowed).value_or(0);
      if (points_.empty() && point.wait > 0)
        table.fault("wait", "motion-wait", "the motion begins here", "leave it out");
      if (through_ == Through::blends) {
        point.blend = read_seconds(table, "blend", Zero::allowed);
        if (!table.has("blend")) table.missing("blend", "give the seconds that it takes; at the ends above zero");
      }
      if (through_ == Through::cubic || through_ == Through::quintic) {
        for (const auto& [key, into] : {std::pair{"velocity", &point.velocity}, {"acceleration", &point.acceleration}})
          if (auto list = coordinates(table, key, Spread::refused, Sign::any)) *into = *std::move(list);
      }
      points_.push_back(std::move(point));
    });
    if (points_.size() < 2)
      root_.fault("point", "motion-points", "a motion has two points at least", "write [[point]] for each of them");
  }

  /// A fault of a point, found when all of them are known.
  void point_fault(std::size_t i, std::string_view rule, std::string what, std::string remedy) {
    root_.fault_at(points_[i].where, fmt::format("point {}", i + 1), rule, std::move(what), std::move(remedy));
  }

  std::vector<std::vector<double>> positions() const {
    std::vector<std::vector<double>> all;
    for (const JointPoint& point : points_) all.push_back(point.q);
    return all;
  }

  Trajectory stops(std::size_t faults_before) {
    const std::string law = read_law(root_, limited_ ? "s-curve" : "quintic");
    std::vector<MotionLimits> limits;
    if (limited_) root_.table("limits", [&](TomlTable& table) { limits = read_limits(table); });
    if (const auto* found = find_time_law(law); found && std::isinf(found->peaks.jerk) && jerk_of_robot_)
      root_.fault("law", "motion-limit",
                  fmt::format("the acceleration of the {} law jumps, and the robot's joint \"{}\" has a jerk limit of "
                              "{:.9g} in its file",
                              law, robot_->velocity_names[*jerk_of_robot_], limits[*jerk_of_robot_].jerk),
                  "use s-curve or quintic, or take the jerk limit out of the robot file");
    if (root_.fault_count() != faults_before) return {};
    std::vector<ViaPoint> way;
    for (std::size_t i = 1; i < points_.size(); ++i)
      way.push_back({points_[i].q, points_[i].duration.value_or(0), points_[i].wait});
    const auto motion = limited_ ? fastest_via_point_motion(points_.front().q, way, limits, law)
                                 : via_point_motion(points_.front().q, way, law);
    return checked(motion, limited_ ? "limits" : "law");
  }

  std::vector<MotionLimits> read_limits(TomlTable& table) {
    std::vector<MotionLimits> limits(size_.value_or(0));
    // those of the robot, where it has some, unless they are given here
    for (std::size_t k = 0; robot_ && k < std::min(limits.size(), robot_->limits.size()); ++k) {
      const Limits& own = robot_->limits[k];
      limits[k] = {own.velocity, std::min(own.acceleration, own.deceleration), own.jerk};
    }
    const auto take = [&](const char* key, double MotionLimits::*bound) {
      const auto list = coordinates(table, key, Spread::allowed, Sign::positive);
      for (std::size_t k = 0; list && k < limits.size(); ++k) limits[k].*bound = (*list)[k];
    };
    take("velocity", &MotionLimits::velocity);
    take("acceleration", &MotionLimits::acceleration);
    take("jerk", &MotionLimits::jerk);
    for (std::size_t k = 0; k < limits.size() && !table.has("jerk", coordinate); ++k)
      if (std::isfinite(limits[k].jerk) && !jerk_of_robot_) jerk_of_robot_ = k;
    return limits;
  }

  Trajectory blends(std::size_t faults_before) {
    const auto blend = root_.word<Blend>("blend", {{"parabolic", Blend::parabolic}, {"polynomial", Blend::polynomial}})
                           .value_or(Blend::polynomial);
    if (root_.fault_count() != faults_before) return {};
    std::vector<double> times, blend_times;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (i > 0) times.push_back(*points_[i].duration);
      blend_times.push_back(*points_[i].blend);
    }
    Trajectory motion = checked(blended_motion(positions(), times, blend_times, blend), "path");
    if (root_.fault_count() == faults_before) find_corners(motion, times, blend_times);
    return motion;
  }

  /// Points without a blend at which the velocities of the ways before and behind differ.
  void find_corners(const Trajectory& motion, std::span<const double> times, std::span<const double> blends) {
    std::vector<double> q(motion.size()), before(q), behind(q), qdd(q);
    double t = 0;
    for (std::size_t i = 1; i + 1 < points_.size(); ++i) {
      t += times[i - 1];
      const double side = 1e-12 * motion.duration();
      motion.sample(t - side, q, before, qdd);
      motion.sample(t + side, q, behind, qdd);
      for (std::size_t k = 0; k < q.size() && blends[i] == 0; ++k)
        if (std::abs(behind[k] - before[k]) > 1e-9 * (std::abs(behind[k]) + std::abs(before[k]))) {
          corners_.push_back(i + 1);
          break;
        }
    }
  }

  Trajectory spline(std::size_t faults_before) {
    const SplineDegree degree = through_ == Through::cubic ? SplineDegree::cubic : SplineDegree::quintic;
    const Ends kind =
        root_.word<Ends>("ends", {{"rest", Ends::rest}, {"open", Ends::open}, {"periodic", Ends::periodic}})
            .value_or(Ends::rest);
    for (std::size_t i = 1; i + 1 < points_.size(); ++i)
      if (!points_[i].velocity.empty() || !points_[i].acceleration.empty())
        point_fault(i, "spline-ends", "velocity and acceleration are for the ends",
                    "leave them out: the spline finds its own");
    if (root_.fault_count() != faults_before) return {};
    std::vector<double> times{0};
    for (std::size_t i = 1; i < points_.size(); ++i) times.push_back(times.back() + *points_[i].duration);
    SplineEnds ends = kind == Ends::periodic ? SplineEnds::cycle()
                      : kind == Ends::open   ? SplineEnds::natural()
                                             : SplineEnds::clamped(degree, *size_);
    // what a point says of its end takes the place of the general word
    for (const auto& [point, end] : {std::pair{&points_.front(), &ends.start}, {&points_.back(), &ends.end}})
      if (!point->velocity.empty() || !point->acceleration.empty()) *end = {point->velocity, point->acceleration};
    return checked(spline_motion(times, positions(), degree, ends), "path");
  }

  template <class M>
  Trajectory checked(const Result<M>& motion, std::string_view key) {
    if (motion) return Trajectory(*motion);
    blame(root_, key, motion.faults());
    return {};
  }

  void take_limits_of_robot(TomlTable& table, ScalingLimits& limits) {
    const auto wanted = table.texts("robot");
    if (!wanted || !robot_) return;
    const ScalingLimits own = limits_of(*robot_);
    for (const std::string& word : *wanted) {
      const auto bound = scaling_bound(word);
      if (!bound) {
        const std::vector<std::string> known{"velocity", "acceleration", "effort"};
        const std::string hint = did_you_mean(word, known);
        table.fault("robot", "word-unknown", fmt::format("\"{}\" is no limit of a robot file", word),
                    hint.empty() ? "write \"velocity\", \"acceleration\" or \"effort\"" : hint);
        continue;
      }
      std::vector<double>& into = limits.*bound;
      const std::vector<double>& from = own.*bound;
      if (!into.empty())
        table.fault("robot", "key-twice", fmt::format("{} is given beside it", word), "keep one of them");
      else if (std::none_of(from.begin(), from.end(), [](double x) { return std::isfinite(x); }))
        table.fault("robot", "motion-limit", fmt::format("{} has no {} limits", robot_->name, word),
                    fmt::format("give {} = [...] here, or limits in the robot file", word));
      else
        into = from;
    }
  }

  TomlTable& root_;
  const Model<double>* robot_;
  std::optional<std::size_t> size_;
  std::vector<CoordinateKind> kinds_;
  Through through_ = Through::stops;
  bool limited_ = false;  // least times instead of durations
  std::optional<std::size_t> jerk_of_robot_;  // a coordinate with one in the robot file and none in the motion
  std::vector<JointPoint> points_;
  std::vector<std::size_t> corners_;
};

}  // namespace

std::optional<ScalingLimits> read_scaling_limits(TomlTable& root, const Model<double>* robot) {
  return JointReader(root, robot).scaling_limits();
}

bool read_joint_motion(TomlTable& root, const Model<double>* robot, PlannedMotion& planned) {
  JointReader reader(root, robot);
  Trajectory motion;
  if (!reader.read(motion)) return false;
  planned.scaling = reader.scale(motion);
  planned.motion = motion;
  planned.notes = reader.positions_beyond_limits();
  planned.corners = reader.corners();
  return true;
}

}  // namespace torsor::detail

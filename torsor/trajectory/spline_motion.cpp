#include "torsor/trajectory/spline_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "torsor/expect.hpp"
#include "torsor/numeric/finite.hpp"
#include "torsor/trajectory/knot_equations.hpp"

namespace torsor {
namespace {

Faults faults(std::span<const double> times, std::span<const std::vector<double>> positions, SplineDegree degree,
              const SplineEnds& ends) {
  Faults errors;
  const auto fault = [&errors](std::string offender, std::string rule, std::string what, std::string remedy) {
    errors.push_back({{}, std::move(offender), std::move(rule), std::move(what), std::move(remedy)});
  };
  const std::size_t n = positions.size(), least = ends.periodic ? 3 : 2;
  if (n < least)
    fault("positions", "spline-points", fmt::format("there are {}", n), fmt::format("give at least {}", least));
  const bool open = ends.start.velocity.empty() && ends.start.acceleration.empty() && ends.end.velocity.empty() &&
                    ends.end.acceleration.empty();
  if (n == 2 && degree == SplineDegree::quintic && open && !ends.periodic)
    fault("positions", "spline-points", "two leave a natural quintic open: any parabola through them is as good",
          "give a third position, or a velocity or acceleration at an end");
  if (times.size() != n)
    fault("times", "motion-size", fmt::format("there are {} for {} positions", times.size(), n),
          "give one per position");
  if (!all_finite(times)) fault("times", "motion-finite", "one is not finite", "give finite times");
  for (std::size_t i = 1; i < times.size(); ++i)
    if (times[i] <= times[i - 1])
      fault(fmt::format("time {}", i + 1), "spline-times", fmt::format("{} comes after {}", times[i], times[i - 1]),
            "give increasing times");
  if (n == 0) return errors;
  for (std::size_t i = 0; i < n; ++i) {
    if (positions[i].size() != positions[0].size())
      fault(fmt::format("position {}", i + 1), "motion-size",
            fmt::format("has {} coordinates, the first {}", positions[i].size(), positions[0].size()),
            "give as many as the robot has");
    if (!all_finite(positions[i]))
      fault(fmt::format("position {}", i + 1), "motion-finite", "has a coordinate that is not finite",
            "give finite positions");
  }
  for (const auto& [name, end] : {std::pair{"start", &ends.start}, std::pair{"end", &ends.end}}) {
    for (const auto* given : {&end->velocity, &end->acceleration})
      if (!given->empty() && (given->size() != positions[0].size() || !all_finite(*given)))
        fault(name, "spline-ends", "needs one finite number per coordinate, or none",
              "give as many as there are coordinates");
    if (degree == SplineDegree::cubic && !end->velocity.empty() && !end->acceleration.empty())
      fault(name, "spline-ends", "a cubic spline takes a velocity or an acceleration",
            "give one, or take a quintic spline");
    if (ends.periodic && !(end->velocity.empty() && end->acceleration.empty()))
      fault(name, "spline-ends", "a periodic spline has no ends", "give no velocity and no acceleration");
  }
  if (ends.periodic && positions.front() != positions.back())
    fault("last position", "spline-periodic", "is not the first", "end a periodic motion where it starts");
  return errors;
}

}  // namespace

void SplineMotion::sample(double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) const {
  TORSOR_EXPECT(q.size() == size() && qd.size() == size() && qdd.size() == size());
  const bool moving = t >= 0 && t <= duration();
  // the end exactly, whatever the sum makes of it
  const double time = t >= duration() ? spline_.t.back() : spline_.t.front() + (moving ? t : 0);
  for (std::size_t i = 0; i < size(); ++i) {
    const SmoothingSpline::Point at = spline_.at(std::min(time, spline_.t.back()), i);
    q[i] = at.s;
    qd[i] = moving ? at.sd : 0;
    qdd[i] = moving ? at.sdd : 0;
  }
}

Result<SplineMotion> spline_motion(std::span<const double> times, std::span<const std::vector<double>> positions,
                                   SplineDegree degree, const SplineEnds& ends) {
  Faults errors = faults(times, positions, degree, ends);
  if (!errors.empty()) return errors;
  SplineMotion motion;
  SmoothingSpline& spline = motion.spline_;
  const std::size_t n = positions.size(), channels = positions[0].size();
  spline.status = SplineStatus::ok;
  spline.channels = channels;
  spline.t.assign(times.begin(), times.end());
  for (const auto& position : positions) spline.s.insert(spline.s.end(), position.begin(), position.end());

  if (degree == SplineDegree::cubic) {
    const detail::KnotEquations<1> equations(spline.t, spline.s, channels);
    spline.sd = ends.periodic ? equations.solve_periodic() : equations.solve(ends);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t c = 0; c < channels; ++c) {
        // the acceleration at the right end of the interval before, for the first knot at the left end of its own
        const std::size_t a = (i == 0 ? 0 : i - 1) * channels + c, b = a + channels;
        const double h = i == 0 ? spline.t[1] - spline.t[0] : spline.t[i] - spline.t[i - 1];
        spline.sdd.push_back(detail::stresses(spline.s[b] - spline.s[a], detail::Column<1>{spline.sd[a]},
                                              detail::Column<1>{spline.sd[b]}, h)[i == 0 ? 0 : 1][0]);
      }
  } else {
    const detail::KnotEquations<2> equations(spline.t, spline.s, channels);
    const std::vector<double> z = ends.periodic ? equations.solve_periodic() : equations.solve(ends);
    for (std::size_t i = 0; i < n; ++i) {
      const auto row = z.begin() + static_cast<std::ptrdiff_t>(2 * i * channels),
                 middle = row + static_cast<std::ptrdiff_t>(channels);
      spline.sd.insert(spline.sd.end(), row, middle);
      spline.sdd.insert(spline.sdd.end(), middle, middle + static_cast<std::ptrdiff_t>(channels));
    }
  }
  return motion;
}

Result<SplineMotion> sampled_motion(std::span<const MotionRow> rows) {
  Faults errors;
  const auto fault = [&errors](std::size_t i, const char* rule, std::string what, const char* remedy) {
    errors.push_back({{}, fmt::format("sample {}", i + 1), rule, std::move(what), remedy});
  };
  if (rows.size() < 2) return Fault{{}, "motion", "motion-points", "has fewer than two samples", "give at least two"};
  const std::size_t channels = rows[0].q.size();
  SplineMotion motion;
  SmoothingSpline& spline = motion.spline_;
  spline.status = SplineStatus::ok;
  spline.channels = channels;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const MotionRow& row = rows[i];
    if (i > 0 && !(row.t > rows[i - 1].t))
      fault(i, "motion-duration", "is not behind the one before it", "give increasing times");
    if (row.q.size() != channels || row.qd.size() != channels || row.qdd.size() != channels) {
      fault(i, "motion-size", fmt::format("has not {} positions, velocities and accelerations", channels),
            "give as many as the first has");
      continue;
    }
    spline.t.push_back(row.t);
    spline.s.insert(spline.s.end(), row.q.begin(), row.q.end());
    spline.sd.insert(spline.sd.end(), row.qd.begin(), row.qd.end());
    spline.sdd.insert(spline.sdd.end(), row.qdd.begin(), row.qdd.end());
  }
  if (!errors.empty()) return errors;
  return motion;
}

namespace {

struct MotionPiece {
  double begin = 0;
  MotionRow first;
  std::optional<SplineMotion> along;  // of one row: nothing
  double duration() const { return along ? along->duration() : 0; }
};

}  // namespace

Result<Trajectory> piecewise_motion(std::span<const std::vector<MotionRow>> pieces) {
  TORSOR_EXPECT(!pieces.empty() && !pieces.front().empty());
  const auto made = std::make_shared<std::vector<MotionPiece>>();
  std::vector<double> breaks;
  const double start = pieces.front().front().t;
  for (const std::vector<MotionRow>& each : pieces) {
    MotionPiece piece{each.front().t - start, each.front(), std::nullopt};
    if (each.size() > 1) {
      auto motion = sampled_motion(each);
      if (!motion) return motion.faults();
      piece.along = *std::move(motion);
    }
    if (!made->empty()) breaks.push_back((made->back().begin + made->back().duration() + piece.begin) / 2);
    made->push_back(std::move(piece));
  }
  const auto sample = [made, breaks](double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) {
    const auto behind = std::upper_bound(breaks.begin(), breaks.end(), t);
    const MotionPiece& piece = (*made)[static_cast<std::size_t>(behind - breaks.begin())];
    if (piece.along) return piece.along->sample(std::clamp(t - piece.begin, 0.0, piece.duration()), q, qd, qdd);
    std::copy(piece.first.q.begin(), piece.first.q.end(), q.begin());
    std::copy(piece.first.qd.begin(), piece.first.qd.end(), qd.begin());
    std::copy(piece.first.qdd.begin(), piece.first.qdd.end(), qdd.begin());
  };
  const double duration = made->back().begin + made->back().duration();
  return Trajectory(pieces.front().front().qd.size(), duration, sample, breaks);
}

}  // namespace torsor

// A motion as the questions of structure need it: q, qd, qdd at any time, and the instants to look at. Made from any joint
// motion, or from rows of a table; between two rows the position is the cubic that has their positions and velocities,
// and the acceleration goes straight from one to the other. What is largest on a motion is seldom so at one of the instants:
// it is looked for between them by golden section, beside every instant that comes near.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace torsor {

struct Course {
  std::vector<double> times;  // [s], increasing: the instants to look at
  std::function<void(double t, std::span<double> q, std::span<double> qd, std::span<double> qdd)> sample;
};

/// One instant of a table: n coordinates each.
struct CourseRow {
  double t = 0;
  std::vector<double> q, qd, qdd;
};

/// Through the rows of a table, at least one, whose times increase; all of them are looked at.
Course course_through(std::vector<CourseRow> rows);

/// Any joint motion (torsor/trajectory/motion.hpp), at evenly spread instants: `steps` of them and the start.
template <class M>
Course course_of(M motion, int steps = 400) {
  Course out;
  for (int k = 0; k <= steps; ++k) out.times.push_back(motion.duration() * k / steps);
  if (!(motion.duration() > 0)) out.times.resize(1);
  out.sample = [motion = std::move(motion)](double t, std::span<double> q, std::span<double> qd,
                                            std::span<double> qdd) { motion.sample(t, q, qd, qdd); };
  return out;
}

/// The same motion with instants between: eight times as many, or for long tables as many as 40 000 allow, at least twice.
Course finer(Course);

/// For each of `count` functions of time the instant at which it is largest, the instants of the course and between them.
std::vector<double> peak_times(const Course&, std::size_t count,
                               const std::function<void(double t, std::span<double> values)>&);

}  // namespace torsor

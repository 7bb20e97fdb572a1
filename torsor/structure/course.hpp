// A motion as the questions of structure need it: q, qd, qdd at any time, and the instants to look at. Made from any joint
// motion, or from rows of a table; between two rows the position is the cubic that has their positions and velocities,
// and the acceleration goes straight from one to the other. What is largest on a motion is seldom so at one of the instants:
// it is looked for between them by golden section, beside every instant that comes near.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "torsor/trajectory/trajectory.hpp"

namespace torsor {

struct Course {
  std::vector<double> times;  // [s], increasing: the instants to look at
  Trajectory::Sample sample;
};

/// Through the rows of a table, at least one, whose times increase; all of them are looked at.
Course course_through(std::vector<MotionRow> rows);

/// A motion at evenly spread instants: `steps` of them and the start.
Course course_of(const Trajectory& motion, int steps = 400);

/// The same motion with instants between: eight times as many, or for long tables as many as 40 000 allow, at least twice.
Course finer(Course);

/// For each of `count` functions of time the instant at which it is largest, the instants of the course and between them.
std::vector<double> peak_times(const Course&, std::size_t count,
                               const std::function<void(double t, std::span<double> values)>&);

}  // namespace torsor

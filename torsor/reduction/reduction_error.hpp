// How wrong a reduced model can be inside ranges of position, velocity and acceleration. What was dropped is itself a list of
// terms, and its torques are the error.
//
// Found: many starts at random, from the best of them ascent along one coordinate after the other. The error is linear in
// each acceleration and quadratic in each velocity, so that these steps are exact; positions are searched on a grid, refined by
// a parabola. What a search finds can be exceeded; a bound that cannot is in proven_error.hpp.
#pragma once

#include <cstdint>
#include <optional>

#include "torsor/reduction/reduced_model.hpp"
#include "torsor/structure/course.hpp"

namespace torsor {

/// A state of a robot of n joints of one degree of freedom.
struct JointState {
  std::vector<double> q, qd, qdd;
};

/// The state of n joints at an instant of a motion, and those at all the instants to look at.
JointState state_at(const Course&, double t, int n);
std::vector<JointState> states_on(const Course&, int n);

/// Those, the instants between them, and the ones where a coordinate, its velocity or its acceleration is least or most.
std::vector<JointState> telling_states(const Course&, int n);

/// The least boxes that hold all states; at least one of them.
struct StateRanges {
  std::vector<StateRange> q, qd, qdd;
};
StateRanges ranges_of(std::span<const JointState> states);

struct SearchOptions {
  int draws = 1000, starts = 6;  // random states; how many of them are climbed from, per joint and sign
  std::uint64_t seed = 1985;
};

/// As many states inside the ranges as there are draws, every other one with its rates at ends of theirs.
std::vector<JointState> random_states(const StateRanges&, const SearchOptions&);

struct WorstState {
  double error = 0;  // |torque| over the joint's scale
  JointState state;
};

/// Per joint the largest torque of these terms that a search finds, relative to the scales.
std::vector<WorstState> worst_errors(const ReducedModel& dropped, const StateRanges&, std::span<const double> scale,
                                     const SearchOptions& = {});

/// Per joint the largest one at these states.
std::vector<WorstState> worst_errors_at(const ReducedModel& dropped, std::span<const JointState> states,
                                        std::span<const double> scale);

/// Per joint the largest one at or between the instants of a motion.
std::vector<WorstState> worst_errors_on(const ReducedModel& dropped, const Course&, std::span<const double> scale);

/// Least eigenvalue that a search finds of the mass matrix scaled to a diagonal of ones: positive where it is positive
/// definite, -1 where a diagonal entry is not positive.
double least_eigenvalue(const ReducedModel&, std::span<const StateRange> q, const SearchOptions& = {});

/// Whether it is positive definite everywhere, by intervals; false also where that cannot be shown with so many boxes. For up to
/// three joints.
bool is_proven_definite(const ReducedModel&, std::span<const StateRange> q, int boxes = 20000);

}  // namespace torsor

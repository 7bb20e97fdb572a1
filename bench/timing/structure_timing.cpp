#include "bench/timing/structure_timing.hpp"

#include <algorithm>

#include "bench/timing/clock.hpp"
#include "torsor/model/general_arm.hpp"
#include "torsor/structure/exact_structure.hpp"

namespace torsor {
namespace {

StructureTime timed(std::string what, const ExactRobot& robot, Level level, double seconds_each) {
    StructureTime out{std::move(what), 0, 0, 0};
  double spent = 0;
  do {
    const Clock::time_point start = Clock::now();
    const ExactStructure found = exact_structure(robot, level);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    out.seconds = spent == 0 ? seconds : std::min(out.seconds, seconds);
    out.coefficients = static_cast<int>(found.coefficients.size());
    out.nonzero = total(found.nonzero_counts());
    spent += seconds;
  } while (spent < seconds_each);
  return out;
}

}  // namespace

Result<std::vector<StructureTime>> time_structure(const Description& description, double seconds_each) {
  const Result<ExactRobot> robot = exact_robot(description);
  if (!robot) return robot.faults();
  constexpr int chain = 30;
  const Result<ExactRobot> general = exact_robot(general_arm(chain, Convention::standard_dh));
  if (!general) return general.faults();
  return std::vector{timed("these numbers", *robot, Level::numbers, seconds_each),
                     timed("equal moments", *robot, Level::equal_moments, seconds_each),
                     timed("the same zeros", *robot, Level::zeros, seconds_each),
                     timed("any inertias", *robot, Level::generic, seconds_each),
                     timed("general chain of " + std::to_string(chain), *general, Level::numbers, seconds_each)};
}

}  // namespace torsor

// Which changes of a robot make its equations simpler: every candidate (design_change.hpp) is tried exactly, on the changed
// robot, and those that leave fewer coefficients are proposals, each with what it removes, what it brings, and what it does to
// peak torques and coupling along a motion of the joints.
//
// No proposal is a change after which the mass matrix is singular, unless that of the robot is so already; after which a tool
// has lost a degree of freedom, half of its reach or most of its manipulability (tool_freedom.hpp); or after which there are
// not fewer coefficients than before.
// Ranked by what it is worth on the motion: the mean of three ratios of after to before, of peak torques (sum over the joints
// of a kind), of energy and of coupling (mean over pairs); of equals the one with fewer coefficients. A change that raises
// both peak torques and energy is not worth it, however much coupling it removes, and comes after those that are. Of changes of
// one link and kind, and of counterbalances, with the same effect on the structure, the one with the fewest numbers stays.
// One proposal is greedy: the changes of masses that go best together, each found on the robot that has those before it.
// Where pairs are asked for, every coefficient that is left is looked for among all changes two at a time.
#pragma once

#include "torsor/reduction/design_change.hpp"
#include "torsor/reduction/guidelines.hpp"
#include "torsor/reduction/motion_effect.hpp"
#include "torsor/reduction/tool_freedom.hpp"

namespace torsor {

struct Proposal {
  DesignChange change;
  ExactStructure structure;           // of the changed robot, Level::numbers
  std::vector<std::size_t> removed;   // coefficients, by number in the structure
  std::vector<std::size_t> brought;   // that were zero before
  std::vector<std::size_t> steadied;  // that are constant now and were not
  MotionEffect effect;
  std::vector<ToolFreedom> freedom;  // of the tools of the changed robot
  double peak_ratio = 1;             // of the sum of peak torques after to before
  double energy_ratio = 1;           // of energy after to before
  double coupling_ratio = 1;         // of mean coupling after to before
  int number = 0;                    // its place among the proposals, from 1

  /// What is left of torques, energy and coupling, in the mean.
  double cost() const { return (peak_ratio + energy_ratio + coupling_ratio) / 3; }
  /// Whether the mean gets less, and not both peak torques and energy more.
  bool worth_it() const {
    constexpr double same = 1e-9;
    return cost() < 1 && !(peak_ratio > 1 + same && energy_ratio > 1 + same);
  }
  int count() const { return total(structure.nonzero_counts()); }
  int saved() const { return static_cast<int>(removed.size()) - static_cast<int>(brought.size()); }
};

struct DesignGuide {
  StructureAnswer now;
  GuidelineCheck guidelines;
  MotionEffect effect;              // of the robot as it is
  std::vector<ToolFreedom> freedom; // of its tools
  std::vector<Proposal> proposals;  // ranked
  int tried = 0;                    // candidates

  /// The best-ranked proposals that remove a coefficient, by number; at most `most`.
  std::vector<std::size_t> removing(std::size_t coefficient, std::size_t most = 3) const;
};

/// The most coordinates whose changes are tried.
inline constexpr int most_guided = 40;
/// The most coordinates for which two changes at once are tried: thousands of pairs.
inline constexpr int most_paired = 8;

struct GuideOptions {
  StructureOptions structure{};
  bool keep_axes = false;  // only changes of masses
  bool pairs = false;      // for coefficients that no single change removes, the two changes that do
};

/// The guide for a robot of joints with a coordinate each, along a course of its joints; or why there is none.
Result<DesignGuide> guide(const Description&, const Course&, const GuideOptions& = {});

}  // namespace torsor

// All solutions of an arm of six joints of any geometry, up to 16: loop_elimination.hpp finds them, Newton's
// method on the loop as described makes them exact, so that no answer depends on what the elimination lost to rounding.
// Which joint is left over decides how well it is conditioned: with right angles, zero lengths, parallel and meeting
// axes most choices have a determinant that is zero for every pose, or solutions that share the angle. So all 36 cuts
// of the loop are tried on random poses when the solver is made, and the best are kept; where a pose leaves doubt about
// the first, others are united with it. Two prismatic joints or more that are not neighbours leave no cut: such arms have
// eight solutions at most, and descents from seeded draws find them.
#pragma once

#include <span>

#include "torsor/closed_form_ik/loop_elimination.hpp"

namespace torsor {

/// One solution.
struct TurningSolution {
  SixAngles q{};  // rad, -pi .. pi; m of a prismatic joint
  LoopMeasure measure;
  bool family = false;  // a curve of solutions leads through it
};

struct TurningSolutions {
  static constexpr int most = 32;
  std::array<TurningSolution, most> solution;
  int count = 0;
  int cuts = 0;        // how many were needed
  int flat = 0;        // of them: whose determinant is zero all along
  bool doubt = false;  // the last of them left some
  int simple_zeros = 0, double_zeros = 0;  // of the polynomial of the first cut
  bool searched = false;                   // by descents from drawn positions

  std::span<const TurningSolution> all() const { return {solution.data(), static_cast<std::size_t>(count)}; }
  /// By the first joint, then the second: an order that does not depend on how they were found.
  void sort();
};

class SixTurns {
 public:
  /// X_world_tool = B_0 J_1(q_1) B_1 ... J_6(q_6) B_6; lengths in m. Which joints slide: J = Tz(q), else Rz(q).
  explicit SixTurns(const std::array<Transform<double>, 7>& B, const std::array<bool, 6>& slides = {});

  /// The same joints at other places, as when a seventh is held at another angle: cuts that were good remain so.
  SixTurns with(const std::array<Transform<double>, 7>& B) const;

  /// Every solution for a pose, in the order of the joint left over; never allocates.
  void solve(const Transform<double>& X_world_tool, TurningSolutions& out) const;

  /// The same in two steps: by elimination alone, which answers whether nothing is left in doubt; and the search for more where
  /// something is, which takes a hundred times as long.
  bool solve_by_cuts(const Transform<double>& X_world_tool, TurningSolutions& out) const;
  void search_on(const Transform<double>& X_world_tool, TurningSolutions& out) const;

  /// The loop for a pose, lengths in units of the arm's size.
  TurningLoop loop(const Transform<double>& X_world_tool) const;
  /// Slides in those units, or back in m; angles stay as they are.
  SixAngles to_loop(const SixAngles& q) const;
  SixAngles from_loop(const SixAngles& q) const;
  const std::array<bool, 6>& slides() const { return slides_; }
  Transform<double> tool_pose(const SixAngles& q) const;
  /// Likewise, with the frames of the joints.
  Transform<double> tool_pose(const SixAngles& q, std::array<Transform<double>, 6>& joint) const;

  /// m: the sum of the distances between the joints.
  double size() const { return size_; }
  /// Whether poses determine the joints, at least in general.
  bool serves() const { return serves_; }
  /// B_0 .. B_6.
  const std::array<Transform<double>, 7>& placements() const { return B_; }
  /// Cuts, the best first.
  std::span<const LoopCut> cuts() const { return {cuts_.data(), static_cast<std::size_t>(cut_count_)}; }

 private:
  SixTurns() = default;
  void take(const std::array<Transform<double>, 7>& B);
  bool run_cut(const TurningLoop&, const LoopCut&, TurningSolutions&, double touching) const;
  void search(const TurningLoop&, TurningSolutions&) const;
  bool solve_loop(const TurningLoop&, TurningSolutions&) const;

  std::array<Transform<double>, 7> B_;
  std::array<bool, 6> slides_{};
  double size_ = 1;
  std::array<LoopCut, 36> cuts_;
  int cut_count_ = 0;
  bool serves_ = false;
};

}  // namespace torsor

// The search of plan_redundancy.hpp: positions at instants of a path, the steps between them, and ways through them all by
// dynamic programming (Bellman 1957). A step is looked at closely only where the best way takes it; if the arm cannot go it, it
// is struck out, and the best way found anew.
#pragma once

#include "torsor/numeric_ik/inverse_kinematics.hpp"
#include "torsor/numeric_ik/self_motion.hpp"
#include "torsor/trajectory/tool_path.hpp"

namespace torsor {

/// An arm of seven joints on a path, and what is wanted of its way.
struct PlannedArm {
  PlannedArm(const InverseKinematics&, const ToolPath&, std::string_view objective);

  /// What a position is worth where the worst one of the way counts.
  double worth(const SelfPosition& p) const {
    return objective == "limits" ? p.margin : objective == "singularity" ? p.sigma : 0;
  }
  /// Whether the shortest way counts, and no worst place.
  bool is_shortest() const { return objective == "shortest"; }
  /// Inside the limits, each shrunk by so many units of its joint; of joints that have turns to choose from whatever the turn.
  bool inside(SevenAngles x, double by = 0) const;
  std::vector<double> whole_position(const SevenAngles& x) const;

  const InverseKinematics& solver;
  const ToolPath& path;
  std::string_view objective;
  const RedundantArm& arm;
  SelfMotion self;
  std::array<bool, 7> turns{};  // joints of which all whole turns are one place, to be chosen at the end
  std::array<Limits, 7> limits{};
};

/// How finely is looked: how far the tool goes between two instants (rad, and arm lengths), and how far apart positions are.
struct Fineness {
  double tool = 0.06, step = 0.1;
  double farthest = 0.3;  // that a joint may go between two instants, in its unit
  double shy = 0.01;      // how far positions stay off the limits
};

struct PlanInstant {
  double u = 0;
  Transform<double> X;
  std::vector<SelfPosition> positions;
  // steps from position i of the instant to positions of the next: to[first[i]] .. to[first[i + 1] - 1]
  std::vector<std::size_t> first, to;
  std::vector<double> length;  // of each step; infinite: struck out
  std::vector<double> cost;    // of each position to the end of the path
  std::vector<std::size_t> next;
};

/// A way from one piece of the positions of the first pose to the end.
struct PlannedWay {
  int piece = 0;
  double worth = 0;   // of its worst position; where the shortest counts the less the longer
  double enough = 0;  // what its positions are worth at least, by what was asked of it
  double length = 0;
  std::vector<SevenAngles> x;  // at each instant, each joint running on over whole turns
};

class RedundancySearch {
 public:
  explicit RedundancySearch(PlannedArm& arm) : arm_(arm) {}

  /// Instants along the path, and the positions at each.
  void lay_out(const Fineness&);
  /// All steps that are short enough, and, if that counts, slow enough.
  void join(bool speeds);
  /// The best way from each piece that has one, the best first.
  std::vector<PlannedWay> ways();

  const std::vector<PlanInstant>& instants() const { return instants_; }
  /// Pieces of positions of the first pose: 1 .. pieces().
  int pieces() const;
  /// The last instant to which a piece leads, and which of its positions it reaches.
  std::size_t farthest(int piece, std::vector<char>& reached) const;
  /// An instant whose pose has no solution at all, limits or not.
  bool is_out_of_reach() const;

 private:
  using Way = std::vector<std::size_t>;  // a position of each instant

  void shortest(double least_worth, std::size_t last);
  double best_worth(int piece) const;
  bool can_go(const PlanInstant& here, std::size_t i, const PlanInstant& ahead, std::size_t j);
  Way checked_way(int piece, double least_worth);
  std::optional<std::size_t> first_bad_step(const Way&);
  void strike(std::size_t l, const Way&);
  std::vector<SevenAngles> positions_of(const Way&) const;

  PlannedArm& arm_;
  Fineness fineness_;
  std::vector<PlanInstant> instants_;
  std::vector<std::array<std::size_t, 3>> good_;  // steps that were looked at and can be gone
};

}  // namespace torsor

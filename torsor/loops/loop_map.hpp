// gamma: positions of all joints from those of the independent ones, and the map of rates. Each cluster keeps the
// position it was closed at last and is followed from there, so that its branch (assembly mode) is kept: a step of q_a is
// taken only where it and Newton's first correction are small against the distance to the next singular position (Kantorovich),
// else it is halved. So no step leaps over one, behind which the other branch may be as near. What cannot be reached from the last position is tried once more from where the loops were assembled.
// Clusters of dyads are closed in closed form (planar_dyads.hpp) away from dead centres, with steps that are as sure.
//
// Where a cluster cannot be closed, or only at a dead centre, positions stay those of before and the answer says which
// coordinate has lost its motion.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "torsor/loops/cluster_kinematics.hpp"
#include "torsor/loops/planar_dyads.hpp"

namespace torsor {

/// What became of closing the loops. dead_centre: they close there, but some independent coordinate cannot move, or
/// dependent joints can without it. open: they cannot be closed there without passing such a position.
struct LoopStatus {
  enum Kind { closed, dead_centre, open } kind = closed;
  int cluster = -1;
  int coordinate = -1;      // of q_a: the one whose motion is lost
  double reached = 1;       // how much of the way from the last position, or the assembly, was followed
  double determined = 1;    // ClusterKinematics::determined() there

  explicit operator bool() const { return kind == closed; }
};

class LoopMap {
 public:
  /// Without closed_forms all clusters are closed by Newton's method.
  LoopMap(const Tree<double>& tree, std::shared_ptr<const LoopModel> loops, bool closed_forms = true);

  /// Closes the loops at q_a (finite numbers); q() and G are then those there.
  LoopStatus place(std::span<const double> q_a);
  /// Forgets where it was: what follows is reached from where the loops were assembled.
  void return_to_start();
  /// Of the whole tree, closed.
  std::span<const double> q() const { return q_; }

  /// Rates of the whole tree, G x.
  void rates(std::span<const double> x, std::span<double> all) const;
  /// Accelerations of the whole tree: G qdd_a + dG/dt qd_a; qd is complete. An empty qdd_a is zero.
  void accelerations(std::span<const double> qd, std::span<const double> qdd_a, std::span<double> qdd);
  /// G^T tau. tau of the tree is changed.
  void project(std::span<double> tau, std::span<double> tau_a) const;
  /// G^T A of a matrix with a row for each rate of the tree, `columns` numbers long.
  void project_rows(std::span<const double> A, int columns, std::span<double> GA) const;
  /// Of `rows` rows of nv numbers: A G, rows of so many as q_a has rates.
  void columns(std::span<const double> A, int rows, std::span<double> AG) const;

  /// The largest loop-closure error where the loops were closed last, m or rad.
  double residual();
  const LoopModel& model() const { return *loops_; }

 private:
  enum class Step { done, too_large, inconsistent };
  struct Cluster {
    ClusterKinematics<double> kinematics;
    std::vector<int> q_a, v_a;       // of its independent numbers: where they stand in q_a and qd_a
    std::vector<double> to, target;  // independent positions, while a way is followed
    std::vector<double> before;      // what a step that is not taken goes back to
    std::vector<double> change;      // predicted, of the dependent joints
    double residual = 0;
    std::optional<PlanarDyads> dyads;  // closed form; none: Newton's method alone
    bool by_dyads = false;             // it was closed by them last: kinematics knows nothing of the position but G
  };

  const Tree<double>& tree_;
  std::shared_ptr<const LoopModel> loops_;
  std::vector<Cluster> clusters_;
  std::vector<double> q_, kept_;
  std::vector<double> rates_, curve_;  // along a step that is predicted
  bool at_start_ = true;  // nothing was followed yet, or since return_to_start()

  LoopStatus follow(int k, std::span<const double> q_a);
  /// From where cluster k is closed now, to `to`.
  LoopStatus follow(int k);
  Step step(int k, std::span<const double> target);
  Step newton_step(int k, std::span<const double> target);
  /// What is known of the position where cluster k is closed now: by its equations; or by its dyads where these can.
  void settle(int k);
  void find_map(int k);
  int lost_coordinate(int k) const;
};

}  // namespace torsor

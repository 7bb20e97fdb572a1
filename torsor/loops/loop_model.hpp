// Loops of a robot as clusters of its tree, prepared for constraint embedding: which joints of the tree are solved for
// (dependent) and which are left as coordinates of the whole (independent, q_a).
//
//   q = gamma(q_a),   qd = G qd_a,   qdd = G qdd_a + dG/dt qd_a,   tau_a = G^T tau,   M_a = G^T M G
//
// The equations of a loop see only the joints on the way between its two links. Loops that share a joint are one cluster; clusters know nothing of one
// another, so that G is block diagonal and the cost is linear in their number. R. Featherstone, Rigid Body Dynamics
// Algorithms, 2008, ch. 8; A. Jain, Robot and Multibody Dynamics, 2011, ch. 15 (constraint embedding).
//
// Which joints are independent is decided once, where the loops close first: as few actuated ones as possible are
// solved for, and among joints of equal right those by which the equations are best determined (pivots of J).
#pragma once

#include <string>
#include <vector>

#include "torsor/kinematics/joint_equations.hpp"
#include "torsor/loops/dyad_plan.hpp"
#include "torsor/model/description.hpp"

namespace torsor {

/// A loop inside its cluster. `body` counts the bodies of the cluster; -1 is what carries them all, `tree_body` (-1: the base).
struct ClusterLoop {
  struct Side {
    int body = -1;
    Transform<double> X;  // of the joint's frame, in the body
    int tree_body = -1;
  };
  struct OnTheWay {
    int entry = 0;  // of LoopCluster::entries
    bool of_j = false;
  };
  int loop = 0;  // of the description
  MechanismJointKind kind = MechanismJointKind::revolute;
  JointSizes sizes;
  Side i, j;
  std::vector<OnTheWay> way;
  int first_row = 0, rows = 0;  // of all rows of the cluster
};

struct LoopCluster {
  /// A motion that a body's joint allows, and the column of J it belongs to: a joint that follows another shares one.
  struct Entry {
    int body = 0, S = 0, column = 0;
  };
  /// A joint that is solved for: where its position stands, and its first number among the dependent ones.
  struct Solved {
    JointKind kind = JointKind::revolute;
    int q = 0, nq = 1, first = 0;
  };
  Transform<double> X_start;      // frame in which all is computed: at a joint, its z along it
  std::vector<int> bodies;        // of the tree, parents first
  std::vector<int> parents;       // of these, in the cluster; -1: what carries them all
  std::vector<int> first_entry;   // per body, and one more
  std::vector<Entry> entries;
  std::vector<int> coordinates;   // per column: velocity coordinate of the tree
  std::vector<double> column_unit, row_unit;  // lengths in units of `length`: columns by kept columns, rows by all rows
  std::vector<ClusterLoop> loops;
  std::vector<int> rows;          // those kept: others are zero in every position
  std::vector<int> dependent, independent;  // columns, ascending
  std::vector<Solved> solved;
  std::vector<int> independent_q;  // position numbers of the tree of the independent joints
  double length = 1;               // m: of its own
  std::optional<DyadPlan> dyads;   // how it is closed in closed form; none: by Newton's method

  int all_rows = 0, redundant = 0;  // equations that say nothing new
  double residual = 0;              // of the closed loops where they were assembled: m, or rad
};

/// Why a coordinate is what it is.
struct LoopJoint {
  std::string joint;
  bool independent = false, actuated = false;
};

struct LoopModel {
  std::vector<LoopCluster> clusters;
  std::vector<int> q, v;          // position and velocity numbers of the tree that are those of q_a and qd_a
  std::vector<double> reference;  // position of the tree (its nq) where the loops were assembled
  std::vector<LoopJoint> joints;  // of all clusters
  /// The coordinates alone, for who reads or prints them: names, kinds, limits. Without masses: nothing is computed with it.
  Model<double> coordinates;

  int nq() const { return static_cast<int>(q.size()); }
  int nv() const { return static_cast<int>(v.size()); }
};

/// Assembles the loops of a description near the starts of its joints and chooses coordinates; or says what does not close, is
/// rigid, or cannot be a coordinate. `tree` is build_tree() of it.
Result<LoopModel> assemble_loops(const Description& description, const Model<double>& tree);

}  // namespace torsor

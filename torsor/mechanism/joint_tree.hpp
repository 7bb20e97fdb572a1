// A spanning tree of the joints of a mechanism, and its equations seen from it. Every body hangs on one joint from another
// body or the ground; with T_b the motions that this joint leaves it,
//
//   V_b = V_parent (moved along to b) + T_b u_b
//
// and a row of an equation that is not in the tree becomes a row over the u_b of the joints between its bodies: those on
// the loop it closes. Equations of the tree depend on nothing, so that all questions of rank are questions of these rows,
// and loops that share no joint have nothing to do with one another. Where there are no loops nothing is left to compute.
//
// Wittenburg, Dynamics of Multibody Systems, 2nd ed. 2008, ch. 5.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "torsor/mechanism/constrained_motion.hpp"
#include "torsor/numeric/sparse_reduction.hpp"

namespace torsor {

class JointTree {
 public:
  /// Of equations evaluated at a state whose positions are assembled.
  JointTree(const Mechanism&, const MechanismState&, const MechanismEquations&, EquationSet);

  struct Node {
    int parent = ground, block = -1;  // block: of its joint; -1: nothing of the tree holds it
    int depth = 0;
    Vec3<double> way;  // from the parent's mass centre, as all lengths here in units of the mechanism's size
    int freedoms = 6;
    std::array<Motion<double>, 6> T;  // orthonormal; the first `freedoms` count
    int cluster = -1;
  };

  /// An equation that is not in the tree: its row in the mechanism, its gradients (made of length 1 all together) on the
  /// bodies of its block.
  struct Row {
    int row = 0, block = 0;
    std::vector<Force<double>> gradients;
  };

  /// Joints that loops connect, with the rows that close these; a joint in no loop is alone and has no rows.
  struct Cluster {
    std::vector<int> bodies;  // each on its joint, parents first
    std::vector<int> rows;    // in rows()
    int freedoms = 0;         // of the joints: columns
  };

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Row>& rows() const { return rows_; }
  const std::vector<Cluster>& clusters() const { return clusters_; }

  /// The rows of a cluster over the freedoms of its joints: of each the entries on its loop.
  std::vector<SparseReduction::Entries> matrix(const Cluster&) const;
  /// The motions of the cluster's bodies beside the body it hangs on, for given freedoms of its joints.
  std::vector<Motion<double>> motions(const Cluster&, std::span<const double> u) const;
  /// Adds a row of the cluster times a factor, as a force on each of its bodies.
  void add_row(const Cluster&, int index, double factor, std::span<Force<double>> on_bodies) const;
  /// Blocks of the tree that have to bear a sum of rows of the cluster, which is carried down the tree in place.
  std::vector<int> bearing_blocks(const Cluster&, std::span<Force<double>> on_bodies) const;

 private:
  const Mechanism& mechanism_;
  double size_;  // m: what all lengths are measured in, so that large and small mechanisms are alike
  std::vector<Node> nodes_;
  std::vector<Row> rows_;
  std::vector<Cluster> clusters_;
  std::vector<int> place_;  // of a body among those of its cluster
  std::vector<int> first_;  // of a body: its first freedom among those of its cluster

  /// Which joint is taken next of those that leave equally much: the one found first, so that all branches grow alike; or the one
  /// whose body has most joints to bodies that hang already, on the last of these.
  enum class Growth { in_breadth, about_loops };
  void grow(const MechanismState&, const MechanismEquations&, EquationSet, Growth);
  /// Bodies on the loops of all rows, a body counted for each.
  std::size_t length_of_loops() const;
  void hang(int body, int parent, int index, const MechanismState&, const MechanismEquations&);
  void gather_clusters();
  template <class Call>
  void along_loop(const Row&, const Call&) const;
};

}  // namespace torsor

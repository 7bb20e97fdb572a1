// Closing the loops of a cluster for the first time, from where its joints start: all joints are moved, each as little as
// it takes (Levenberg, Marquardt).
//
// The equations of some kinds hold for axes that point against each other, too. Where that is what is found, or nothing,
// the same is tried once more with the differences of the axes, z_j - z_i and, where nothing may turn, x_j - x_i,
// beside the equations: these vanish for axes that agree alone. Axes that are exactly opposed pull neither way; from a little
// beside the start they do.
#pragma once

#include <vector>

#include "torsor/loops/loop_model.hpp"

namespace torsor {

struct Closing {
  bool closed = false, flipped = false;
  double residual = 0;  // m or rad, whichever is larger
  int loop = 0;         // of the cluster: the one that is farthest from closed, or whose axes are flipped
};

/// q: of the tree, where it starts; then where the loops are closed, or nearest to it.
Closing close_cluster(const Tree<double>& tree, const LoopCluster& cluster, std::vector<double>& q);

/// The same from where all joints are, and for the dependent ones alone: others stay. Without other attempts.
Closing close_dependent(const Tree<double>& tree, const LoopCluster& cluster, std::vector<double>& q);

}  // namespace torsor

// Clusters that lie in a plane and whose loops can be closed one after the other, two unknown joints at a time: each
// such pair with the hinge that closes the loop is a dyad, a triangle of two known sides or a bar that slides, and has
// a closed form. So fall parallelograms, four-bars, five-bars, slider-cranks and cylinders on hinges, alone or sharing
// joints.
//
// The plan says which loop is closed when, by which joints, and on which branch; all in the plane, at the position
// where the loops were assembled (the reference). A body's displacement from there is a turn and a shift in the plane,
// wherever its frame is.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "torsor/model/model.hpp"

namespace torsor {

struct LoopCluster;

/// A point or a direction in the plane of the loops.
template <class T>
struct PlaneVector {
  T x{}, y{};
};
using PlanePoint = PlaneVector<double>;

struct DyadPlan {
  /// A joint between the links that a loop joins: it turns by gain (q - at_reference) about the plane's normal, or
  /// slides by it.
  struct Link {
    int q = 0, v = 0;  // of the tree
    double gain = 1, at_reference = 0;
    bool slides = false;
    PlanePoint place;                     // its pivot, or its direction
    int independent = -1, dependent = -1;  // place among those of the cluster: one of the two
  };
  struct Loop {
    std::vector<Link> links;  // of the side of i outward, then of the side of j
    int of_i = 0;             // how many belong to i
    PlanePoint end[2];        // where the closing hinge is, on i and on j
    int first = 0, second = 0;  // links that are solved for, in their order
    double r = 0, s = 0;  // sides of the triangle at the unknown hinges, first and second; of a hinge and a slide r alone;
                          // 0: a known joint between its ends changes it
    double sign = 1;      // the branch: on which side of the known line the triangle lies, or which way the slide ends
  };
  std::vector<Loop> loops;  // in the order in which they are closed
};

/// The plan of a cluster that is closed at the reference (of the tree) and whose joints are chosen; none where it is
/// not of this kind.
std::optional<DyadPlan> plan_dyads(const Tree<double>& tree, const LoopCluster& cluster,
                                   std::span<const double> reference);

}  // namespace torsor

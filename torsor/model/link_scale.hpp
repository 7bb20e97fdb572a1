// How large a link is, as far as its joints and its mass centre tell: what its radius of gyration is compared with.
#pragma once

#include <vector>

#include "torsor/model/model.hpp"

namespace torsor {

/// Lengths in m; 0 where nothing tells. The link's own joint is the origin of the body frame, its axis z.
struct LinkScale {
  double joints = 0;  // from the own joint to the farthest joint that the link carries
  double axes = 0;    // the same between axes, along which a joint may be put anywhere
  double others = 0;  // extent of the largest other link
  double robot = 0;   // largest distance between neighbouring joints of the whole robot
  bool axis = false;  // the own joint has one
  Transform<double> X_body_link;

  /// Extent of the link, generous, were its mass centre at `com` (in the link's frame).
  double extent(const Vec3<double>& com) const;
  /// Extent that the link cannot be without, whatever the choice of frames.
  double least_extent(const Vec3<double>& com) const;
  /// Distance of the mass centre from the own joint.
  double distance(const Vec3<double>& com) const;
};

/// The scale of each body of the model, and last that of its base. Joints farther apart than `longest` tell nothing.
std::vector<LinkScale> link_scales(const Model<double>&, double longest);

/// Bodies whose numbers matter to the motion: not the frames and sensors fixed to a link many times as heavy.
std::vector<char> bodies_that_matter(const Model<double>&);

}  // namespace torsor

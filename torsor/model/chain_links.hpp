// A description seen as a serial chain: one entry per moving joint, whatever is fixed to a link joined into it.
#pragma once

#include "torsor/model/description.hpp"

namespace torsor {

struct ChainLink {
  std::size_t source = 0;  // index of the link in the description
  std::string joint_name;
  Transform<double> X_base_body;      // pose of the body frame in the base frame, all joints at zero
  Transform<double> X_body_link;      // the author's link frame in the body frame
  Inertia<double> inertia;            // of the link and all that is fixed to it, in the body frame
  std::vector<Frame<double>> frames;  // tools on it, in the body frame; the last link's last one is the default tool
};

/// The chain from the base outwards, or why there is none: a branch, or a joint with other than one degree of freedom.
Result<std::vector<ChainLink>> chain_links(const Description&);

/// The model of the links alone: a rotor that the file makes a body is a drive, not a link.
Result<Model<double>> build_links(const Description&);

/// Index in the description of each body of its model (which holds no rotors as bodies).
std::vector<std::size_t> source_links(const Description&, const Model<double>&);

/// An inertia as one part about its mass centre, given in the frame X in which the inertia's own frame is.
Part part_of(const Inertia<double>&, const Where&, const Transform<double>& X = {});

/// The robot with a rigid body more, given in the frame of a tool or link of its model.
Description with_payload(Description, const Model<double>&, const Frame<double>&, const Part&);

/// Positions are sampled from minus this to plus this (rad, m).
inline constexpr double sampled_range = 3;

/// Largest difference of the default tool's pose between two models with the same coordinates, over sampled positions.
void compare_tools(const Model<double>&, const Model<double>&, double& position, double& angle);

}  // namespace torsor

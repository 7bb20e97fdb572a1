// Robot: a loaded, checked robot: links, joints, frames, limits, drives. An immutable value, cheap to copy, shared by
// threads; what changes it makes another.
//
//   const torsor::Robot arm = torsor::Robot::load("ur5e.urdf");
//   const torsor::Robot loaded = arm.with_payload({.mass = 2.5, .com = {0, 0, 0.1}});
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "torsor/model/chain_options.hpp"
#include "torsor/model/description.hpp"
#include "torsor/model/load_options.hpp"

namespace torsor {

/// A rigid body that the robot holds at a frame: kg; mass centre in the frame; tensor about it along the frame's axes, kg m^2.
struct Payload {
  double mass = 0;
  Vec3<double> com = {};
  Sym3<double> inertia = {};
};

/// Why no rigid body can have these numbers: a negative mass or moment, a moment larger than the other two together, a
/// mass centre or moments without a mass. Empty where one can.
Faults faults_of(const Payload&);

struct LoopModel;

class Robot {
 public:
  /// A robot in code. Throws Error with every fault of the description; try_build gives them.
  explicit Robot(Description description);
  static Result<Robot> try_build(Description description);

  /// A robot that comes with the library by its name, a robot file, URDF, xacro, MJCF or SDF by its path, or the text of any of
  /// these. Throws Error with every fault of the file; try_load gives them. The options are for xacro: arguments, packages.
  static Robot load(const std::string& name_path_or_text, const LoadOptions& options = {});
  static Result<Robot> try_load(const std::string& name_path_or_text, const LoadOptions& options = {});
  /// Names of the robots that come with the library and are trees; and of those with loops.
  static std::vector<std::string> names();
  static std::vector<std::string> names_with_loops();

  const std::string& name() const;
  int nq() const;  // numbers of a position; with loops of the independent joints alone
  int nv() const;  // and of a velocity
  /// The tree of its links. Throws Error (robot-loops) where loops close it: nothing that computes on a tree is to take it for
  /// one.
  const Model<double>& model() const;
  const Description& description() const;

  /// The loops and their independent joints; none for a tree.
  const std::shared_ptr<const LoopModel>& loops() const;
  /// The tree of its links, loops left out: for whoever closes them (Dynamics), or looks at links alone.
  const Model<double>& tree() const;
  /// Names, kinds and limits of its coordinates: model() of a tree; with loops those of the independent joints, without masses.
  const Model<double>& coordinates() const;

  /// A frame by its name: a tool of the file, or else a link. Without a name the default tool: the last of the file, or
  /// else a link that is called tool0, flange, tcp, ... and moves, or the end of the longest chain of movable joints
  /// (model/default_tool.hpp). Throws Error where there is none; find_frame gives the fault.
  Frame<double> tool() const;
  Frame<double> tool(const std::string& name) const;
  Result<Frame<double>> find_frame(const std::string* name = nullptr) const;

  /// The chain from a link (empty: the root) to a link or tool (empty: the default tool), a robot of its own. What hangs
  /// beside it is held rigid, its joints at zero or where the options hold them, and becomes part of the inertia of the link
  /// that carries it; joints that follow one of the chain are carried along. What was done stands in the description's
  /// notes, rule chain-cut. Throws Error where there is no such chain; try_chain gives the faults.
  Robot chain(const std::string& base = {}, const std::string& tool = {}, const ChainOptions& options = {}) const;
  Result<Robot> try_chain(const std::string& base = {}, const std::string& tool = {},
                          const ChainOptions& options = {}) const;

  /// Whether it is one chain of joints with one degree of freedom each, with the tool on its last link.
  bool is_serial() const;
  bool is_serial(const Frame<double>& tool) const;

  /// The same robot with a rigid body at a frame of its own; by default at its tool. Throws Error for a body that cannot be.
  Robot with_payload(const Payload& payload) const;
  Robot with_payload(const Payload&, const Frame<double>&) const;
  /// The same robot with its base, inertia included, on a free joint "floating_base": seven more numbers in front of q, six in
  /// front of qd. Throws Error where it stands on a free joint already.
  Robot on_free_base() const;
  /// The same robot under another acceleration of free fall (m/s^2, in the world).
  Robot with_gravity(const Vec3<double>&) const;

  /// Writes it to a file: an MJCF where the name ends in .mjcf or .mjcf.xml, an SDF where it ends in .sdf, a URDF where it
  /// ends in .urdf or .xml, else a robot file. Throws Error where that cannot be.
  void save(const std::string& path) const;

  /// Why there is no dynamics of it: nothing of it has mass or inertia. Empty where there is.
  Faults without_masses() const;

  /// What is doubtful about its numbers: everything that `torsor check` warns of, and what its reader left out of them.
  Faults warnings() const;

 private:
  struct Parts;
  explicit Robot(Parts parts);

  std::shared_ptr<const Parts> parts_;
};

}  // namespace torsor

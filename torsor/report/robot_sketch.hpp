// The skeleton of a robot for figures: links as strokes from joint to joint and to the tools, and a place for the symbol of each
// joint, anywhere on its axis where it hides no other.
#pragma once

#include <span>
#include <vector>

#include "torsor/loops/loop_model.hpp"
#include "torsor/model/model.hpp"

namespace torsor {

class RobotSketch {
 public:
  struct Stroke {
    int body;  // the one it is a part of; -1: the base
    Vec3<double> from, to;
    bool rod = false;  // the sliding part of a prismatic joint
  };
  struct Symbol {
    int body;
    std::vector<Vec3<double>> places;  // where it may sit on its axis, best first
    std::vector<Vec3<double>> beside;  // and where else, off the figure
    Vec3<double> at = {};
  };

  /// Where a link meets another that is not its own in the tree: in the frame of its body (-1: the base, and in the world).
  struct LoopEnd {
    int body;
    Transform<double> X;
    const ClusterLoop* loop;
  };
  /// Of all loops, two ends of each one after the other; none of a tree.
  static std::vector<LoopEnd> ends_of(const Model<double>& tree, const LoopModel* loops);

  /// The robot at position q (model.nq numbers, finite); the model must outlive this.
  RobotSketch(const Model<double>& model, std::span<const double> q, std::span<const LoopEnd> ends = {});

  /// Finds places for the symbols, if possible so far apart (m); one that has to step aside gets a stroke.
  void place_symbols(double apart);

  /// The robot is not attached to the ground anywhere.
  bool floats() const;
  /// A motor's rotor that was made a body of its own: massless, following the joint it drives.
  bool is_rotor(int i) const;
  /// Where a joint sits before it moves: its origin, for all but sliding ones.
  Transform<double> joint_pose(int body) const { return parent_pose(body) * model[body].placement; }

  const Model<double>& model;
  std::vector<Transform<double>> X;  // of the bodies
  std::vector<Stroke> strokes;
  std::vector<Symbol> symbols;

 private:
  std::vector<char> leaf_;

  const Transform<double>& parent_pose(int i) const { return model[i].parent < 0 ? model.base : X[model[i].parent]; }
  void add_path(int body, const Vec3<double>& to, const Vec3<double>& next = {});
  void add_links();
  std::vector<Vec3<double>> places(int i, double apart) const;
};

}  // namespace torsor

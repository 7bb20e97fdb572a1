// Which parts of two robots are the same ones: their moving bodies, matched by the name of the joint, by that of the link, or,
// where neither is there, by their place in the tree and their likeness. What is fixed to a body belongs to it, so that it does
// not matter in how many links a file writes it.
#pragma once

#include <string>
#include <vector>

#include "torsor/fields.hpp"
#include "torsor/robot.hpp"

namespace torsor {

/// A body that a joint moves, with all that is fixed to it.
struct MovingBody {
  int body = -1;               // in the model
  int parent = -1;             // moving body that carries it, -1: the base
  Transform<double> X_parent;  // its frame in that of the parent, all joints at zero
  Inertia<double> inertia;     // of all that is fixed to it, in the body frame
};

/// The moving bodies of a robot, parents first. Rotors that are bodies are drives and not among them.
struct MovingBodies {
  std::vector<MovingBody> bodies;
  std::size_t links = 0;                   // bodies of the model that are links; rotors come after them
  std::vector<int> owner;                  // body of the model -> moving body it is fixed to, -1: the base
  std::vector<Transform<double>> X_owner;  // its frame there
};
MovingBodies moving_bodies(const Robot& robot);

/// A body that is called otherwise in the second robot.
struct Renamed {
  std::string first, second;  // joints
  std::string because;        // `link`: the links have one name; `place`: guessed from place and likeness
};

constexpr auto fields(Of<Renamed>) {
  return row_list(
      "Renamed", "A joint that has another name in the second robot.",
      field("first", "", "its name in the first", &Renamed::first),
      field("second", "", "and in the second", &Renamed::second),
      field("because", "", "link: the links have one name; place: guessed from place and likeness", &Renamed::because));
}

struct RobotMatch {
  MovingBodies first, second;
  std::vector<int> to_second;  // moving body of the first -> that of the second, -1: none
  std::vector<Renamed> renamed;
  std::vector<std::string> only_first, only_second;  // joints
};

RobotMatch match_robots(const Robot& first, const Robot& second);

}  // namespace torsor

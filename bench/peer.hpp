// What the programs of the peers share: the robot, the states, and the conversation with `torsor bench`, which keeps
// each program alive and asks in turn, so that noise of the machine hits all alike. No part of the library.
//
//   PEER ROBOT.urdf STATES        STATES: "count nq nv", then per state a line q qd qdd tau
//
// says on standard output
//   peer NAME<tab>optimised|debug<tab>HOW    what it is, and compiler and flags of the program
//   call FUNCTION<tab>VARIANT                for every call it offers
//   ready
// and then answers, a line for a line,
//   check K                       the result of call K (0, 1, ...) in every state: all numbers on one line
//   time K CALLS                  nanoseconds of one of so many calls
// until standard input ends. Functions and the order of their numbers:
//   id           torques nv
//   mass         mass matrix nv x nv, row by row
//   fd           accelerations nv
//   jacobian     6 x nv, row by row, of the origin of the last link, in the axes of the world; with the poses of all links
//   derivatives  d tau / d q, then d tau / d qd, nv x nv each; of a free joint along its motions in the body
//   fd-derivatives  d qdd / d q, then d qdd / d qd, likewise
// A free joint has q = e0 e1 e2 e3 px py pz and qd = wx wy wz vx vy vz in the body, and qdd is the derivative of those;
// angular before linear everywhere. Links that do not move count to their parents.
#pragma once

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <pugixml.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#ifndef PEER_FLAGS
#define PEER_FLAGS ""
#endif

namespace peer {

using Vec = std::array<double, 3>;
using Mat = std::array<Vec, 3>;  // rows

inline Vec operator+(const Vec& a, const Vec& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vec operator*(double s, const Vec& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vec operator*(const Mat& m, const Vec& a) { return {dot(m[0], a), dot(m[1], a), dot(m[2], a)}; }
inline Mat transposed(const Mat& m) {
  return {{{m[0][0], m[1][0], m[2][0]}, {m[0][1], m[1][1], m[2][1]}, {m[0][2], m[1][2], m[2][2]}}};
}
inline Mat operator*(const Mat& a, const Mat& b) {
  const Mat t = transposed(b);
  return {transposed({{a * t[0], a * t[1], a * t[2]}})};
}
inline Mat operator+(const Mat& a, const Mat& b) { return {{a[0] + b[0], a[1] + b[1], a[2] + b[2]}}; }

/// Mass, its centre, and the moments about that centre, in the axes of the link.
struct Body {
  double mass = 0;
  Vec centre{};
  Mat inertia{};
};

enum class Kind { revolute, prismatic, free };

/// A link that moves, with the joint that carries it; at q = 0 its frame has the placement (R, p) in its parent.
struct Link {
  std::string name;
  int parent = -1;
  Kind kind = Kind::revolute;
  Mat R{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Vec p{};
  Vec axis{0, 0, 1};
  Body body;
  int iq = 0, iv = 0;  // where its coordinates begin
};

struct Robot {
  std::vector<Link> links;
  int nq = 0, nv = 0;
  Vec gravity{0, 0, -9.81};  // acceleration of free fall
};

struct States {
  int count = 0;
  std::vector<std::vector<double>> q, qd, qdd, tau;
};

[[noreturn]] inline void give_up(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(1);
}

namespace detail {

inline Vec numbers(const char* text, Vec otherwise) {
  std::istringstream in(text);
  for (double& x : otherwise)
    if (std::string word; in >> word) x = std::strtod(word.c_str(), nullptr);
  return otherwise;
}

inline std::pair<Mat, Vec> origin(const pugi::xml_node& of) {
  const pugi::xml_node at = of.child("origin");
  const Vec e = numbers(at.attribute("rpy").value(), {});
  const double cr = std::cos(e[0]), sr = std::sin(e[0]), cp = std::cos(e[1]), sp = std::sin(e[1]), cy = std::cos(e[2]),
               sy = std::sin(e[2]);
  return {{{{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
            {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
            {-sp, cp * sr, cp * cr}}},
          numbers(at.attribute("xyz").value(), {})};
}

inline Mat moment_of_point(double mass, const Vec& r) {
  Mat I{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) I[i][j] = mass * ((i == j ? dot(r, r) : 0) - r[i] * r[j]);
  return I;
}

/// Two bodies as one.
inline Body together(const Body& a, const Body& b) {
  Body sum{a.mass + b.mass, {}, a.inertia + b.inertia};
  if (sum.mass > 0) sum.centre = (1 / sum.mass) * (a.mass * a.centre + b.mass * b.centre);
  if (sum.mass == 0) sum.centre = a.centre;
  for (const Body& part : {a, b})
    sum.inertia = sum.inertia + moment_of_point(part.mass, part.centre + -1. * sum.centre);
  return sum;
}

inline Body body(const pugi::xml_node& link) {
  const pugi::xml_node inertial = link.child("inertial"), i = inertial.child("inertia");
  if (!inertial) return {};
  const auto [R, p] = origin(inertial);
  const auto moment = [&](const char* name) { return i.attribute(name).as_double(); };
  const Mat I{{{moment("ixx"), moment("ixy"), moment("ixz")},
               {moment("ixy"), moment("iyy"), moment("iyz")},
               {moment("ixz"), moment("iyz"), moment("izz")}}};
  return {inertial.child("mass").attribute("value").as_double(), p, R * I * transposed(R)};
}

}  // namespace detail

/// The tree of a URDF whose parents come before their children, as `torsor convert` writes it.
inline Robot read_robot(const char* file) {
  pugi::xml_document document;
  if (!document.load_file(file)) give_up(std::string(file) + " is no XML");
  const pugi::xml_node root = document.child("robot");
  Robot robot;
  robot.gravity = detail::numbers(root.child("torsor").attribute("gravity").value(), robot.gravity);
  // where a link hangs: the moving link that carries it, and its place there
  struct Place {
    std::string name;
    int link;
    Mat R;
    Vec p;
  };
  std::vector<Place> places;
  const Mat one = Link{}.R;
  for (const pugi::xml_node& node : root.children("link")) {
    const std::string name = node.attribute("name").value();
    pugi::xml_node joint;
    for (const pugi::xml_node& each : root.children("joint"))
      if (name == each.child("child").attribute("link").value()) joint = each;
    if (!joint) {
      places.push_back({name, -1, one, {}});
      continue;
    }
    const Place* parent = nullptr;
    for (const Place& each : places)
      if (each.name == joint.child("parent").attribute("link").value()) parent = &each;
    if (!parent) give_up("the parent of " + name + " comes after it");
    if (joint.child("mimic")) give_up("joints that follow others are not for this");
    const auto [R, p] = detail::origin(joint);
    const Mat R_link = parent->R * R;
    const Vec p_link = parent->p + parent->R * p;
    const std::string kind = joint.attribute("type").value();
    Body body = detail::body(node);
    if (kind == "fixed") {
      body.centre = p_link + R_link * body.centre;
      body.inertia = R_link * body.inertia * transposed(R_link);
      if (parent->link >= 0) {
        Body& carrier = robot.links[parent->link].body;
        carrier = detail::together(carrier, body);
      }
      places.push_back({name, parent->link, R_link, p_link});
      continue;
    }
    Link link{name, parent->link, Kind::revolute, R_link, p_link, {}, body, robot.nq, robot.nv};
    if (kind == "prismatic")
      link.kind = Kind::prismatic;
    else if (kind == "floating")
      link.kind = Kind::free;
    else if (kind != "revolute" && kind != "continuous")
      give_up("joints of kind " + kind + " are not for this");
    link.axis = detail::numbers(joint.child("axis").attribute("xyz").value(), {1, 0, 0});
    robot.nq += link.kind == Kind::free ? 7 : 1;
    robot.nv += link.kind == Kind::free ? 6 : 1;
    places.push_back({name, static_cast<int>(robot.links.size()), one, {}});
    robot.links.push_back(link);
  }
  if (robot.links.empty()) give_up("nothing moves");
  return robot;
}

inline States read_states(const char* file, const Robot& robot) {
  std::ifstream in(file);
  States states;
  int nq = 0, nv = 0;
  if (!(in >> states.count >> nq >> nv) || nq != robot.nq || nv != robot.nv) give_up("the states are of another robot");
  for (int k = 0; k < states.count; ++k)
    for (auto [all, size] : {std::pair{&states.q, nq}, {&states.qd, nv}, {&states.qdd, nv}, {&states.tau, nv}}) {
      std::vector<double>& row = all->emplace_back(size);
      for (double& x : row)
        if (!(in >> x)) give_up("the states end early");
    }
  return states;
}

/// A call that can be timed: many of them in a loop over all states, and its result in one state.
struct Call {
  std::string function, variant;
  std::function<void(int calls)> loop;
  std::function<std::vector<double>(int state)> result;
};

/// `run(state)` leaves its result in memory, where `result(state)` reads it afterwards.
template <class Run, class Read>
Call call(std::string function, std::string variant, const States& states, Run run, Read read) {
  return {std::move(function), std::move(variant),
          // goes on where it stopped: one that finds its state unchanged would have nothing to do
          [run, count = states.count, state = 0](int calls) mutable {
            for (; calls > 0; --calls, state = state + 1 == count ? 0 : state + 1) run(state);
          },
          [run, read](int state) mutable {
            run(state);
            return read(state);
          }};
}

/// The conversation, until standard input ends.
inline int serve(const char* name, const States& states, const std::vector<Call>& calls) {
#if defined(__OPTIMIZE__) && defined(NDEBUG)
  const char* built = "optimised";
#else
  const char* built = "debug";
#endif
#ifdef __clang__
  const std::string compiler = "clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__);
#else
  const std::string compiler = "g++ " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__);
#endif
  std::printf("peer %s\t%s\t%s %s\n", name, built, compiler.c_str(), PEER_FLAGS);
  for (const Call& each : calls) std::printf("call %s\t%s\n", each.function.c_str(), each.variant.c_str());
  std::printf("ready\n");
  std::fflush(stdout);
  std::string question;
  for (std::size_t k = 0; std::cin >> question >> k && k < calls.size();) {
    if (question == "check") {
      for (int state = 0; state < states.count; ++state)
        for (const double x : calls[k].result(state)) std::printf("%.17g ", x);
      std::printf("\n");
    } else if (int many = 0; question == "time" && std::cin >> many && many > 0) {
      using clock = std::chrono::steady_clock;
      calls[k].loop(many < states.count ? many : states.count);  // warm again after the others' turns
      const auto start = clock::now();
      calls[k].loop(many);
      std::printf("%.6g\n", std::chrono::duration<double, std::nano>(clock::now() - start).count() / many);
    } else {
      return 2;
    }
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace peer

// A robot in tables: tree and limits, DH rows, masses, drives, tools, reach. Shared by show and the reports of a
// motion.
#pragma once

#include "torsor/report/print_style.hpp"
#include "torsor/report/report.hpp"
#include "torsor/dynamics/torque_difference.hpp"
#include "torsor/kinematics/reach.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/robot.hpp"

namespace torsor {

/// Its joints in a word: `6R`, `RRPRRR`, `F12R`; E planar, S spherical, F free, fixed joints left out.
std::string joint_word(const Model<double>& model);

/// What it does to torques that numbers were taken as special, in a sentence.
std::string effect_sentence(const TorqueDifference& effect);

/// How many bodies of the model are links of the file: they come first; behind them are the rotors that are bodies.
int links_of(const Robot& robot);

/// Its joints in a word as joint_word, rotors that are bodies of their own left out; `fixed` if nothing moves.
std::string joints_of(const Robot& robot);

/// `6R, 6 coordinates, 23.45 kg`; `F12R, 19 positions, 18 velocities, 2.5 kg`.
std::string robot_line(const Robot& robot);

/// The same with its name and its tree, a dozen links at most; and in tables for notebooks.
std::string robot_text(const Robot& robot);
std::string robot_html(const Robot& robot);

/// What a joint of one degree of freedom moves by, one that follows another included.
inline CoordinateKind kind_of_joint(const Body<double>& body) {
  return body.kind == JointKind::prismatic ? CoordinateKind::length : CoordinateKind::angle;
}

/// Of its links and of its base, in kg; and of the base alone, 0 where the file gives none.
double total_mass(const Robot& robot);
double base_mass(const Robot& robot);

/// Appends the sections of the robot to a report.
void describe_robot(Report& report, const Robot& robot, const PrintStyle& print);

/// Appends what is known of the reach of a tool.
void describe_reach(Report& report, const Model<double>& model, const Frame<double>& tool, const Reach& reach,
                    const PrintStyle& print);

/// All of it, with its verdict; and in front a figure at a position where one is given. The reach of a robot with loops is not
/// known.
Report robot_report(const Robot& robot, const Frame<double>& tool, const std::optional<Reach>& reach,
                    std::optional<std::span<const double>> figure_at, const PrintStyle& print);

/// Constant, as numbers: the friction law of a joint in words.
std::string friction_text(const Friction<double>& law);

}  // namespace torsor

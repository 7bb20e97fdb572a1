// A robot in tables: tree and limits, DH rows, masses, drives, tools, reach. Shared by show and the reports of a
// motion.
#pragma once

#include "cli/print.hpp"
#include "cli/robot_argument.hpp"
#include "torsor/kinematics/reach.hpp"

namespace torsor {

/// How many bodies of the model are links of the file: they come first; behind them are the rotors that are bodies.
int links_of(const Robot& robot);

/// Its joints in a word as joint_word, rotors that are bodies of their own left out; `fixed` if nothing moves.
std::string joints_of(const Robot& robot);

/// `6R, 6 coordinates, 23.45 kg`; `F12R, 19 positions, 18 velocities, 2.5 kg`.
std::string robot_line(const Robot& robot);

/// Of its links and of its base, in kg; and of the base alone, 0 where the file gives none.
double total_mass(const Robot& robot);
double base_mass(const Robot& robot);

/// Appends the sections of the robot to a report.
void describe_robot(Report& report, const Robot& robot, const PrintArguments& print);

/// Appends what is known of the reach of a tool.
void describe_reach(Report& report, const Frame<double>& tool, const Reach& reach, const PrintArguments& print);

/// Constant, as numbers: the friction law of a joint in words.
std::string friction_text(const Friction<double>& law);

}  // namespace torsor

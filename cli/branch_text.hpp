// Solutions of inverse kinematics in words: how a branch stands, and how its joints move.
#pragma once

#include <string>

#include "torsor/ik/inverse_kinematics.hpp"

namespace torsor {

/// How a branch stands: `ok`; `near-singular: wrist 0.02`; `singular: wrist, q4 + q6 = 1.2, ...; elbow is 0.3 rad
/// beyond`.
std::string standing(const IkBranch& branch, const ArmSolver& arm, const Model<double>& model, int digits);

/// How an answer of descents stands.
std::string_view standing(const GeneralAnswer& answer);

/// Whether the tool moves as asked, of its velocity (order 1) or acceleration (2): `ok`, `near-singular`, `singular:
/// ...`.
std::string standing(const ToolRates& rates, int order);

}  // namespace torsor

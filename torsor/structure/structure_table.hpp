// The tables of Tourassis & Neuman (1985) for any robot: how many coefficients there could be (Table 2), how many there are
// and how many of these are constant (Table 3), the sparsity, the degree of anthropomorphism N_R/N and the sparsity their
// empirical law expects of it, (4/17) [1 + (N_R/N)^2]^2; and on which coordinates a coefficient can depend (Table 1).
//
// The rows that they print are kept as printed, each with what exact arithmetic finds and, where the two differ, why.
#pragma once

#include <optional>
#include <string_view>

#include "torsor/structure/axis_facts.hpp"

namespace torsor {

struct StructureTable {
  int joints = 0, turning = 0;                       // N, N_R
  CoefficientCounts independent, nonzero, constant;  // by kind
  double sparsity = 0;                               // of the independent ones, how many are not zero
  double anthropomorphism = 0;                       // N_R / N
  double expected_sparsity = 0;                      // by the empirical law
};

StructureTable structure_table(const ExactStructure&, const Model<double>&);

/// The sparsity that the empirical law expects of a share N_R/N of turning joints.
double empirical_sparsity(double anthropomorphism);

/// The coordinates that Table 1, (36), (37) and section 5 allow a coefficient of a chain to depend on (n of them).
std::vector<char> possible_dependence(const Coefficient&, int n, const std::vector<char>& slides);

/// A row of Table 3: the robot by its joints and the angles between neighbouring axes, the counts as printed and as found.
struct PrintedRow {
  std::string_view name;
  std::string_view joints;    // 'R' turns, 'P' slides
  std::string_view angles;    // between neighbours: '|' parallel, '+' at right angles
  CoefficientCounts printed;  // not zero
  int printed_constant_self;  // of the self-inertias
  CoefficientCounts found;    // exactly, for the mass distribution below
  int found_constant_self;
  std::string_view masses;  // the mass distribution that the counts stand for
  std::string_view note;    // why print and finding differ; empty if they agree
};

std::span<const PrintedRow> printed_rows();

/// The printed row of a chain with these joints and axes, if there is one.
const PrintedRow* printed_row(const AxisFacts&);

}  // namespace torsor

// The operation counts that the literature prints, and how each is counted again. The figures live in quoted_tables.cpp
// and nowhere else in the library: what stands beside them is executed.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "torsor/formulations/operation_census.hpp"
#include "torsor/formulations/record_wrist.hpp"
#include "torsor/model/robot_forms.hpp"
#include "torsor/numeric/exact_polynomial.hpp"

namespace torsor {

/// What is left out of a count: nothing; what no torque depends on as the algorithm is written; also what folding its
/// zeros makes useless.
enum class Extent { all, used, live };

/// How a printed figure is counted again: which formulation, under which rule, on which arm.
struct Recount {
  std::string_view formulation;  // a name of the catalogue; empty: cannot be recounted, the row is quoted
  Rule rule = Rule::structured;
  Extent extent = Extent::all;
  RecordOptions options = {};
  std::string_view robot = {};  // a shipped robot; empty: the general arm of n revolute joints
  std::string_view stages = {};  // only these, separated by |
  std::optional<WristVariant> wrist = {};  // under the premises of the table of wrists, instead of the catalogue's row
};

struct QuotedRow {
  std::string_view label;
  std::string_view multiplications, additions;  // as printed, in n where the source gives a law
  std::string_view at_six;                      // multiplications / additions, as printed or evaluated for n = 6
  Recount recount;
  std::string_view remark;  // why the two differ, in a line
};

struct QuotedTable {
  std::string_view title, source;
  std::span<const QuotedRow> rows;
};

std::span<const QuotedTable> quoted_tables();

/// A row counted again: at n = 6, and as laws in n where the arm is the general one and they are polynomials.
struct Recounted {
  OperationCount at_six;
  std::optional<ExactPolynomial> multiplications, additions;
};

/// Executes the recount; `robot` gives the forms of a shipped robot. Nothing for quoted rows.
std::optional<Recounted> recount(const Recount&, const std::function<RobotForms<double>(std::string_view)>& robot);

}  // namespace torsor

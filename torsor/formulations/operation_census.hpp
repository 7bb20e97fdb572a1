// What each formulation costs: operations executed for a robot, read off the recorded tape, never from a table.
//
//   dense        zeros and ones inside run-time arithmetic are not exploited
//   structured   they are, as far as they follow from the geometry and the inertias
//   listing      they are within a stage, not from one stage to the next
//   live         without what no torque depends on; else all that is executed
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "torsor/formulations/record_options.hpp"
#include "torsor/scalar/operation_count.hpp"

namespace torsor {

template <class T>
struct RobotForms;
class Tape;

struct Tally {
  OperationCount all, live;

  friend bool operator==(const Tally&, const Tally&) = default;
};

struct StageTally {
  std::string stage;
  Tally count;

  /// Work done once for a robot, or that the source takes as given: told apart, not in the totals.
  bool is_given() const { return stage == "off-line" || stage.starts_with("given"); }
};

/// The operations of a tape by stage under a rule; stages in which nothing happens are left out.
std::vector<StageTally> tally_stages(const Tape& tape, Rule rule);

/// Their sum, without what the source takes as given.
Tally total(const std::vector<StageTally>& stages);

struct CensusRow {
  std::string name, source, complexity;
  std::string refusal;  // why the formulation does not serve this robot; then there are no counts
  Tally dense, structured, listing;
};

/// Operations of inverse dynamics of a general arm, from n = first_n joints on, and the polynomials in n that they follow.
struct GeneralCount {
  std::string name;
  int first_n = 0;
  std::vector<long long> multiplications = {}, additions = {};

  std::string multiplications_law() const { return law(multiplications); }
  std::string additions_law() const { return law(additions); }

 private:
  /// Empty where there is none that the values confirm.
  std::string law(const std::vector<long long>& values) const;
};

/// Every formulation of inverse dynamics on one robot. The robot has joints of one degree of freedom only.
std::vector<CensusRow> operation_census(const RobotForms<double>&, const RecordOptions& = {});

}  // namespace torsor

// What each formulation costs: operations executed for a robot, read off the recorded tape, never from a table.
//
//   dense        zeros and ones inside run-time arithmetic are not exploited
//   structured   they are, as far as they follow from the geometry and the inertias
//   listing      they are within a stage, not from one stage to the next
//   live         without what no torque depends on; else all that is executed
#pragma once

#include "torsor/fields.hpp"
#include "torsor/formulations/record_formulation.hpp"
#include "torsor/scalar/trace_count.hpp"

namespace torsor {

constexpr auto fields(Of<OperationCount>) {
  using C = OperationCount;
  return field_list("OperationCount", "Operations; negation is free.",
                    field("multiplications", "", "", &C::multiplications),
                    field("additions", "", "subtractions included", &C::additions),
                    field("divisions", "", "", &C::divisions), field("square_roots", "", "", &C::square_roots),
                    field("trigonometric", "", "sines and cosines", &C::trigonometric),
                    field("arctangents", "", "", &C::arctangents));
}

struct Tally {
  OperationCount all, live;

  friend bool operator==(const Tally&, const Tally&) = default;
};

constexpr auto fields(Of<Tally>) {
  return field_list("Tally", "Operations of a formulation.", field("all", "", "that are executed", &Tally::all),
                    field("live", "", "without what no torque depends on", &Tally::live));
}

struct StageTally {
  std::string stage;
  Tally count;

  /// Work done once for a robot, or that the source takes as given: told apart, not in the totals.
  bool is_given() const { return stage == "off-line" || stage.starts_with("given"); }
};

constexpr auto fields(Of<StageTally>) {
  using S = StageTally;
  return field_list("StageTally", "A stage of a formulation.", field("stage", "", "", &S::stage),
                    field("given", "", "off-line, or taken as given: not in the total", &S::is_given),
                    fields_of_part(&S::count));
}

/// The operations of a tape by stage under a rule; stages in which nothing happens are left out.
std::vector<StageTally> tally_stages(const Tape& tape, Rule rule);

/// Their sum, without what the source takes as given.
Tally total(const std::vector<StageTally>& stages);

struct CensusRow {
  std::string name, source, complexity;
  std::string refusal;  // why the formulation does not serve this robot; then there are no counts
  Tally dense, structured, listing;
};

constexpr auto fields(Of<CensusRow>) {
  using R = CensusRow;
  const auto counted = [](Tally R::*which) {
    return [which](const R& r) { return r.refusal.empty() ? std::optional(r.*which) : std::nullopt; };
  };
  return field_list(
      "CensusRow", "What a formulation costs for a robot.", field("name", "", "", &R::name),
      field("source", "", "", &R::source), field("complexity", "", "", &R::complexity),
      field("refused", "", "why it does not serve this robot",
            [](const R& r) { return r.refusal.empty() ? std::nullopt : std::optional(r.refusal); })
          .or_absent(),
      field("dense", "", "zeros and ones inside run-time arithmetic are not exploited", counted(&R::dense)).or_absent(),
      field("structured", "", "they are", counted(&R::structured)).or_absent(),
      field("listing", "", "they are within a stage", counted(&R::listing)).or_absent());
}

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

constexpr auto fields(Of<GeneralCount>) {
  using C = GeneralCount;
  return field_list("GeneralCount", "What a formulation costs for general arms.", field("name", "", "", &C::name),
                    field("first_n", "", "joints of the first", &C::first_n),
                    field("multiplications", "", "arm by arm", &C::multiplications),
                    field("additions", "", "likewise", &C::additions),
                    field("multiplications_law", "", "polynomial in n, or empty", &C::multiplications_law),
                    field("additions_law", "", "likewise", &C::additions_law));
}

/// Every formulation of inverse dynamics on one robot. The robot has joints of one degree of freedom only.
std::vector<CensusRow> operation_census(const RobotForms<double>&, const RecordOptions& = {});

}  // namespace torsor

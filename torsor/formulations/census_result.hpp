// The lists of fields of counted operations: fields.hpp says what is made from them.
#pragma once

#include "torsor/fields.hpp"
#include "torsor/formulations/operation_census.hpp"

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

constexpr auto fields(Of<Tally>) {
  return field_list("Tally", "Operations of a formulation.", field("all", "", "that are executed", &Tally::all),
                    field("live", "", "without what no torque depends on", &Tally::live));
}

constexpr auto fields(Of<StageTally>) {
  using S = StageTally;
  return field_list("StageTally", "A stage of a formulation.", field("stage", "", "", &S::stage),
                    field("given", "", "off-line, or taken as given: not in the total", &S::is_given),
                    fields_of_part(&S::count));
}

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

constexpr auto fields(Of<GeneralCount>) {
  using C = GeneralCount;
  return field_list("GeneralCount", "What a formulation costs for general arms.", field("name", "", "", &C::name),
                    field("first_n", "", "joints of the first", &C::first_n),
                    field("multiplications", "", "arm by arm", &C::multiplications),
                    field("additions", "", "likewise", &C::additions),
                    field("multiplications_law", "", "polynomial in n, or empty", &C::multiplications_law),
                    field("additions_law", "", "likewise", &C::additions_law));
}

}  // namespace torsor

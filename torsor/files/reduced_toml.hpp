// The file of a reduced model (dynamics/reduced_model.hpp): its equations as one reads them, and what is known about them.
// docs/reduced-file.md describes every key.
//
//   D = ["1,1: 1.8774 - 0.32392 C23^2 - 0.76975 C2 S23", ...]      i,j of D'_ij, i <= j
//   h = ["1,2,3: ..."]                                             i,j,m of h'_jm(i), j <= m
//   G = ["2: 37.235 C2 - 1.0242 S2"]
#pragma once

#include <string>
#include <string_view>

#include "torsor/reduction/reduced_model.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// Entries that have terms, in the order of their indices; numbers with that many digits (0: with all they have).
std::vector<ReducedEntry> reduced_entries(const ReducedModel&, TermPart, int digits = 0);

/// The model as a TOML text that is read back exactly.
std::string write_reduced_toml(const ReducedModel&);

/// The model that a text describes, or all faults, by line; `file` names the text in messages.
Result<ReducedModel> read_reduced_toml(std::string_view text, const std::string& file);

}  // namespace torsor

// The options --friction and --rotors: which joints have columns of their drives, in a regressor or an identification.
#pragma once

#include <optional>
#include <string>

#include "cli/options.hpp"
#include "cli/print.hpp"
#include "torsor/identification/group_text.hpp"

namespace torsor {

struct ParameterArguments {
  std::optional<std::string> friction, rotors;

  /// The words that stand for leaving the options out.
  void add_to(Options& options, const std::string& friction_default, const std::string& rotors_default);
};

/// The choice, or every fault of the words; a word that is not given is its default.
Result<ParameterChoice> read_parameter_choice(const ParameterArguments&, DriveColumns friction, DriveColumns rotors);

/// A fault where there are too many parameters to find the combinations of.
Faults check_parameter_count(const Model<double>&, const std::vector<DynamicParameter>&);

/// The numbers that parameters end in: body, link, joint and its kind.
TextTable body_table(const Model<double>&, const PrintArguments&);

/// The letters of combinations with their values.
TextTable letter_table(const GroupTexts&, const PrintArguments&);

/// `m1, mx1 .. Izz1`: names of these places of a list.
std::string parameter_list(const Model<double>&, const BaseParameters&, const std::vector<int>& places);

}  // namespace torsor

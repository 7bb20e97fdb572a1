// The short names of branches, as people write and read them: `+ - +` for shoulder, elbow and wrist; `root 2 +` where
// the solutions of the positioning part are only numbered.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "torsor/closed_form_ik/ik_answer.hpp"

namespace torsor {

/// `+ - +` or `root 2 +`; 0 where the arm has no such choice or it is lost.
std::string label_text(const BranchLabel& label);

/// `+-+`, `+ - +`, `2 +`, with 0 where either will do; nothing where the text is no label.
std::optional<BranchLabel> parse_label(std::string_view text);

/// Whether a branch is the wanted one: a sign that is lost, or that the arm has not, is no reason against it; a root is
/// that root.
bool fits(const BranchLabel& wanted, const BranchLabel& branch);

}  // namespace torsor

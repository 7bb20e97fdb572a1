#include "torsor/closed_form_ik/branch_label.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace torsor {

std::string label_text(const BranchLabel& label) {
  const auto sign = [](int value) { return value > 0 ? '+' : value < 0 ? '-' : '0'; };
  if (label.root > 0)
    return fmt::format("root {} {}", label.root, sign(label.wrist != 0 ? label.wrist : label.determinant));
  return fmt::format("{} {} {}", sign(label.shoulder), sign(label.elbow), sign(label.wrist));
}

std::optional<BranchLabel> parse_label(std::string_view text) {
  std::string signs;
  for (const char c : text)
    if (c != ' ' && c != ',' && c != '\t') signs += c;
  const auto value = [](char c) { return c == '+' ? 1 : c == '-' ? -1 : 0; };
  const auto only_signs = [](std::string_view s) { return s.find_first_not_of("+-0") == std::string_view::npos; };
  const std::size_t digits = signs.find_first_not_of("0123456789");
  if (signs.size() >= 2 && signs[0] != '0' && (digits == std::string::npos || digits + 1 == signs.size())) {
    // the last is a sign, or 0 for either
    const int root = signs.size() > 3 ? 0 : std::atoi(signs.substr(0, signs.size() - 1).c_str());
    if (root >= 1 && root <= 16 && only_signs(signs.substr(signs.size() - 1)))
      return BranchLabel{0, 0, value(signs.back()), root};
  }
  if (signs.size() != 3 || !only_signs(signs)) return std::nullopt;
  return BranchLabel{value(signs[0]), value(signs[1]), value(signs[2]), 0};
}

bool fits(const BranchLabel& wanted, const BranchLabel& branch) {
  const auto agree = [](int asked, int found) { return asked == 0 || found == 0 || asked == found; };
  return agree(wanted.shoulder, branch.shoulder) && agree(wanted.elbow, branch.elbow) &&
         agree(wanted.wrist, branch.wrist != 0 ? branch.wrist : branch.determinant) &&
         (wanted.root == 0 || wanted.root == branch.root);
}

}  // namespace torsor

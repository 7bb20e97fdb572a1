#include "torsor/report/terms_result.hpp"

namespace torsor {

std::vector<ReactionResult> TermsResult::reactions() const {
  const Model<double>& tree = robot.tree();
  std::vector<ReactionResult> out;
  for (std::size_t i = 0; i < terms.reactions.size(); ++i) {
    out.push_back({tree.link_names[i], tree.joint_names[i], {}, terms.reactions[i]});
    if (loops()) out.back().unique = terms.unique[i] != 0;
  }
  return out;
}

std::vector<ReactionResult> TermsResult::loop_reactions() const {
  std::vector<ReactionResult> out;
  for (std::size_t l = 0; l < terms.loop_reactions.size(); ++l)
    out.push_back({{},
                   {},
                   robot.description().loops[l].name,
                   terms.loop_reactions[l],
                   terms.unique[terms.reactions.size() + l] != 0});
  return out;
}

}  // namespace torsor

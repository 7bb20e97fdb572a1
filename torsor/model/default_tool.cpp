#include "torsor/model/default_tool.hpp"

#include <algorithm>
#include <string_view>

namespace torsor {
namespace {

/// In the order in which they are preferred.
constexpr std::string_view tool_words[] = {"tool0",     "flange",     "tcp",      "ee_link",      "tool",
                                           "tool_link", "tool_frame", "tool_tip", "end_effector", "end_effector_link",
                                           "ee_frame",  "eef",        "ee"};

bool called(std::string_view link, std::string_view word) {
  if (!link.ends_with(word)) return false;
  if (link.size() == word.size()) return true;
  const char before = link[link.size() - word.size() - 1];
  return before == '_' || before == '-' || before == '/' || before == '.';
}

}  // namespace

int default_tool_body(const Model<double>& model, std::span<const int> links) {
  // movable joints on the way to each body, whose parent comes before it
  std::vector<int> joints(model.bodies.size());
  std::vector<bool> is_end(model.bodies.size(), true);
  for (int i = 0; i < model.size(); ++i) {
    const Body<double>& b = model[i];
    joints[i] = (b.parent < 0 ? 0 : joints[b.parent]) + (b.nv > 0 && b.ratio != 0);
  }
  int most = 0;
  for (const int i : links) {
    most = std::max(most, joints[i]);
    if (model[i].parent >= 0) is_end[model[i].parent] = false;
  }
  const int last = links.back();
  if (most == 0) return last;
  for (const std::string_view word : tool_words) {
    int best = -1;
    for (const int i : links)
      if (called(model.link_names[i], word) && 2 * joints[i] >= most && (best < 0 || joints[i] >= joints[best]))
        best = i;
    if (best >= 0) return best;
  }
  if (joints[last] == most && is_end[last]) return last;
  int best = last;
  for (const int i : links)
    if (joints[i] == most && is_end[i]) best = i;
  return best;
}

}  // namespace torsor

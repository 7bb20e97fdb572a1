#include "torsor/numeric/elimination_order.hpp"

#include <set>

#include "torsor/expect.hpp"

namespace torsor {

EliminationOrder elimination_order(int nodes, std::span<const std::pair<int, int>> neighbours,
                                   const std::vector<bool>& waits) {
  std::vector<std::set<int>> graph(static_cast<std::size_t>(nodes));
  for (const auto& [i, j] : neighbours) {
    TORSOR_EXPECT(i != j);
    graph[static_cast<std::size_t>(i)].insert(j);
    graph[static_cast<std::size_t>(j)].insert(i);
  }
  // of nodes that wait: neighbours that do not and are still there
  std::vector<int> missing(graph.size());
  std::vector<std::vector<int>> wait_for(graph.size());
  if (!waits.empty())
    for (const auto& [a, b] : neighbours)
      for (const auto& [i, j] : {std::pair{a, b}, std::pair{b, a}})
        if (waits[static_cast<std::size_t>(i)] && !waits[static_cast<std::size_t>(j)]) {
          ++missing[static_cast<std::size_t>(i)];
          wait_for[static_cast<std::size_t>(j)].push_back(i);
        }
  std::set<std::pair<std::size_t, int>> waiting;
  const auto enqueue = [&](int i) {
    if (missing[static_cast<std::size_t>(i)] == 0) waiting.insert({graph[static_cast<std::size_t>(i)].size(), i});
  };
  for (int i = 0; i < nodes; ++i) enqueue(i);

  EliminationOrder e;
  e.later.resize(graph.size());
  while (!waiting.empty()) {
    const int k = waiting.begin()->second;
    waiting.erase(waiting.begin());
    e.order.push_back(k);
    std::set<int>& around = graph[static_cast<std::size_t>(k)];
    e.later[static_cast<std::size_t>(k)].assign(around.begin(), around.end());
    // those around become neighbours of one another
    for (const int i : around) {
      std::set<int>& of_i = graph[static_cast<std::size_t>(i)];
      waiting.erase({of_i.size(), i});
      of_i.erase(k);
      for (const int j : around)
        if (j != i) of_i.insert(j);
      enqueue(i);
    }
    for (const int i : wait_for[static_cast<std::size_t>(k)])
      if (--missing[static_cast<std::size_t>(i)] == 0) enqueue(i);
    around.clear();
  }
  TORSOR_EXPECT(static_cast<int>(e.order.size()) == nodes);
  return e;
}

}  // namespace torsor

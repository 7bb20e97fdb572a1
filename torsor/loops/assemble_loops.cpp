// Clusters of loops, closed near the starts of their joints, and the joints that are their coordinates.
#include "torsor/loops/loop_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "torsor/loops/close_cluster.hpp"
#include "torsor/loops/closing_advice.hpp"
#include "torsor/loops/loop_map.hpp"
#include "torsor/model/check_loops.hpp"
#include "torsor/model/random_position.hpp"

namespace torsor {
namespace {

constexpr double rank_tolerance = 1e-9;    // of the longest column: what is shorter depends on others

bool is_length_row(MechanismJointKind kind, int r) {
  using enum MechanismJointKind;
  switch (kind) {
    case cylindrical:
    case translational: return r == 2 || r == 3;
    case planar: return r == 0;
    default: return r < 3;  // coincidence first; a distance is one row
  }
}

class Assembly {
 public:
  Assembly(const Description& description, const Model<double>& tree) : d_(description), tree_(tree) {}

  Result<LoopModel> run() {
    start();
    find_clusters();
    for (std::size_t c = 0; c < out_.clusters.size() && errors_.empty(); ++c) {
      measure(out_.clusters[c]);
      aim(out_.clusters[c]);
      if (!close(out_.clusters[c])) continue;
      choose(out_.clusters[c]);
      if (errors_.empty()) keep_rows(out_.clusters[c]);
    }
    if (errors_.empty()) find_coordinates();
    if (errors_.empty()) return_to_starts();
    if (errors_.empty()) look_around();
    if (errors_.empty()) name_coordinates();
    if (errors_.empty())
      for (LoopCluster& c : out_.clusters) c.dyads = plan_dyads(tree_, c, out_.reference);
    if (!errors_.empty()) return std::move(errors_);
    return std::move(out_);
  }

 private:
  const Description& d_;
  const Model<double>& tree_;
  LoopModel out_;
  Faults errors_;
  std::vector<double> start_;
  std::vector<int> role_;  // per velocity coordinate of the tree: -1 passive, 1 actuated, 0 not said

  const LoopDescription& description(const ClusterLoop& loop) const { return d_.loops[loop.loop]; }
  const std::string& file_of(const LoopDescription& loop) const {
    return loop.where.file.empty() ? d_.file : loop.where.file;
  }
  ClosingAdvice advice(const LoopDescription& loop) const { return closing_advice(file_of(loop)); }
  void fault(const LoopDescription& loop, std::string rule, std::string what, std::string remedy) {
    errors_.push_back({{file_of(loop), loop.where.line},
                       fmt::format("loop \"{}\"", loop.name), std::move(rule), std::move(what), std::move(remedy)});
  }

  void start() {
    start_ = neutral_position(tree_);
    for (const LinkDescription& link : d_.links)
      if (link.start)
        if (const int b = tree_.body_index(link.name); b >= 0) start_[tree_[b].q] = *link.start;
    out_.reference = start_;
  }

  /// Bodies from one, outward, to the base.
  std::vector<int> line_of(int body) const {
    std::vector<int> line;
    for (; body >= 0; body = tree_[body].parent) line.push_back(body);
    return line;
  }

  struct Way {
    int body_i, body_j;
    std::vector<int> of_i, of_j;  // bodies whose joints lie between the two links
  };

  void find_clusters() {
    std::vector<Way> ways;
    std::vector<int> owner(static_cast<std::size_t>(tree_.nv), -1), group(d_.loops.size());
    std::iota(group.begin(), group.end(), 0);
    const auto root = [&](int k) {
      while (group[k] != k) k = group[k];
      return k;
    };
    for (std::size_t k = 0; k < d_.loops.size(); ++k) {
      const auto body_of = [&](const std::string& link) {
        return link == d_.base_name || (link == "base" && tree_.body_index(link) < 0) ? -1 : tree_.body_index(link);
      };
      Way way{body_of(d_.loops[k].links[0]), body_of(d_.loops[k].links[1]), {}, {}};
      way.of_i = line_of(way.body_i), way.of_j = line_of(way.body_j);
      while (!way.of_i.empty() && !way.of_j.empty() && way.of_i.back() == way.of_j.back())
        way.of_i.pop_back(), way.of_j.pop_back();
      bool any = false;
      for (const auto* line : {&way.of_i, &way.of_j})
        for (const int b : *line)
          for (int v = tree_[b].v; v < tree_[b].v + tree_[b].nv; ++v) {
            any = true;
            int& first = owner[v];
            if (first < 0) first = static_cast<int>(k);
            group[root(static_cast<int>(k))] = root(first);
          }
      if (!any)
        fault(d_.loops[k], "loop-rigid", "no joint lies between its two links",
              "leave the loop out, or join other links");
      ways.push_back(std::move(way));
    }
    if (!errors_.empty()) return;
    find_roles(ways);
    std::map<int, std::vector<int>> members;
    for (std::size_t k = 0; k < d_.loops.size(); ++k) members[root(static_cast<int>(k))].push_back(static_cast<int>(k));
    for (const auto& [first, loops] : members) out_.clusters.push_back(cluster_of(loops, ways));
  }

  /// What the file says of the joints of each loop; where it says nothing, a motor or a limit of its torque does.
  void find_roles(const std::vector<Way>& ways) {
    role_.assign(static_cast<std::size_t>(tree_.nv), 0);
    const auto is_driven = [&](int v) {
      if (tree_.rotor[v] != 0 || std::isfinite(tree_.limits[v].effort)) return true;
      return std::ranges::any_of(tree_.transmissions,
                                 [&](const Transmission& t) { return std::ranges::find(t.dofs, v) != t.dofs.end(); });
    };
    for (std::size_t k = 0; k < d_.loops.size(); ++k) {
      const LoopDescription& loop = d_.loops[k];
      const bool actuated = !loop.actuated.empty(), named = actuated || !loop.passive.empty();
      std::set<std::string> seen;
      for (const auto* line : {&ways[k].of_i, &ways[k].of_j})
        for (const int b : *line) {
          if (tree_[b].nv == 0) continue;
          const std::string& joint = tree_.joint_names[b];
          seen.insert(joint);
          const std::vector<std::string>& list = actuated ? loop.actuated : loop.passive;
          const bool in_list = std::ranges::find(list, joint) != list.end();
          for (int v = tree_[b].v; v < tree_[b].v + tree_[b].nv; ++v) {
            int& role = role_[v];
            if (named)
              role = role > 0 ? 1 : in_list == actuated ? 1 : -1;
            else if (role == 0)
              role = is_driven(v) ? 1 : -1;
          }
        }
      for (const auto* list : {&loop.actuated, &loop.passive})
        for (const std::string& joint : *list)
          if (!seen.contains(joint))
            fault(loop, "loop-joint", fmt::format("joint \"{}\" does not lie between its two links", joint),
                  fmt::format("name joints of the loop: {}", fmt::join(seen, ", ")));
    }
  }

  LoopCluster cluster_of(const std::vector<int>& loops, const std::vector<Way>& ways) const {
    LoopCluster c;
    std::set<int> bodies;
    for (const int k : loops)
      for (const auto* line : {&ways[k].of_i, &ways[k].of_j}) bodies.insert(line->begin(), line->end());
    c.bodies.assign(bodies.begin(), bodies.end());  // bodies come after their parents
    std::map<int, int> local, column;
    for (const int b : c.bodies) {
      for (int v = tree_[b].v; v < tree_[b].v + tree_[b].nv; ++v) column.emplace(v, 0);
      const auto parent = local.find(tree_[b].parent);
      c.parents.push_back(parent == local.end() ? -1 : parent->second);
      local.emplace(b, static_cast<int>(local.size()));
    }
    for (auto& [v, at] : column) at = static_cast<int>(c.coordinates.size()), c.coordinates.push_back(v);
    for (const int b : c.bodies) {
      c.first_entry.push_back(static_cast<int>(c.entries.size()));
      for (int k = 0; k < tree_[b].nv; ++k)
        c.entries.push_back({local.at(b), tree_[b].column + k, column.at(tree_[b].v + k)});
    }
    c.first_entry.push_back(static_cast<int>(c.entries.size()));
    for (const int k : loops) {
      const LoopDescription& loop = d_.loops[k];
      const Way& way = ways[k];
      ClusterLoop out;
      out.loop = k, out.kind = loop.kind, out.sizes.length = loop.length;
      const auto side = [&](int body, const Transform<double>& X) {
        const auto at = local.find(body);
        return ClusterLoop::Side{at == local.end() ? -1 : at->second, body < 0 ? X : tree_[body].link * X, body};
      };
      out.i = side(way.body_i, loop.X_link_loop[0]), out.j = side(way.body_j, loop.X_link_loop[1]);
      for (const auto* line : {&way.of_i, &way.of_j})
        for (const int b : *line)
          for (int e = c.first_entry[local.at(b)]; e < c.first_entry[static_cast<std::size_t>(local.at(b)) + 1]; ++e)
            out.way.push_back({e, line == &way.of_j});
      out.first_row = c.all_rows, out.rows = row(loop.kind).equations;
      c.all_rows += out.rows;
      c.loops.push_back(std::move(out));
    }
    return c;
  }

  /// Units: the largest of its own lengths.
  void measure(LoopCluster& c) const {
    double length = 0;
    for (std::size_t b = 0; b < c.bodies.size(); ++b)
      if (c.parents[b] >= 0) length = std::max(length, norm(tree_[c.bodies[b]].placement.p));
    for (const ClusterLoop& loop : c.loops) {
      for (const ClusterLoop::Side* side : {&loop.i, &loop.j})
        if (side->body >= 0) length = std::max(length, norm(side->X.p));
      length = std::max(length, loop.sizes.length);
    }
    c.length = length > 0 ? length : 1;
    c.column_unit.assign(c.coordinates.size(), 1.0);
    for (const LoopCluster::Entry& entry : c.entries)
      if (norm(tree_.S[entry.S].w) == 0) c.column_unit[entry.column] = c.length;
    for (const ClusterLoop& loop : c.loops)
      for (int r = 0; r < loop.rows; ++r) c.row_unit.push_back(is_length_row(loop.kind, r) ? c.length : 1);
    for (int r = 0; r < c.all_rows; ++r) c.rows.push_back(r);
  }

  /// The frame of the cluster: at its first joint, so that planar loops lie in its plane x y, and some rows are always zero.
  void aim(LoopCluster& c) const {
    const Transform<double>& X = tree_[c.bodies.front()].placement;
    c.X_start = inverse(X);
  }

  /// Whether the loops of a cluster close near the starts of its joints.
  bool close(LoopCluster& c) {
    const Closing closing = close_cluster(tree_, c, out_.reference);
    c.residual = closing.residual;
    const LoopDescription& loop = description(c.loops[closing.loop]);
    if (!closing.closed && closing.residual <= 1e-5 * std::max(1.0, c.length))
      // loops that share joints cannot all close where their numbers are rounded
      fault(loop, "loop-open",
            fmt::format("it closes but for {:.3g} m or rad: the numbers of its loops contradict each other by so much",
                        c.residual),
            advice(loop).rounded);
    else if (!closing.closed)
      fault(loop, "loop-open",
            fmt::format("it does not close: {:.3g} m or rad are left, from the starts of the joints", c.residual),
            advice(loop).open);
    else if (closing.flipped)
      fault(loop, "loop-flipped", "it closes only with its axes against each other, from the starts of the joints",
            advice(loop).flipped);
    return closing.closed && !closing.flipped;
  }

  /// Pivots of J: columns are solved for in the order of their right, of equal right the longest that is left.
  static std::vector<int> pivots(std::vector<double> J, int m, int n, const std::vector<int>& right) {
    std::vector<int> chosen;
    std::vector<bool> taken(static_cast<std::size_t>(n));
    const auto square = [&](int j) {
      double sum = 0;
      for (int r = 0; r < m; ++r) sum += J[cell(r, n, j)] * J[cell(r, n, j)];
      return sum;
    };
    double longest = 0;
    for (int j = 0; j < n; ++j) longest = std::max(longest, square(j));
    const double least = longest * rank_tolerance * rank_tolerance;
    for (int level = -2; level <= 1; ++level)
      while (static_cast<int>(chosen.size()) < m) {
        int best = -1;
        double most = least;
        for (int j = 0; j < n; ++j)
          if (!taken[j] && right[j] == level)
            if (const double length = square(j); length > most) most = length, best = j;
        if (best < 0) break;
        taken[best] = true;
        chosen.push_back(best);
        // twice is enough
        for (int again = 0; again < 2; ++again)
          for (int j = 0; j < n; ++j) {
            if (taken[j]) continue;
            double dot = 0;
            for (int r = 0; r < m; ++r) dot += J[cell(r, n, best)] * J[cell(r, n, j)];
            for (int r = 0; r < m; ++r) J[cell(r, n, j)] -= dot / square(best) * J[cell(r, n, best)];
          }
      }
    std::ranges::sort(chosen);
    return chosen;
  }

  void choose(LoopCluster& c) {
    ClusterKinematics<double> kinematics(tree_, c);
    kinematics.place(out_.reference);
    const int m = kinematics.row_count(), n = static_cast<int>(c.coordinates.size());
    std::vector<int> right;
    for (const int v : c.coordinates) {
      const int b = body_of(v);
      // joints of several degrees of freedom before others: they are coordinates as a whole or not at all
      right.push_back(role_[v] > 0 ? 1 : tree_[b].nv > 1 ? -2 : role_[v]);
    }
    const std::span<const double> J = kinematics.J();
    c.dependent = pivots({J.begin(), J.end()}, m, n, right);
    c.redundant = m - static_cast<int>(c.dependent.size());
    for (int k = 0; k < n; ++k)
      if (!std::ranges::binary_search(c.dependent, k)) c.independent.push_back(k);
    for (int k = 0; k < n;) {
      const int b = body_of(c.coordinates[k]), nv = tree_[b].nv;
      const bool solved = std::ranges::binary_search(c.dependent, k);
      for (int i = 1; i < nv; ++i)
        if (std::ranges::binary_search(c.dependent, k + i) != solved) {
          fault(description(c.loops.front()), "loop-partial",
                fmt::format(
                    "joint \"{}\" has {} degrees of freedom, of which the loops determine only some: the rest, such "
                    "as the spin of a rod between two balls, is no coordinate",
                    tree_.joint_names[b], nv),
                advice(description(c.loops.front())).partial);
          return;
        }
      if (solved) {
        const auto first = static_cast<int>(std::ranges::lower_bound(c.dependent, k) - c.dependent.begin());
        c.solved.push_back({tree_[b].kind, tree_[b].q, row(tree_[b].kind).nq, first});
      } else {
        for (int i = 0; i < row(tree_[b].kind).nq; ++i) c.independent_q.push_back(tree_[b].q + i);
      }
      out_.joints.push_back({tree_.joint_names[b], !solved, role_[c.coordinates[k]] > 0});
      k += nv;
    }
    std::ranges::sort(c.independent_q);
  }

  /// The joint whose coordinate it is, not one that follows.
  int body_of(int v) const {
    int any = -1;
    for (int b = 0; b < tree_.size(); ++b)
      if (tree_[b].nv > 0 && tree_[b].v <= v && v < tree_[b].v + tree_[b].nv) {
        if (tree_[b].ratio == 1 && tree_[b].offset == 0) return b;
        any = b;
      }
    return any;
  }

  /// Rows that are zero wherever the joints stand, closed or not, are left out.
  void keep_rows(LoopCluster& c) const {
    std::mt19937_64 engine(1);
    const int n = static_cast<int>(c.coordinates.size());
    std::vector<bool> counts(static_cast<std::size_t>(c.all_rows));
    ClusterKinematics<double> kinematics(tree_, c);
    for (int sample = 0; sample < 8; ++sample) {
      const std::vector<double> q = sample == 0 ? out_.reference : random_position(tree_, engine);
      kinematics.place(q);
      for (int r = 0; r < c.all_rows; ++r)
        for (int j = 0; j < n; ++j)
          if (std::abs(kinematics.J()[cell(r, n, j)]) > 1e-14) counts[r] = true;
    }
    c.rows.clear();
    for (int r = 0; r < c.all_rows; ++r)
      if (counts[r]) c.rows.push_back(r);
  }

  void find_coordinates() {
    std::vector<bool> solved_q(static_cast<std::size_t>(tree_.nq)), solved_v(static_cast<std::size_t>(tree_.nv));
    for (const LoopCluster& c : out_.clusters) {
      for (const int k : c.dependent) solved_v[c.coordinates[k]] = true;
      for (const LoopCluster::Solved& joint : c.solved)
        for (int i = 0; i < joint.nq; ++i) solved_q[joint.q + i] = true;
    }
    for (int k = 0; k < tree_.nq; ++k)
      if (!solved_q[k]) out_.q.push_back(k);
    for (int k = 0; k < tree_.nv; ++k)
      if (!solved_v[k]) out_.v.push_back(k);
    if (out_.v.empty())
      fault(d_.loops.front(), "loop-rigid", "the loops leave the robot no motion at all",
            "leave out a loop, or take a kind that allows more");
    // the motor of one joint stays where it is: its rotor moves with the loops
    for (const Transmission& t : tree_.transmissions)
      for (const int v : t.dofs)
        if (t.dofs.size() > 1 && solved_v[v])
          fault(d_.loops.front(), "loop-transmission",
                fmt::format("joint \"{}\" has motors of a transmission and is determined by the loops",
                            tree_.velocity_names[v]),
                advice(d_.loops.front()).transmission);
  }

  /// The independent joints to their starts exactly, where the loops close there.
  void return_to_starts() {
    LoopMap map(tree_, std::make_shared<const LoopModel>(out_));
    std::vector<double> q_a;
    for (const int k : out_.q) q_a.push_back(start_[k]);
    if (map.place(q_a)) out_.reference.assign(map.q().begin(), map.q().end());
  }

  /// Where the loops close by accident in a singular position, fewer equations count there than next to it.
  void look_around() {
    std::mt19937_64 engine(2);
    LoopMap map(tree_, std::make_shared<const LoopModel>(out_));
    for (std::size_t k = 0; k < out_.clusters.size(); ++k) {
      const LoopCluster& c = out_.clusters[k];
      out_.clusters[k].residual = map.residual();
      const int m = static_cast<int>(c.rows.size()), n = static_cast<int>(c.coordinates.size());
      bool moves = false, singular = false;
      for (int sample = 0; sample < 4 && !singular; ++sample) {
        std::vector<double> q_a;
        for (const int i : out_.q) q_a.push_back(out_.reference[i]);
        for (std::size_t i = 0; i < out_.q.size(); ++i)
          if (std::ranges::binary_search(c.independent_q, out_.q[i]))
            q_a[i] += 0.02 * c.length / std::max(c.length, 1.0) * (uniform(engine) - 0.5);
        if (!map.place(q_a)) continue;
        moves = true;
        ClusterKinematics<double> kinematics(tree_, c);
        kinematics.place(map.q());
        const std::vector<double> J(kinematics.J().begin(), kinematics.J().end());
        singular = pivots(J, m, n, std::vector<int>(static_cast<std::size_t>(n), 0)).size() > c.dependent.size();
      }
      if (moves && !singular) continue;
      fault(description(c.loops.front()), "loop-singular",
            "the starts of its joints close it in a singular position, where it has more ways to move than next to it",
            advice(description(c.loops.front())).singular);
    }
  }

  void name_coordinates() {
    Model<double>& m = out_.coordinates;
    m.name = tree_.name;
    m.gravity = tree_.gravity;
    m.nq = out_.nq(), m.nv = out_.nv();
    m.rotor.assign(out_.v.size(), 0.0);
    for (const int k : out_.q) m.position_names.push_back(tree_.position_names[k]);
    for (const int k : out_.v) {
      m.velocity_names.push_back(tree_.velocity_names[k]);
      m.limits.push_back(tree_.limits[k]);
    }
    const auto place_in = [](const std::vector<int>& all, int number) {
      const auto at = std::ranges::lower_bound(all, number);
      return at != all.end() && *at == number ? static_cast<int>(at - all.begin()) : -1;
    };
    for (int b = 0; b < tree_.size(); ++b) {
      Body<double> body = tree_[b];
      const int v = body.nv == 0 || body.ratio != 1 || body.offset != 0 ? -1 : place_in(out_.v, body.v);
      if (v < 0) continue;
      const int S = body.column;
      body.parent = -1;
      body.v = v, body.q = place_in(out_.q, body.q);
      body.column = static_cast<int>(m.S.size());
      body.inertia = {};
      for (int k = 0; k < body.nv; ++k) m.S.push_back(tree_.S[S + k]);
      m.bodies.push_back(body);
      m.link_names.push_back(tree_.link_names[b]);
      m.joint_names.push_back(tree_.joint_names[b]);
    }
    for (Transmission t : tree_.transmissions) {
      for (int& v : t.dofs) v = place_in(out_.v, v);
      if (std::ranges::find(t.dofs, -1) == t.dofs.end()) m.transmissions.push_back(std::move(t));
    }
  }
};

}  // namespace

Result<LoopModel> assemble_loops(const Description& description, const Model<double>& tree) {
  return Assembly(description, tree).run();
}

}  // namespace torsor

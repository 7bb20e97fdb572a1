#include "torsor/fast/batch_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

#include "torsor/fast/aligned_room.hpp"
#include "torsor/fast/tame_positions.hpp"
#include "torsor/fast/varied_call.hpp"

namespace torsor {

template <class Real>
struct BatchDynamics<Real>::Parts {
  Parts(const Model<double>& m, BatchOptions options)
      : model(m), set(options.instruction_set), kernels(kernels_of<Real>(set)), workers(std::max(options.threads, 1)),
        positions(m, workers.threads() * piece_states) {
    for (int k = 0; k < workers.threads(); ++k) judges.emplace_back(model);
    SplitFriction<Real> split = split_friction<Real>(model);
    friction = std::move(split.in_lanes);
    other_friction = std::move(split.others);
    driving.resize(other_friction.empty() ? 0 : static_cast<std::size_t>(workers.threads() * piece_states * model.nv));
    if (auto found = canonical_chain(model)) {
      chain = std::move(*found);
      prepared.emplace(model, *chain);
      chain_call = prepared->call();
      for (int k = 0; k < workers.threads(); ++k)
        rooms.push_back(aligned_room(chain_work_bytes(chain->n())));
    }
    if (!chain || solves_on_tree()) make_trees();
    tree_call.friction = friction.data();
    tree_call.frictions = static_cast<int>(friction.size());
    tree_call.tool_body = model.frames.empty() ? model.size() - 1 : model.frames.back().body;
    if (!model.frames.empty())
      tree_call.X_body_tool =
          cast<Real>(model.frames.back().X_body_frame, [](double x) { return static_cast<Real>(x); });
    weightless_chain = solving_chain = without_weight(chain_call);
    solving_chain.rotors = chain_call.rotors;  // which turn with the joints whatever moves them
    solving_chain.rotor_couplings = chain_call.rotor_couplings;
    weightless_tree = tree_call;
    weightless_tree.frictions = 0;
    weightless_tree.base.a =
        cast<Real>(model.gravity, [](double x) { return static_cast<Real>(x); });  // a base that falls feels none
  }
  ~Parts() {
    for (void* tree : trees) kernels.tree.destroy(tree);
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  void make_trees() {
    while (trees.size() < static_cast<std::size_t>(workers.threads())) trees.push_back(kernels.tree.create(model));
  }
  /// Accelerations of long chains come cheaper from articulated bodies.
  bool solves_on_tree() const { return chain->n() > longest_solved_chain; }

  /// One question: the kernels that answer it, and whether those of the chain can.
  struct Asked {
    ChainKernel<Real> ChainKernels<Real>::*of_chain;
    void (*TreeKernels<Real>::*of_tree)(void*, const TreeCall<Real>&);
    bool on_chain;
    const ChainCall<Real>& chain_call;
    const TreeCall<Real>& tree_call;
  };
  Asked inverse() const {
    return {&ChainKernels<Real>::inverse, &TreeKernels<Real>::inverse, chain && tip_only, chain_call, tree_call};
  }
  Asked coriolis() const {
    return {&ChainKernels<Real>::inverse, &TreeKernels<Real>::inverse, chain.has_value(), weightless_chain,
            weightless_tree};
  }
  Asked mass() const {
    return {&ChainKernels<Real>::mass, &TreeKernels<Real>::mass, chain && lengths_alike, chain_call, tree_call};
  }
  Asked forward() const {
    return {&ChainKernels<Real>::forward, &TreeKernels<Real>::forward, chain && tip_only && !solves_on_tree(),
            chain_call, tree_call};
  }
  Asked solve() const {
    return {&ChainKernels<Real>::forward, &TreeKernels<Real>::forward, chain && !solves_on_tree(), solving_chain,
            weightless_tree};
  }
  Asked kinematics() const {
    return {&ChainKernels<Real>::kinematics, &TreeKernels<Real>::kinematics, chain.has_value(), chain_call, tree_call};
  }

  /// Calls the chain's or the tree's kernel for every piece of the states. `before` and `after` see each piece's call, and
  /// who makes it; after, too, where it starts.
  template <class Before, class After>
  void run(const StateCall<Real>& all, const Asked& asked, const Before& before, const After& after) {
    workers.share((all.states + piece_states - 1) / piece_states, [&](int worker, std::int64_t k) {
      StateCall<Real> piece = all;
      const std::int64_t first = k * piece_states;
      piece.differences = differences;
      piece.row = first_row + first;
      piece.states = std::min(piece_states, all.states - first);
      piece.q += first * piece.q_stride;
      if (piece.qd) piece.qd += first * piece.qd_stride;
      if (piece.a) piece.a += first * piece.a_stride;
      if (piece.out) piece.out += first * piece.out_stride;
      if (piece.jacobian) piece.jacobian += first * piece.jacobian_stride;
      bool doubtful = false;
      piece.doubtful = &doubtful;
      positions.tame(worker * piece_states, piece);
      before(worker, piece);
      if (asked.on_chain) {
        ChainCall<Real> call = asked.chain_call;
        static_cast<StateCall<Real>&>(call) = piece;
        call.work = rooms[worker].get();
        if (differences) {
          if (differences->friction) call.frictions = 0;
          if (differences->links) call.rotors = true;
        }
        ((differences ? varied_chain : kernels.chain).*asked.of_chain)(call);
      } else {
        TreeCall<Real> call = asked.tree_call;
        static_cast<StateCall<Real>&>(call) = piece;
        if (differences && differences->friction) call.frictions = 0;
        (kernels.tree.*asked.of_tree)(trees[worker], call);
      }
      after(worker, first, piece);
    });
  }

  /// Lanes leave NaN where a pivot is small beside its neighbours, and say that they did. Whether there is an answer all the same is the tree's to say,
  /// as it is for one state (FastDynamics::forward), and in doubles. By way of forward() at a state, or, as it leaves the factors of M, solve().
  enum class Way { forward, solve };
  void judge(Way way, int worker, std::int64_t first, const StateCall<Real>& piece, In given) {
    if (!*piece.doubtful) return;
    const auto widen = [](const Real* row, std::vector<double>& to) {
      if (row)
        std::copy_n(row, to.size(), to.begin());
      else
        std::ranges::fill(to, 0.0);
    };
    if (differences && varied_judges.empty())
      for (int k = 0; k < workers.threads(); ++k) varied_judges.emplace_back(model);
    Judge& own = differences ? varied_judges[static_cast<std::size_t>(worker)].judge : judges[static_cast<std::size_t>(worker)];
    for (std::int64_t s = 0; s < piece.states; ++s) {
      Real* const out = piece.out + s * piece.out_stride;
      if (!std::isnan(out[0])) continue;
      widen(piece.q + s * piece.q_stride, own.q);
      widen(piece.qd ? piece.qd + s * piece.qd_stride : nullptr, own.qd);
      widen(given.data ? given.row(first + s) : nullptr, own.tau);
      own.tree.loads.assign(loads);
      if (differences) vary(piece.row + s, varied_judges[static_cast<std::size_t>(worker)]);
      if (own.tree.forward(own.q, own.qd, own.tau, own.qdd) >= 0) continue;
      if (way == Way::solve) own.tree.solve(own.tau, own.qdd);
      std::ranges::transform(own.qdd, out, [](double x) { return static_cast<Real>(x); });
    }
  }

  /// torque += sign * friction of the laws that lanes do not know.
  void add_other_friction(const StateCall<Real>& piece, double sign, Real* effort, std::ptrdiff_t stride) const {
    if (!piece.qd || (differences && differences->friction)) return;
    for (const int k : other_friction) {
      const auto& [body, law] = model.friction[k];
      const Body<double>& b = model[body];
      for (std::int64_t s = 0; s < piece.states; ++s) {
        const double q = b.ratio * static_cast<double>(piece.q[s * piece.q_stride + b.q]) + b.offset;
        const double qd = b.ratio * static_cast<double>(piece.qd[s * piece.qd_stride + b.v]);
        effort[s * stride + b.v] += static_cast<Real>(sign * b.ratio * friction_torque(law, q, qd));
      }
    }
  }

  struct Judge {
    explicit Judge(const Model<double>& m)
        : tree(m), q(static_cast<std::size_t>(m.nq)), qd(static_cast<std::size_t>(m.nv)), tau(qd), qdd(qd) {}
    TreeDynamics<double> tree;
    std::vector<double> q, qd, tau, qdd;
  };

  /// The same for rows that differ.
  struct VariedJudge {
    explicit VariedJudge(const Model<double>& m) : model(m), judge(model) {}
    Model<double> model;
    Judge judge;
  };
  /// The robot of a row, and what acts on it.
  void vary(std::int64_t at, VariedJudge& to) const {
    const auto& d = *differences;
    const auto vector = [](const Real* x) {
      return Vec3<double>{static_cast<double>(x[0]), static_cast<double>(x[1]), static_cast<double>(x[2])};
    };
    const auto force = [&](const Real* x) { return Force<double>{vector(x), vector(x + 3)}; };
    if (robots) robots->make(at, to.model);
    to.model.gravity = d.gravity ? vector(d.gravity + at * d.gravity_stride) : model.gravity;
    Loads& own = to.judge.tree.loads;
    if (const Real* x = d.base ? d.base + at * d.base_stride : nullptr)
      own.base = {vector(x), vector(x + 3), vector(x + 6)};
    if (!d.external && !d.wrench) return;
    own.external.assign(model.bodies.size(), {});
    for (std::size_t i = 0; d.external && i < own.external.size(); ++i)
      own.external[i] = force(d.external + at * d.external_stride + 6 * static_cast<std::ptrdiff_t>(i));
    if (d.wrench)
      own.external[static_cast<std::size_t>(d.wrench_body)] +=
          cast<double>(d.X_body_wrench, [](Real x) { return static_cast<double>(x); }) *
          force(d.wrench + at * d.wrench_stride);
  }

  const Model<double>& model;
  std::deque<Judge> judges;     // per thread
  std::deque<VariedJudge> varied_judges;  // made when the first is asked for
  const RowDifferences<Real>* differences = nullptr;
  const RowRobots* robots = nullptr;
  std::int64_t first_row = 0;
  ChainKernels<Real> varied_chain;
  Loads loads;
  InstructionSet set;
  const MachineKernels<Real>& kernels;
  Workers workers;
  TamePositions<Real> positions;  // a piece per thread
  std::optional<CanonicalChain> chain;
  std::optional<PreparedChain<Real>> prepared;
  ChainCall<Real> chain_call, weightless_chain, solving_chain;
  ChainEnds<Real> ends;
  bool tip_only = true;       // no link is pushed but a chain's last
  bool lengths_alike = true;  // in all rows
  TreeCall<Real> tree_call, weightless_tree;
  std::vector<Force<Real>> external;
  std::vector<AlignedRoom> rooms;   // per thread, for chains
  std::vector<void*> trees;  // per thread
  std::vector<LaneFriction<Real>> friction;
  std::vector<int> other_friction;
  std::vector<Real> driving;  // torques less other friction, a piece per thread
};

template <class Real>
BatchDynamics<Real>::BatchDynamics(const Model<double>& model, BatchOptions options)
    : parts_(std::make_unique<Parts>(model, options)) {}

template <class Real>
BatchDynamics<Real>::~BatchDynamics() = default;

template <class Real>
void BatchDynamics<Real>::inverse(std::int64_t states, In q, In qd, In qdd, Out tau) {
  const StateCall<Real> call{states,     q.data,   qd.data, qdd.data,   q.stride,
                             qd.stride, qdd.stride, tau.data, nullptr, tau.stride, 0};
  parts_->run(
      call, parts_->inverse(), [](int, StateCall<Real>&) {},
      [&](int, std::int64_t, const StateCall<Real>& piece) {
        parts_->add_other_friction(piece, 1, piece.out, piece.out_stride);
      });
}

template <class Real>
void BatchDynamics<Real>::coriolis(std::int64_t states, In q, In qd, Out tau) {
  const StateCall<Real> call{states, q.data,   qd.data, nullptr,    q.stride, qd.stride,
                             0,      tau.data, nullptr, tau.stride, 0};
  parts_->run(call, parts_->coriolis(), [](int, StateCall<Real>&) {}, [](int, std::int64_t, const StateCall<Real>&) {});
}

template <class Real>
void BatchDynamics<Real>::mass(std::int64_t states, In q, Out M) {
  const StateCall<Real> call{states, q.data, nullptr, nullptr, q.stride, 0, 0, M.data, nullptr, M.stride, 0};
  parts_->run(call, parts_->mass(), [](int, StateCall<Real>&) {}, [](int, std::int64_t, const StateCall<Real>&) {});
}

template <class Real>
void BatchDynamics<Real>::forward(std::int64_t states, In q, In qd, In tau, Out qdd) {
  const StateCall<Real> call{states,    q.data,     qd.data,  tau.data, q.stride,
                             qd.stride, tau.stride, qdd.data, nullptr,  qdd.stride, 0};
  const auto less_friction = [&](int worker, StateCall<Real>& piece) {
    if (parts_->other_friction.empty()) return;
    const std::ptrdiff_t nv = parts_->model.nv;
    Real* const own = parts_->driving.data() + worker * piece_states * nv;
    for (std::int64_t s = 0; s < piece.states; ++s)
      for (std::ptrdiff_t k = 0; k < nv; ++k) own[s * nv + k] = piece.a ? piece.a[s * piece.a_stride + k] : Real(0);
    parts_->add_other_friction(piece, -1, own, nv);
    piece.a = own;
    piece.a_stride = nv;
  };
  parts_->run(call, parts_->forward(), less_friction,
              [&](int worker, std::int64_t first, const StateCall<Real>& piece) {
                parts_->judge(Parts::Way::forward, worker, first, piece, tau);
              });
}

template <class Real>
void BatchDynamics<Real>::solve(std::int64_t states, In q, In b, Out x) {
  const StateCall<Real> call{states, q.data, nullptr, b.data, q.stride, 0, b.stride, x.data, nullptr, x.stride, 0};
  parts_->run(
      call, parts_->solve(), [](int, StateCall<Real>&) {},
      [&](int worker, std::int64_t first, const StateCall<Real>& piece) {
        parts_->judge(Parts::Way::solve, worker, first, piece, b);
      });
}

template <class Real>
void BatchDynamics<Real>::tool(std::int64_t states, In q, Out X, Out J) {
  const StateCall<Real> call{states, q.data, nullptr, nullptr, q.stride, 0, 0, X.data, J.data, X.stride, J.stride};
  parts_->run(
      call, parts_->kinematics(), [](int, StateCall<Real>&) {}, [](int, std::int64_t, const StateCall<Real>&) {});
}

template <class Real>
void BatchDynamics<Real>::set_loads(const BodyLoads<double>& loads) {
  Parts& p = *parts_;
  TORSOR_EXPECT(loads.external.size() <= p.model.bodies.size());
  const auto convert = [](double x) { return static_cast<Real>(x); };
  p.tree_call.base = cast<Real>(loads.base, convert);
  p.loads.assign(loads);
  p.external.assign(p.model.bodies.size(), {});
  for (std::size_t i = 0; i < loads.external.size(); ++i)
    p.external[i] = cast<Real>(loads.external[i], convert);
  p.tree_call.external = loads.external.empty() ? nullptr : p.external.data();

  p.chain_call.ends = nullptr;
  p.tip_only = true;
  if (!p.chain || nothing_acts(loads)) return;
  const auto found = chain_ends(p.model, *p.chain, loads);
  p.tip_only = found.has_value();
  if (!p.tip_only) return p.make_trees();
  p.ends = {cast<Real>(found->base, convert), cast<Real>(found->tip, convert)};
  p.chain_call.ends = &p.ends;
}

template <class Real>
void BatchDynamics<Real>::set_differences(const RowDifferences<Real>* differences, const RowRobots* robots,
                                          std::int64_t row) {
  Parts& p = *parts_;
  p.differences = differences;
  p.robots = robots;
  p.first_row = row;
  p.tip_only = p.lengths_alike = true;
  if (!differences) return;
  if constexpr (std::is_same_v<Real, double>) {
    const VariedKernels kernels = varied_kernels(p.set);
    p.varied_chain = differences->links ? kernels.robots : kernels.loads;
  } else {
    TORSOR_EXPECT(false);  // there are no such kernels of floats
  }
  if (!p.chain) return;
  p.lengths_alike = !differences->placements;
  p.tip_only = p.lengths_alike && !differences->external &&
               (!differences->wrench ||
                p.chain->link_of_body[static_cast<std::size_t>(differences->wrench_body)] == p.chain->n() - 1);
  if (!p.tip_only) p.make_trees();
}

template <class Real>
RowRobots BatchDynamics<Real>::row_robots(const RobotNumbers& numbers) const {
  const CanonicalChain* const chain = parts_->chain && numbers.placements.empty() ? &*parts_->chain : nullptr;
  return {parts_->model, chain, numbers, parts_->kernels.lanes};
}

template <class Real>
void BatchDynamics<Real>::complete(RowDifferences<double>& differences) const {
  const Parts& p = *parts_;
  if (!p.chain) return;
  differences.p_base_0 = p.model.base.R * p.chain->X_base_0.p;
  if (differences.wrench_body >= 0)
    differences.X_link_wrench =
        p.chain->X_link_body[static_cast<std::size_t>(differences.wrench_body)] * differences.X_body_wrench;
}

template <class Real>
bool BatchDynamics<Real>::canonical() const {
  return parts_->chain.has_value();
}
template <class Real>
int BatchDynamics<Real>::threads() const {
  return parts_->workers.threads();
}
template <class Real>
InstructionSet BatchDynamics<Real>::instruction_set() const {
  return parts_->set;
}

template class BatchDynamics<double>;
template class BatchDynamics<float>;

}  // namespace torsor

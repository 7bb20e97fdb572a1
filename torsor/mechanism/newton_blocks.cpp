#include "torsor/mechanism/newton_blocks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "torsor/mechanism/packed_state.hpp"
#include "torsor/numeric/block_lu.hpp"
#include "torsor/numeric/finite.hpp"

namespace torsor {
namespace {

using Six = std::array<double, 6>;

std::size_t at(int k) { return static_cast<std::size_t>(k); }

Six parts(const Force<double>& f) { return {f.n.x, f.n.y, f.n.z, f.f.x, f.f.y, f.f.z}; }

/// So many rows over the six of one body.
struct Derivative {
  int down = 0, body = 0;          // down: of a node; body: across
  std::vector<double> by_q, by_V;  // rows x 6
};

class NewtonBlocks final : public NewtonMatrix {
 public:
  NewtonBlocks(const Mechanism& m, const MechanismState& here, const OwnUnits& units, bool redundant)
      : m_(m),
        stands_(here),
        units_(units),
        forward_(m),
        equations_(m),
        state_(here),
        moved_(here),
        A_(here.bodies.size()),
        g_(here.bodies.size()),
        F0_(here.bodies.size()),
        F_(here.bodies.size()),
        c0_(at(m.rows)),
        c_(at(m.rows)),
        M_(36 * here.bodies.size()) {
    forward_.expect_redundancy(redundant);
    find_pattern();
  }

  long differentiate(const Slope&, double t, std::span<const double> y, std::span<const double>) override {
    state_.t = t;
    unpack_state(y, units_, state_);
    state_.angles = stands_.angles;
    state_.modes = stands_.modes;
    p_.clear();
    for (const BodyState& b : state_.bodies) p_.push_back(b.p);
    forward_.accelerations(state_, A_);
    miss(state_, F_, c_);
    J_ = equations_.J;
    set_masses();
    double speed = 1 / units_.time;
    for (const BodyState& b : state_.bodies) speed = std::max({speed, norm(b.w), norm(b.v) / units_.length});
    moved_ = state_;
    // to both sides: beside the stiffest entry the slow ones must keep their digits
    constexpr double part = 1e-6;
    for (const std::vector<int>& color : colors_)
      for (int direction = 0; direction < 12; ++direction) {
        const bool velocity = direction >= 6, way = direction % 6 >= 3;
        const double by = part * (way ? units_.length : 1) * (velocity ? speed : 1);
        const auto beside = [&](double there, std::vector<Force<double>>& F, std::vector<double>& c) {
          for (const int body : color) move(moved_.bodies[at(body)], state_.bodies[at(body)], direction, there);
          miss(moved_, F, c);
        };
        beside(by, F_, c_), beside(-by, F0_, c0_);
        for (const int body : color) {
          read(body, direction % 6, velocity, 2 * by);
          moved_.bodies[at(body)] = state_.bodies[at(body)];
        }
      }
    return static_cast<long>(24 * colors_.size());
  }

  bool factor(double real, std::complex<double> complex) override {
    if (real_.empty()) {
      real_.emplace_back(rows_, neighbours_, waits_), complex_.emplace_back(rows_, neighbours_, waits_);
      b_.resize(at(real_[0].size())), bc_.resize(b_.size());
    }
    s_ = real, sc_ = {complex.real(), complex.imag()};
    return fill(real_[0], s_) && fill(complex_[0], sc_);
  }

  void solve(std::span<double> b) override {
    solve_with(
        real_[0], s_, b_, [&](std::size_t k) { return b[k]; }, [&](std::size_t k, double x) { b[k] = x; });
  }
  void solve(std::span<double> re, std::span<double> im) override {
    solve_with(
        complex_[0], sc_, bc_,
        [&](std::size_t k) {
          return PlainComplex{re[k], im[k]};
        },
        [&](std::size_t k, const PlainComplex& x) { re[k] = x.re, im[k] = x.im; });
  }

 private:
  const Mechanism& m_;
  const MechanismState& stands_;
  OwnUnits units_;
  MechanismForward forward_;
  MechanismEquations equations_;
  MechanismState state_, moved_;
  std::vector<Quaternion<double>> p_;
  std::vector<Motion<double>> A_;
  std::vector<Force<double>> g_, F0_, F_;
  std::vector<double> c0_, c_, J_, M_;  // M: of each body, what is borrowed included
  // nodes: the bodies, then the blocks of equations
  std::vector<int> rows_, first_, block_of_;  // block_of: of each node after the bodies
  std::vector<bool> waits_;
  std::vector<std::pair<int, int>> neighbours_;
  std::vector<Derivative> derivatives_;
  std::vector<std::vector<std::size_t>> of_body_;  // derivatives_ by this body
  std::vector<std::vector<int>> colors_;
  std::vector<double> little_;         // of each row: what is taken from its diagonal
  std::vector<BlockLu<double>> real_;  // one of each, made when first needed
  std::vector<BlockLu<PlainComplex>> complex_;
  double s_ = 0;
  PlainComplex sc_;
  std::vector<double> b_;
  std::vector<PlainComplex> bc_;

  const ConstraintBlock& block(int node) const { return m_.blocks[at(block_of_[at(node - m_.bodies())])]; }

  void find_pattern() {
    const int bodies = m_.bodies();
    std::vector<std::set<int>> near(at(bodies));
    for (int b = 0; b < bodies; ++b) rows_.push_back(6), waits_.push_back(false), near[at(b)].insert(b);
    const auto join = [&](int i, int j) {
      if (i >= 0 && j >= 0 && i != j) near[at(i)].insert(j), near[at(j)].insert(i);
    };
    const auto join_of = [&](const Measure& measure) {
      join(m_.side_i[at(measure.joint)].body, m_.side_j[at(measure.joint)].body);
    };
    for (std::size_t k = 0; k < m_.blocks.size(); ++k) {
      const ConstraintBlock& each = m_.blocks[k];
      if (!counts(each, EquationSet::all)) continue;
      const int node = static_cast<int>(rows_.size());
      rows_.push_back(each.rows), waits_.push_back(true), block_of_.push_back(static_cast<int>(k));
      for (const int i : each.bodies) {
        neighbours_.emplace_back(node, i);
        derivatives_.push_back({node, i, {}, {}});
        for (const int j : each.bodies) join(i, j);
      }
    }
    for (const MechanismSpring& s : m_.description.springs) join_of(s.measure);
    for (const MechanismActuator& a : m_.description.actuators) join_of(a.measure);
    for (int i = 0; i < bodies; ++i)
      for (const int j : near[at(i)]) {
        derivatives_.push_back({j, i, {}, {}});
        if (j < i) neighbours_.emplace_back(i, j);
      }
    of_body_.resize(at(bodies));
    for (std::size_t d = 0; d < derivatives_.size(); ++d) {
      const std::size_t size = 6 * at(rows_[at(derivatives_[d].down)]);
      derivatives_[d].by_q.resize(size), derivatives_[d].by_V.resize(size);
      of_body_[at(derivatives_[d].body)].push_back(d);
    }
    int first = 0;
    for (const int rows : rows_) first_.push_back(first), first += rows;
    little_.resize(at(first));
    // bodies of one colour have no neighbour in common
    std::vector<int> color_of(at(bodies), -1);
    for (int i = 0; i < bodies; ++i) {
      std::set<int> taken;
      for (const int j : near[at(i)])
        for (const int k : near[at(j)]) taken.insert(color_of[at(k)]);
      int color = 0;
      while (taken.contains(color)) ++color;
      color_of[at(i)] = color;
      if (color == static_cast<int>(colors_.size())) colors_.emplace_back();
      colors_[at(color)].push_back(i);
    }
  }

  /// F of all bodies and c of all rows, with the A and lambda found.
  void miss(const MechanismState& state, std::vector<Force<double>>& F, std::vector<double>& c) {
    equations_.evaluate(state);
    applied_forces(m_, state, equations_, ActuatorTorques::given, g_);
    for (int b = 0; b < m_.bodies(); ++b) {
      const MechanismBody& body = m_.description.bodies[at(b)];
      const Motion<double>& a = A_[at(b)];
      F[at(b)] = g_[at(b)] - Force<double>{rotate(equations_.orientation(b), body.I) * a.w, a.v * body.m};
    }
    std::copy(equations_.gamma.begin(), equations_.gamma.end(), c.begin());
    for (const int k : block_of_) {
      const ConstraintBlock& each = m_.blocks[at(k)];
      for (std::size_t slot = 0; slot < each.bodies.size(); ++slot)
        for (int r = 0; r < each.rows; ++r) {
          const Force<double> J = equations_.gradient(each, slot, r);
          const std::size_t row = at(each.first_row + r);
          F[at(each.bodies[slot])] -= J * forward_.lambda()[row];
          c[row] -= dot(A_[at(each.bodies[slot])], J);
        }
    }
  }

  static void move(BodyState& to, const BodyState& from, int direction, double by) {
    to = from;
    const auto part = [&](Vec3<double>& v) -> double& {
      return direction % 3 == 0 ? v.x : direction % 3 == 1 ? v.y : v.z;
    };
    if (direction < 3) {
      Vec3<double> axis;
      part(axis) = 1;
      to.p = quaternion_about(axis, by) * to.p;
    } else {
      part(direction < 6 ? to.r : direction < 9 ? to.w : to.v) += by;
    }
  }

  /// Column `part` of what this body does.
  void read(int body, int part, bool velocity, double by) {
    for (const std::size_t d : of_body_[at(body)]) {
      Derivative& each = derivatives_[d];
      std::vector<double>& to = velocity ? each.by_V : each.by_q;
      if (each.down < m_.bodies()) {
        const Six change = parts(F_[at(each.down)] - F0_[at(each.down)]);
        for (std::size_t r = 0; r < 6; ++r) to[6 * r + at(part)] = change[r] / by;
      } else {
        const ConstraintBlock& of = block(each.down);
        for (int r = 0; r < of.rows; ++r)
          to[at(6 * r + part)] = (c_[at(of.first_row + r)] - c0_[at(of.first_row + r)]) / by;
      }
    }
  }

  void set_masses() {
    for (int b = 0; b < m_.bodies(); ++b) {
      const MechanismBody& body = m_.description.bodies[at(b)];
      const Sym3<double> I = rotate(rotation(state_.bodies[at(b)].p), body.I) + m_.borrowed[at(b)].I;
      const double mass = body.m + m_.borrowed[at(b)].m;
      double* const M = &M_[36 * at(b)];
      std::fill_n(M, 36, 0.0);
      M[0] = I.xx, M[1] = M[6] = I.xy, M[2] = M[12] = I.xz, M[7] = I.yy, M[8] = M[13] = I.yz, M[14] = I.zz;
      M[21] = M[28] = M[35] = mass;
    }
    // S_rr = sum of J M^-1 J^T, roughly
    constexpr double share = 1e-9;
    for (std::size_t k = 0; k < block_of_.size(); ++k) {
      const ConstraintBlock& each = m_.blocks[at(block_of_[k])];
      for (int r = 0; r < each.rows; ++r) {
        double sum = 0;
        for (std::size_t slot = 0; slot < each.bodies.size(); ++slot) {
          const Six J = parts(gradient(each, slot, r));
          const double* const M = &M_[36 * at(each.bodies[slot])];
          for (std::size_t i = 0; i < 6; ++i) sum += J[i] * J[i] / M[7 * i];
        }
        little_[at(first_[at(m_.bodies()) + k] + r)] = share * sum;
      }
    }
  }

  Force<double> gradient(const ConstraintBlock& of, std::size_t slot, int row) const {
    const std::size_t n = at(of.rows);
    const double* const g = J_.data() + of.first_gradient + slot * 6 * n + at(row);
    return {{g[0], g[n], g[2 * n]}, {g[3 * n], g[4 * n], g[5 * n]}};
  }

  /// x B, x a row over the six of a body: B = s - w x / 2 about the rotation.
  template <class T>
  std::array<T, 6> times_B(const std::array<T, 6>& x, const T& s, const Vec3<double>& w) const {
    // the row n over w x d is n x w over d
    const T nx = x[1] * (w.z / 2) - x[2] * (w.y / 2), ny = x[2] * (w.x / 2) - x[0] * (w.z / 2),
            nz = x[0] * (w.y / 2) - x[1] * (w.x / 2);
    return {x[0] * s - nx, x[1] * s - ny, x[2] * s - nz, x[3] * s, x[4] * s, x[5] * s};
  }

  template <class T>
  bool fill(BlockLu<T>& lu, const T& s) {
    lu.clear();
    const std::span<T> values = lu.values();
    const auto add = [&](const typename BlockLu<T>::Place& place, int r, const std::array<T, 6>& row) {
      for (int c = 0; c < 6; ++c) values[place.offset + at(r * place.down + c * place.across)] += row[at(c)];
    };
    for (const Derivative& each : derivatives_) {
      const auto place = lu.place(each.down, each.body);
      const Vec3<double>& w = state_.bodies[at(each.body)].w;
      for (int r = 0; r < rows_[at(each.down)]; ++r) {
        std::array<T, 6> by_V{}, row{};
        for (std::size_t c = 0; c < 6; ++c) by_V[c] = T{each.by_V[at(6 * r) + c]};
        row = times_B(by_V, s, w);
        for (std::size_t c = 0; c < 6; ++c) row[c] = (row[c] + T{each.by_q[at(6 * r) + c]}) * -1.0;
        add(place, r, row);
      }
    }
    const auto add_product = [&](const auto& place, int r, const double* x, const Vec3<double>& w) {
      std::array<T, 6> row{};
      for (std::size_t c = 0; c < 6; ++c) row[c] = s * x[c];
      add(place, r, times_B(row, s, w));
    };
    for (int b = 0; b < m_.bodies(); ++b)
      for (int r = 0; r < 6; ++r) add_product(lu.place(b, b), r, &M_[36 * at(b) + at(6 * r)], state_.bodies[at(b)].w);
    for (int node = m_.bodies(); node < static_cast<int>(rows_.size()); ++node) {
      const ConstraintBlock& of = block(node);
      for (std::size_t slot = 0; slot < of.bodies.size(); ++slot) {
        const int body = of.bodies[slot];
        const auto below = lu.place(node, body), beside = lu.place(body, node);
        for (int r = 0; r < of.rows; ++r) {
          const Six J = parts(gradient(of, slot, r));
          add_product(below, r, J.data(), state_.bodies[at(body)].w);
          for (int c = 0; c < 6; ++c) values[beside.offset + at(c * beside.down + r * beside.across)] += T{J[at(c)]};
        }
      }
      const auto own = lu.place(node, node);
      for (int r = 0; r < of.rows; ++r)
        values[own.offset + at(r * (own.down + own.across))] -= T{little_[at(first_[at(node)] + r)]};
    }
    double sum = 0;
    for (const T& x : values) sum += size_of_number(x);
    return std::isfinite(sum) && lu.factor();
  }

  template <class T, class Get, class Set>
  void solve_with(const BlockLu<T>& lu, const T& s, std::vector<T>& b, const Get& get, const Set& set) {
    const double L = units_.length, per_T = 1 / units_.time;
    const std::size_t n = at(m_.bodies());
    struct Body {
      std::array<T, 6> q, V;  // of the right side, rotations and angular velocities first
      T along_p;
    };
    std::vector<Body> of(n);
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t y = packed_per_body * k;
      const Quaternion<double> c = ~p_[k];
      const std::array<T, 4> r{get(y + 3), get(y + 4), get(y + 5), get(y + 6)};
      // r p~ = (along, half of the rotation)
      of[k].along_p = r[0] * c.e0 - r[1] * c.e1 - r[2] * c.e2 - r[3] * c.e3;
      of[k].q[0] = (r[0] * c.e1 + r[1] * c.e0 + r[2] * c.e3 - r[3] * c.e2) * 2.0;
      of[k].q[1] = (r[0] * c.e2 - r[1] * c.e3 + r[2] * c.e0 + r[3] * c.e1) * 2.0;
      of[k].q[2] = (r[0] * c.e3 + r[1] * c.e2 - r[2] * c.e1 + r[3] * c.e0) * 2.0;
      for (std::size_t i = 0; i < 3; ++i) {
        of[k].q[3 + i] = get(y + i) * L;
        of[k].V[3 + i] = get(y + 7 + i) * (L * per_T);
        of[k].V[i] = get(y + 10 + i) * per_T;
      }
    }
    std::fill(b.begin(), b.end(), T{});
    for (const Derivative& each : derivatives_) {
      const auto& q = of[at(each.body)].q;
      for (int r = 0; r < rows_[at(each.down)]; ++r)
        for (std::size_t c = 0; c < 6; ++c) b[at(first_[at(each.down)] + r)] -= q[c] * each.by_V[at(6 * r) + c];
    }
    const auto both = [&](std::size_t body, std::size_t c) { return s * of[body].q[c] + of[body].V[c]; };
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t r = 0; r < 6; ++r)
        for (std::size_t c = 0; c < 6; ++c) b[6 * k + r] += both(k, c) * M_[36 * k + 6 * r + c];
    for (int node = m_.bodies(); node < static_cast<int>(rows_.size()); ++node) {
      const ConstraintBlock& block_here = block(node);
      for (std::size_t slot = 0; slot < block_here.bodies.size(); ++slot)
        for (int r = 0; r < block_here.rows; ++r) {
          const Six J = parts(gradient(block_here, slot, r));
          for (std::size_t c = 0; c < 6; ++c)
            b[at(first_[at(node)] + r)] += both(at(block_here.bodies[slot]), c) * J[c];
        }
    }
    lu.solve(b);
    const T per_s = inverse_of_number(s);
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t y = packed_per_body * k;
      const T* const d = &b[6 * k];
      const Vec3<double>& w = state_.bodies[k].w;
      const std::array<T, 3> wd{d[2] * (w.y / 2) - d[1] * (w.z / 2), d[0] * (w.z / 2) - d[2] * (w.x / 2),
                                d[1] * (w.x / 2) - d[0] * (w.y / 2)};
      const Quaternion<double>& p = p_[k];
      const T a = (of[k].along_p - (d[0] * w.x + d[1] * w.y + d[2] * w.z) * 0.25) * per_s, x = d[0] * 0.5,
              yy = d[1] * 0.5, z = d[2] * 0.5;
      set(y + 3, a * p.e0 - x * p.e1 - yy * p.e2 - z * p.e3);
      set(y + 4, a * p.e1 + x * p.e0 + yy * p.e3 - z * p.e2);
      set(y + 5, a * p.e2 - x * p.e3 + yy * p.e0 + z * p.e1);
      set(y + 6, a * p.e3 + x * p.e2 - yy * p.e1 + z * p.e0);
      for (std::size_t i = 0; i < 3; ++i) {
        set(y + i, d[3 + i] * (1 / L));
        set(y + 7 + i, (s * d[3 + i] - of[k].q[3 + i]) * (units_.time / L));
        set(y + 10 + i, (s * d[i] - wd[i] - of[k].q[i]) * units_.time);
      }
    }
    set(packed_per_body * n, get(packed_per_body * n) * per_s);
  }
};

}  // namespace

std::unique_ptr<NewtonMatrix> newton_blocks(const Mechanism& m, const MechanismState& here, const OwnUnits& units,
                                            bool redundant) {
  return std::make_unique<NewtonBlocks>(m, here, units, redundant);
}

}  // namespace torsor

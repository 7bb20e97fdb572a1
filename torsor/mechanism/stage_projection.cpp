#include "torsor/mechanism/stage_projection.hpp"

#include "torsor/mechanism/assembly.hpp"
#include "torsor/mechanism/freedoms.hpp"
#include "torsor/model/random_position.hpp"

namespace torsor {

bool stages_need_projection(const Mechanism& m, const MechanismState& state) {
  constexpr double away = 0.02;  // rad, or sizes of the mechanism
  constexpr double same = 0.05;  // what is that far from the equations by its square moves so much otherwise at most
  const double size = size_of(m);
  std::mt19937_64 engine(1);
  const auto draw = [&] { return 2 * uniform(engine) - 1; };
  std::vector<Motion<double>> any(state.bodies.size());
  for (Motion<double>& x : any) x = {{draw(), draw(), draw()}, Vec3<double>{draw(), draw(), draw()} * size};

  MechanismEquations equations(m);
  ConstrainedMotion motion(m, EquationSet::all);
  motion.expect_redundancy(true);
  const std::vector<double> zero(static_cast<std::size_t>(m.rows));
  std::vector<double> lambda(zero.size());
  // what is left of any motion there
  const auto allowed = [&](const MechanismState& there) {
    equations.evaluate(there);
    motion.factor(equations);
    std::vector<Motion<double>> x = any;
    motion.constrain(x, zero, lambda);
    return x;
  };
  const std::vector<Motion<double>> way = allowed(state);
  const double reach = reach_of(way, size);
  if (!(reach > 1e-6)) return false;  // nothing moves
  MechanismState beside = state;
  displace(beside, way, away / reach);
  std::vector<Motion<double>> off = allowed(beside);
  Assembly assembly(m, EquationSet::all);
  assembly.expect_redundancy(true);
  if (!assembly.positions(beside).closed) return true;
  const std::vector<Motion<double>> on = allowed(beside);
  for (std::size_t b = 0; b < off.size(); ++b) off[b] = off[b] - on[b];
  return reach_of(off, size) > same * reach_of(on, size);
}

}  // namespace torsor

#include "torsor/structure/exact_agreement.hpp"

#include <algorithm>
#include <chrono>

#include "torsor/scalar/poly.hpp"
#include "torsor/symbolic/random_point.hpp"

namespace torsor {
namespace {

template <class T>
std::vector<T> torques(const InverseFormulation<T>& row, const RobotForms<T>& forms, const std::vector<T>& qd,
                       const std::vector<T>& qdd) {
  std::vector<T> tau(qd.size());
  row.prepare(forms)(forms, qd, qdd, tau);
  return tau;
}

template <class T>
int first_difference(const std::vector<T>& a, const std::vector<T>& b) {
  const auto [at, other] = std::ranges::mismatch(a, b);
  return at == a.end() ? -1 : static_cast<int>(at - a.begin());
}

/// Compares by value at random points, one per round, each modulo a prime of its own; the same ones for every row.
int differs_in_finite_field(const SymbolicRobot& robot, std::size_t row, ExactAgreement& agreement) {
  const auto rows = inverse_formulations<Modular>();
  std::mt19937_64 engine(agreement.seed);
  agreement.primes.clear();
  for (int round = 0; round < RandomPoint::rounds; ++round) {
    const PrimeModulus modulus = random_prime(engine, 360);
    const ModulusScope scope(modulus);
    agreement.primes.push_back(modulus.p);
    const RandomPoint point(robot, engine);
    const int different = first_difference(torques(rows.front(), point.forms, point.qd, point.qdd),
                                           torques(rows[row], point.forms, point.qd, point.qdd));
    if (different >= 0) return different;
  }
  return -1;
}

}  // namespace

bool ExactAgreement::holds() const {
  return std::ranges::all_of(rows, [](const ProvenRow& row) { return row.equal; });
}

ExactAgreement agree_exact(const SymbolicRobot& robot, const ProofOptions& options) {
  TORSOR_EXPECT(robot.qd.size() == robot.joints.size());
  using Clock = std::chrono::steady_clock;
  ExactAgreement out{robot.name,        robot.symbols.parameters.size(), robot.symbols.angles.size(), robot.forms.snaps,
                     robot.snap_effect, {}, {}, options.seed, {}, 0};
  out.log2_error = RandomPoint::log2_error();
  const PolyTermLimit limit(options.most_terms);
  const auto formulations = inverse_formulations<Poly>();

  // what all are held against, if it can be multiplied out
  std::optional<std::vector<Poly>> reference;
  std::string no_reference;
  for (std::size_t k = 0; k < formulations.size(); ++k) {
    const InverseFormulation<Poly>& formulation = formulations[k];
    if (const std::string reason = refusal(formulation, robot.forms); !reason.empty()) {
      out.refused.push_back({formulation.name, reason});
      continue;
    }
    ProvenRow row{
        formulation.name, formulation.source, formulation.frames, Proof::polynomial, 0, false, -1, no_reference, 0};
    const Clock::time_point start = Clock::now();
    try {
      if (options.finite_field_only) throw PolyOverflow("it was not asked for");
      if (k > 0 && !reference) throw PolyOverflow(no_reference);
      const PolyProductLimit work(options.most_products);
      std::vector<Poly> tau = torques(formulation, robot.forms, robot.qd, robot.qdd);
      for (const Poly& t : tau) row.terms += t.terms().size();
      row.coordinate = reference ? first_difference(*reference, tau) : -1;
      if (!reference) reference = std::move(tau);
    } catch (const PolyOverflow& overflow) {
      row.proof = Proof::finite_field;
      row.limit = overflow.what();
      if (!reference) no_reference = overflow.what();
      row.coordinate = differs_in_finite_field(robot, k, out);
    }
    row.equal = row.coordinate < 0;
    row.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    out.rows.push_back(std::move(row));
  }
  return out;
}

}  // namespace torsor

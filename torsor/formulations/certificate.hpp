// The certificate of a robot with the paths that are taken where no formulation is named: torques of one state and of
// many at once on the canonical chain or in limbs, and the terms of the equations put together again. They stand in it
// as rows beside those of the catalogues, on the same model: the robot as it was typed.
#pragma once

#include <memory>

#include "torsor/formulations/agreement.hpp"
#include "torsor/fast/terms.hpp"

namespace torsor {

namespace detail {

/// One state as the rows of a batch.
inline StateRows<const double> only_row(std::span<const double> x) {
  return {x.data(), std::ssize(x)};
}
inline StateRows<double> only_row(std::span<double> x) { return {x.data(), std::ssize(x)}; }

}  // namespace detail

/// The rows of inverse dynamics, mass matrix and gravity: the catalogues' first, then the unnamed paths.
struct CertificateRows {
  std::vector<InverseFormulation<double>> inverse{inverse_formulations<double>().begin(),
                                                  inverse_formulations<double>().end()};
  std::vector<MassFormulation<double>> mass{mass_formulations<double>().begin(), mass_formulations<double>().end()};
  std::vector<GravityFormulation<double>> gravity{gravity_formulations<double>().begin(),
                                                  gravity_formulations<double>().end()};
};

inline CertificateRows certificate_rows() {
  using detail::only_row;
  CertificateRows rows;
  const Abilities any{.trees = true};
  constexpr const char *one = "the default for one state", *many = "the default for many states";
  rows.inverse.push_back({"fast", one, "O(n)", Frames::tree, any,
                          [](const RobotForms<double>& forms) -> InverseRun<double> {
                            return [dynamics = std::make_shared<Dynamics>(forms.model)](
                                       const RobotForms<double>& r, Rates<const double> qd, Rates<const double> qdd,
                                       Rates<double> tau) { dynamics->inverse(r.q, qd, qdd, tau); };
                          }});
  rows.inverse.push_back({"fast-batch", many, "O(n)", Frames::tree, any,
                          [](const RobotForms<double>& forms) -> InverseRun<double> {
                            return [dynamics = std::make_shared<Dynamics>(forms.model)](
                                       const RobotForms<double>& r, Rates<const double> qd, Rates<const double> qdd,
                                       Rates<double> tau) {
                              dynamics->inverse(1, only_row(r.q), only_row(qd), only_row(qdd), only_row(tau));
                            };
                          }});
  rows.inverse.push_back(
      {"motion-terms", "M qdd + C qd + gravity, term by term", "O(n^2)", Frames::tree, any,
       [](const RobotForms<double>& forms) -> InverseRun<double> {
         return [dynamics = std::make_shared<Dynamics>(forms.model)](
                    const RobotForms<double>& r, Rates<const double> qd, Rates<const double> qdd, Rates<double> tau) {
           const Frame<double> tool = r.model.frames.empty() ? Frame<double>{"", 0, {}} : r.model.frames.back();
           const Terms found = terms(*dynamics, r.q, qd, qdd, tool);
           const std::size_t n = tau.size();
           for (std::size_t i = 0; i < n; ++i) {
             tau[i] = found.C_qd[i] + found.gravity[i];
             for (std::size_t j = 0; j < n; ++j) tau[i] += found.M[i * n + j] * qdd[j];
           }
         };
       }});
  rows.mass.push_back({"fast", one, "O(n^2)", Frames::tree, any,
                       [](const RobotForms<double>& forms) -> MassRun<double> {
                         return [dynamics = std::make_shared<Dynamics>(forms.model)](const RobotForms<double>& r,
                                                                                      std::span<double> D) {
                           dynamics->mass(r.q, D);
                         };
                       }});
  rows.mass.push_back({"fast-batch", many, "O(n^2)", Frames::tree, any,
                       [](const RobotForms<double>& forms) -> MassRun<double> {
                         return [dynamics = std::make_shared<Dynamics>(forms.model)](const RobotForms<double>& r,
                                                                                   std::span<double> D) {
                           dynamics->mass(1, only_row(r.q), only_row(D));
                         };
                       }});
  rows.gravity.push_back({"fast", one, "O(n)", Frames::tree, any,
                          [](const RobotForms<double>& forms) -> GravityRun<double> {
                            return [dynamics = std::make_shared<Dynamics>(forms.model)](const RobotForms<double>& r,
                                                                             Rates<double> c) {
                              dynamics->gravity(r.q, c);
                            };
                          }});
  return rows;
}

/// The certificate of agreement.hpp over all of them.
inline Agreement agree(RobotForms<double>& forms, int states, std::uint64_t seed = 1) {
  const CertificateRows rows = certificate_rows();
  return certify_agreement(forms, states, seed, rows.inverse, rows.mass, rows.gravity);
}

}  // namespace torsor

// BatchTerms, the part of Dynamics for rows of what has many numbers: poses of all links, Coriolis matrices, regressors.
// Several states in one register, on one thread or several, on the recursions of trees. A state that is no number spoils
// its own answer and no other. Nothing is allocated after the first call of a question.
#pragma once

#include <memory>

#include "torsor/fast/batch_dynamics.hpp"

namespace torsor {

class BatchTerms {
 public:
  /// The model must outlive it.
  BatchTerms(const Model<double>& model, BatchOptions options);
  ~BatchTerms();

  using In = StateRows<const double>;
  using Out = StateRows<double>;

  /// Rows of the poses of all bodies in the world: of each the rows of R, then p, 12 numbers.
  void poses(std::int64_t states, In q, Out X);
  /// Rows of the poses of the links' own frames: of each a matrix of 4 x 4.
  void link_poses(std::int64_t states, In q, Out X);
  /// Rows of C(q, qd), nv x nv.
  void coriolis_matrix(std::int64_t states, In q, In qd, Out C);
  /// Rows of Y (inertial_regressor.hpp), `columns` numbers for each coordinate, of which the inertial ones are written,
  /// for a base that moves as given. rest(first, count) is called once for every piece of the states, on any thread, when
  /// that is done.
  template <class Rest>
  void regressor(std::int64_t states, In q, In qd, In qdd, const BaseMotion<double>& base, int columns, Out Y,
                 const Rest& rest) {
    regressor(states, q, qd, qdd, base, columns, Y, &rest, [](const void* r, std::int64_t first, std::int64_t count) {
      (*static_cast<const Rest*>(r))(first, count);
    });
  }

 private:
  using Call = void (*)(const void*, std::int64_t, std::int64_t);
  struct Parts;
  std::unique_ptr<Parts> parts_;

  void regressor(std::int64_t states, In q, In qd, In qdd, const BaseMotion<double>& base, int columns, Out Y,
                 const void* rest, Call call);
};

}  // namespace torsor

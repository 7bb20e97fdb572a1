#include "torsor/identification/regressor_rows.hpp"

#include "torsor/fast/batch_terms.hpp"

namespace torsor {

RegressorRows::RegressorRows(const RegressorSubject& subject, std::vector<DynamicParameter> parameters,
                             BatchOptions options)
    : one_(subject, std::move(parameters)),
      nq_(static_cast<std::size_t>(subject.coordinates.nq)),
      nv_(static_cast<std::size_t>(subject.coordinates.nv)) {
  if (one_.in_order() && !subject.loops) lanes_ = std::make_unique<BatchTerms>(subject.tree, options);
}
RegressorRows::~RegressorRows() = default;

void RegressorRows::at(std::int64_t states, In q, In qd, In qdd, Out Y) {
  const std::size_t size = cells(rows(), columns());
  const auto rates = [this](In rows, std::int64_t k) {
    return rows.data ? Rates<const double>(rows.row(k), nv_) : Rates<const double>();
  };
  if (lanes_)
    return lanes_->regressor(states, q, qd, qdd, {}, columns(), Y, [&](std::int64_t first, std::int64_t count) {
      for (std::int64_t k = first; k < first + count; ++k) one_.fill(rates(qd, k), rates(qdd, k), {Y.row(k), size});
    });
  for (std::int64_t k = 0; k < states; ++k) one_.at({q.row(k), nq_}, rates(qd, k), rates(qdd, k), {Y.row(k), size});
}

}  // namespace torsor

#include "cli/row_batch.hpp"

#include <algorithm>

#include "torsor/numeric/finite.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace {

// setting up a batch takes as long as about so many rows; its workspaces grow with the square of the coordinates
constexpr std::size_t first_rows = 31;
constexpr int most_batched_coordinates = 256;

}  // namespace

void RowBatch::prepare(std::span<const MotionRow> rows) {
  at_ = count_ = 0;
  // the first rows of a file are never batched, however many follow: the last digits of a row must not depend on what
  // comes after it, or --continue would refuse what a run that ended early has left
  alone_ = std::min(rows.size(), first_rows - std::min(first_rows, before_));
  before_ += rows.size();
  rows = rows.subspan(alone_);
  if (!batch_) {
    if (rows.empty() || model_.nv > most_batched_coordinates || model_.nv == 0) return;
    batch_.emplace(robot_, DynamicsOptions{.threads = threads_, .questions = Questions::all_but_forward});
    batch_->set_loads(loads_);
  }
  count_ = rows.size();
  const int stride = model_.nq + 2 * model_.nv;
  const auto count = static_cast<int>(count_);
  states_.resize(std::max(states_.size(), cells(count, stride)));
  answers_.resize(std::max(answers_.size(), cells(count, model_.nv)));
  auto to = states_.begin();
  for (const MotionRow& row : rows)
    for (const std::vector<double>* part : {&row.q, &row.qd, &row.qdd}) to = std::copy(part->begin(), part->end(), to);
  const double* const state = states_.data();
  const Dynamics::ConstRows q{state, stride}, qd{state + model_.nq, stride}, a{state + model_.nq + model_.nv, stride};
  const Dynamics::Rows out{answers_.data(), model_.nv};
  if (question_ == Question::inverse)
    batch_->inverse(count, q, qd, a, out);
  else
    batch_->forward(count, q, qd, a, out);
}

std::span<const double> RowBatch::next() {
  if (alone_ > 0) return --alone_, std::span<const double>();
  if (at_ == count_) return {};
  const auto nv = static_cast<std::size_t>(model_.nv);
  const auto answer = std::span<const double>(answers_).subspan(nv * at_++, nv);
  return all_finite(answer) ? answer : std::span<const double>();
}

}  // namespace torsor

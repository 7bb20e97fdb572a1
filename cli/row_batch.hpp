// A dynamics question for the rows of a file, a block of them at a time. What a batch does not repay
// (the first few rows, models of very many coordinates), and every row whose answer is not finite, is left to the
// caller, who asks for it by itself and can say what is wrong. Shared by id and fd.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cli/load_arguments.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/trajectory/motion.hpp"

namespace torsor {

class RowBatch {
 public:
  enum class Question { inverse, forward };

  RowBatch(Robot robot, const Loads& loads, Question question)
      : robot_(std::move(robot)), loads_(loads), question_(question) {}

  void use(int threads) { threads_ = threads; }

  /// Answers the rows of a block; those of qdd are torques where the question is forward.
  void prepare(std::span<const MotionRow> rows);
  /// The answer of the block's next row (nv numbers), or nothing: ask for it by itself.
  std::span<const double> next();
  /// Whether any block was answered here.
  bool used() const { return batch_.has_value(); }

 private:
  Robot robot_;
  const Model<double>& model_ = robot_.coordinates();
  Loads loads_;
  Question question_;
  int threads_ = 1;
  std::optional<Dynamics> batch_;
  std::vector<double> states_, answers_;  // q, qd, qdd row by row
  std::size_t at_ = 0, count_ = 0, alone_ = 0;  // of the block
  std::size_t before_ = 0;                      // rows of earlier blocks
};

}  // namespace torsor

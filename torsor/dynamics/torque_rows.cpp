#include "torsor/dynamics/torque_rows.hpp"

namespace torsor {

RecordSurvey survey(const Model<double>& model, TorqueRows& rows) {
  const std::size_t n = static_cast<std::size_t>(model.nv);
  RecordSurvey out{0, std::vector<bool>(n, false), std::vector<bool>(n, false), std::vector<bool>(n, false),
                   std::vector<double>(n, 0.0)};
  std::vector<double> start(n, 0.0);
  rows.rewind();
  while (const TorqueSample* s = rows.next()) {
    for (std::size_t k = 0; k < n; ++k) {
      if (out.rows == 0) start[k] = s->qdd[k], out.constant[k] = s->tau[k];
      if (s->qd[k] != 0 || s->qdd[k] != 0) out.moves[k] = true;
      if (s->qdd[k] != start[k]) out.accelerates[k] = true;
      if (s->tau[k] != 0) out.driven[k] = true;
      if (s->tau[k] != out.constant[k]) out.constant[k] = std::numeric_limits<double>::quiet_NaN();
    }
    ++out.rows;
  }
  return out;
}

}  // namespace torsor

#include "torsor/model/unit_quaternions.hpp"

#include <fmt/format.h>

namespace torsor {

std::optional<QuaternionFault> normalize_quaternions(const Model<double>& model, std::span<double> q) {
  for (int i = 0; i < model.size(); ++i) {
    if (row(model[i].kind).nq < 4) continue;
    double* e = &q[static_cast<std::size_t>(model[i].q)];
    const double length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    if (!(abs(length - 1) <= quaternion_tolerance))
      return QuaternionFault{
          fmt::format("the quaternion of joint \"{}\" has length {:.6g}", model.joint_names[i], length),
          fmt::format("e0, e1, e2, e3 must be of length 1 to {}", quaternion_tolerance)};
    for (int k = 0; k < 4; ++k) e[k] /= length;
  }
  return std::nullopt;
}

}  // namespace torsor

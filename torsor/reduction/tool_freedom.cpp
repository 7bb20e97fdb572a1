#include "torsor/reduction/tool_freedom.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/kinematics/jacobian.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/numeric/symmetric_eigen.hpp"

namespace torsor {
namespace {

double median(std::vector<double>& numbers) {
  const auto middle = numbers.begin() + std::ssize(numbers) / 2;
  std::ranges::nth_element(numbers, middle);
  return *middle;
}

}  // namespace

std::vector<ToolFreedom> tool_freedom(const Model<double>& model, int positions) {
  const auto n = static_cast<std::size_t>(model.nv);
  std::mt19937_64 engine(1985);
  Configuration<double> configuration(model);
  std::vector<Transform<double>> X(model.bodies.size());
  std::vector<std::vector<double>> q;
  for (int k = 0; k < positions; ++k) q.push_back(random_position(model, engine));

  std::vector<ToolFreedom> out;
  for (const Frame<double>& tool : model.frames) {
    ToolFreedom& freedom = out.emplace_back();
    std::vector<std::vector<double>> jacobians;
    for (const std::vector<double>& each : q) {
      configuration.set(model, each);
      forward_kinematics<double>(model, configuration, X);
      const Vec3<double> p = frame_pose<double>(tool, X).p;
      freedom.reach = std::max(freedom.reach, norm(p - model.base.p));
      jacobian<double>(model, X, tool.body, p, jacobians.emplace_back(6 * n));
    }
    const double length = freedom.reach > 0 ? freedom.reach : 1;
    std::vector<std::vector<double>> sizes;  // squares of the singular values, of each position
    for (const std::vector<double>& J : jacobians) {
      std::vector<double> JJ(36, 0.0), V(36);
      for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < 6; ++j)
          for (std::size_t k = 0; k < n; ++k)
            JJ[i * 6 + j] += J[i * n + k] * J[j * n + k] / ((i < 3 ? 1 : length) * (j < 3 ? 1 : length));
      symmetric_eigen<double>(JJ, 6, V);
      std::vector<double>& each = sizes.emplace_back();
      for (std::size_t i = 0; i < 6; ++i) each.push_back(std::max(0.0, JJ[i * 7]));
      std::ranges::sort(each, std::greater());
      // squares of values below a millionth of the largest
      const auto rank = std::ranges::count_if(each, [&](double s) { return s > 1e-12 * each[0]; });
      freedom.rank = std::max(freedom.rank, static_cast<int>(rank));
    }
    if (freedom.rank == 0) continue;
    std::vector<double> products, smallest;
    for (const std::vector<double>& each : sizes) {
      double product = 1;
      for (int i = 0; i < freedom.rank; ++i) product *= each[static_cast<std::size_t>(i)];
      products.push_back(std::sqrt(product));
      smallest.push_back(std::sqrt(each[static_cast<std::size_t>(freedom.rank) - 1]));
    }
    freedom.manipulability = median(products);
    freedom.smallest = median(smallest);
  }
  return out;
}

bool keeps_freedom(const std::vector<ToolFreedom>& before, const std::vector<ToolFreedom>& after) {
  if (before.size() != after.size()) return false;
  const auto halved = [](double was, double is) { return is < 0.5 * was; };
  for (std::size_t k = 0; k < before.size(); ++k)
    if (after[k].rank < before[k].rank || halved(before[k].reach, after[k].reach) ||
        halved(before[k].manipulability, after[k].manipulability) || halved(before[k].smallest, after[k].smallest))
      return false;
  return true;
}

}  // namespace torsor

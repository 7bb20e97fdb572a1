#include "torsor/symbolic/drop_rounding.hpp"

#include <algorithm>
#include <cmath>

namespace torsor {

void drop_rounding(DhArm<double>& arm) {
  constexpr double rounding = 1e-13;
  const auto drop = [](double& x, double size) {
    if (std::abs(x) <= rounding * size) x = 0;
  };
  const auto drop_in = [&](Vec3<double>& v, double size) {
    drop(v.x, size);
    drop(v.y, size);
    drop(v.z, size);
  };
  double reach = 0;
  for (const DhLink<double>& l : arm.links) reach += std::abs(l.a) + std::abs(l.d) + norm(l.r);
  for (DhLink<double>& l : arm.links) {
    drop_in(l.r, reach);
    const double size = std::abs(l.a) + std::abs(l.d) + norm(l.r);
    const double largest = std::max({std::abs(l.I.xx), std::abs(l.I.yy), std::abs(l.I.zz)}) + l.m * size * size;
    for (double* x : {&l.I.xx, &l.I.yy, &l.I.zz, &l.I.xy, &l.I.xz, &l.I.yz}) drop(*x, largest);
    l.structure = structure_of(l);
  }
  drop_in(arm.g, norm(arm.g));
  arm.level = arm.g.x == 0 && arm.g.y == 0 && arm.g.z <= 0;
}

}  // namespace torsor

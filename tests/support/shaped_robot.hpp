// Random robots as engineers build them: a chain or tree of links, each a solid (box, cylinder, tube, sphere) of an
// ordinary material between its joint and the next, in any direction, some with a motor on them.
#pragma once

#include <string>

#include "tests/support/random.hpp"
#include "torsor/model/description.hpp"
#include "torsor/model/shape.hpp"

namespace torsor::testing {

/// A solid as a part about its mass centre: its z axis turned by R, its centre at c.
inline Part solid_part(const Solid& solid, double density, const Mat3<double>& R, const Vec3<double>& c) {
  Part part;
  part.mass = density * solid.volume;
  part.com = c;
  part.tensor = rotate(R, solid.tensor_per_mass * part.mass);
  return part;
}

/// A solid `length` long, a tenth to four tenths as thick, along z.
inline Solid random_solid(Random& random, double length) {
  const double thickness = random.uniform(0.1, 0.4) * length;
  switch (random.below(4)) {
    case 0: return solid_box({thickness, thickness * random.uniform(0.5, 1), length});
    case 1: return solid_cylinder(thickness / 2, length);
    case 2: return solid_tube(thickness / 2, thickness / 2 * random.uniform(0.5, 0.95), length);
    default: return solid_sphere(length / 2 * random.uniform(0.4, 0.9));
  }
}

/// 2 to 8 links, most of them turning; `skew`: the bodies lie in no special direction of their frames.
inline Description shaped_robot(Random& random, bool skew = true) {
  Description d;
  d.name = "shaped", d.file = "shaped.toml";
  const int links = 2 + random.below(7);
  Vec3<double> to_next{};
  for (int i = 0; i < links; ++i) {
    LinkDescription link;
    link.name = "link" + std::to_string(i);
    link.joint_name = "joint" + std::to_string(i);
    link.kind = random.chance(0.85) ? JointKind::revolute : JointKind::prismatic;
    link.where = {"shaped.toml", 10 * (i + 1)};
    link.limits.lower = link.kind == JointKind::revolute ? -random.uniform(0.5, 6) : -random.uniform(0.1, 2);
    link.limits.upper = link.kind == JointKind::revolute ? random.uniform(0.5, 6) : random.uniform(0.1, 2);
    const Mat3<double> turned = random.chance(0.3) ? random.rotation() : Mat3<double>::identity();
    link.geometry = JointPlacement{{turned, i == 0 ? random.vector(0.3) : to_next}, random.direction()};

    const double length = random.uniform(0.08, 0.7);
    const Vec3<double> axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
    const Vec3<double> u = skew ? random.direction() : axes[random.below(3)];
    link.parts = {solid_part(random_solid(random, length), random.uniform(300, 8000), rotation_z_onto(u),
                             u * (length / 2 * random.uniform(0.8, 1.1)) + random.vector(0.02 * length))};
    if (random.chance(0.2))
      link.parts.push_back(solid_part(solid_cylinder(random.uniform(0.02, 0.05), random.uniform(0.03, 0.1)), 5000,
                                      Mat3<double>::identity(), random.vector(0.05)));
    to_next = u * length;
    d.links.push_back(std::move(link));
  }
  return d;
}

}  // namespace torsor::testing

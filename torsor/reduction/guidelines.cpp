#include "torsor/reduction/guidelines.hpp"

#include <algorithm>

#include "torsor/formulations/coefficients_composite_body.hpp"

namespace torsor {
bool GuidelineCheck::kept(int guideline) const {
  switch (guideline) {
    case 1: return slides == joints;
    case 2: return std::ranges::all_of(axes, [](const AxisAngle& a) { return a.parallel || a.right_angle; });
    case 3: return std::ranges::none_of(loads, &JointLoad::heavier);
    default: break;
  }
  return std::ranges::none_of(first, &FirstJoint::works);
}

std::string_view guideline_text(int guideline) {
  switch (guideline) {
    case 1: return "as many prismatic joints as the task allows";
    case 2: return "axes parallel or at right angles to the axis before them";
    case 3: return "links that get lighter from the base to the tool";
    default: break;
  }
  return "a first joint that does no work against gravity";
}

GuidelineCheck check_guidelines(const StructureAnswer& a) {
  const Model<double>& model = a.robot.model;
  const ExactStructure& s = a.numbers();
  TORSOR_EXPECT(a.facts.n == s.n);
  GuidelineCheck out;
  out.joints = a.table.joints;
  out.slides = a.table.joints - a.table.turning;
  out.sparsity = a.table.sparsity;
  out.expected = a.table.expected_sparsity;
  out.expected_with_one_slide =
      out.joints > 0 ? empirical_sparsity(static_cast<double>(std::max(0, a.table.turning - 1)) / out.joints) : 0;

  // screws and composite bodies somewhere: the angles and masses asked for are the same in every position
  CoefficientsWork<double> work(model);
  Configuration<double> configuration(model);
  configuration.set(model, std::vector<double>(static_cast<std::size_t>(model.nq), 0.0));
  const std::size_t n = static_cast<std::size_t>(s.n);
  std::vector<double> D(n * n);
  coefficients_composite_body<double>(model, configuration, work, D, {}, {});
  const auto coordinate = [&](int k) { return model[work.body[static_cast<std::size_t>(k)]].v; };
  const auto moved = [&](int k) { return work.C[static_cast<std::size_t>(work.body[static_cast<std::size_t>(k)])].m; };
  const auto direction = [&](int k) {
    const Motion<double>& screw = work.s[static_cast<std::size_t>(k)];
    return a.facts.joints[static_cast<std::size_t>(coordinate(k))].slides ? screw.v : screw.w;
  };
  std::vector<double> own;
  for (int k = 0; k < s.n; ++k) own.push_back(moved(k));
  for (int k = 0; k < s.n; ++k)
    if (const int inner = work.inward[static_cast<std::size_t>(k)]; inner >= 0)
      own[static_cast<std::size_t>(inner)] -= moved(k);

  for (int k = 0; k < s.n; ++k) {
    const int j = coordinate(k), inner = work.inward[static_cast<std::size_t>(k)];
    const auto name = [&](int coordinate_of) { return model.velocity_names[static_cast<std::size_t>(coordinate_of)]; };
    JointLoad load{
        j,       inner < 0 ? -1 : coordinate(inner),      own[static_cast<std::size_t>(k)], moved(k), {}, false,
        name(j), inner < 0 ? "" : name(coordinate(inner))};
    if (inner < 0) {
      FirstJoint first{j, false, 0, 0, name(j)};
      for (std::size_t e = 0; e < s.coefficients.size(); ++e) {
        if (s.nonzero[e] != 0 && s.depends_on(e, j)) ++first.dependent;
        if (!(s.coefficients[e] == Coefficient{CoefficientKind::gravity, j})) continue;
        first.works = s.nonzero[e] != 0;
        first.largest = first.works ? a.survey.values[e].size() : 0;
      }
      out.first.push_back(first);
    } else {
      const PairFacts& pair = a.facts(coordinate(inner), j);
      out.axes.push_back({coordinate(inner), j, pair.parallel, pair.right_angle,
                          GeometryClassifier::between(direction(inner), direction(k)), load.inner_name, load.name});
      if (moved(inner) > 0) load.loading = sqrt(moved(k) / moved(inner));
      load.heavier = load.own > own[static_cast<std::size_t>(inner)] * (1 + 1e-12);
    }
    out.loads.push_back(load);
  }
  return out;
}

}  // namespace torsor

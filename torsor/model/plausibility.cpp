#include "torsor/model/plausibility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "torsor/model/inertia_slips.hpp"

namespace torsor {
namespace {

// a robot with more doubtful bodies than this has another trouble than slips
constexpr int most_explained = 1000;

bool turns(JointKind kind) { return kind != JointKind::fixed && kind != JointKind::prismatic; }

/// A link together with all that is fixed to it.
struct Group {
  double mass = 0;
  int massive = 0;     // links with a mass
  bool point = false;  // the last of them has no inertia of its own
};

class Examiner {
 public:
  Examiner(const Description& description, const Model<double>& built, const DoubtLimits& bounds)
      : d(description), m(built), limits(bounds), scales(link_scales(built, bounds.longest)) {
    for (std::size_t i = 0; i < d.links.size(); ++i) link_of.emplace(d.links[i].name, static_cast<int>(i));
  }

  std::vector<Finding> run() {
    inspect(d.base_parts, "base", d.base_name, {}, scales.back(), false, true);
    const std::vector<char> matters = matter();
    std::vector<char> moving(m.bodies.size(), 0), turning(m.bodies.size(), 0);
    for (int i = 0; i < m.size(); ++i) {
      const Body<double>& b = m[i];
      moving[i] = b.kind != JointKind::fixed || (b.parent >= 0 && moving[b.parent]);
      turning[i] = turns(b.kind) || (b.parent >= 0 && turning[b.parent]);
      if (const LinkDescription* link = description_of(i))
        inspect(link->parts, "link", link->name, link->where, scales[i], moving[i], matters[i]);
    }
    masses(turning);
    detail::check_units(d, m, limits, findings);
    std::ranges::stable_sort(findings, {}, [](const Finding& f) { return f.error.where.line; });
    return std::move(findings);
  }

 private:
  const Description& d;
  const Model<double>& m;
  const DoubtLimits& limits;
  std::vector<LinkScale> scales;
  std::unordered_map<std::string, int> link_of;
  std::vector<Finding> findings;
  int explained = 0;

  /// The link of a body; null for a rotor that is a body of its own.
  const LinkDescription* description_of(int body) const {
    const auto found = link_of.find(m.link_names[body]);
    return found == link_of.end() ? nullptr : &d.links[found->second];
  }

  void inspect(const std::vector<Part>& parts, const std::string& kind, const std::string& name, const Where& where,
               const LinkScale& scale, bool moves, bool matters) {
    for (const Part& part : parts) {
      const bool alone = parts.size() == 1;
      BodyDoubts doubts = body_doubts(part, scale, alone, limits);
      if (!matters) doubts.wide = doubts.narrow = doubts.dense = doubts.thin = false;
      const Where& mass = part.where.line > 0 ? part.where : where;
      const Where& inertia = part.tensor_where.line > 0 ? part.tensor_where : mass;
      if (doubts.any())
        doubtful(doubts, ++explained <= most_explained ? probable_slip(part, scale, alone, limits) : std::nullopt, kind,
                 name, mass, inertia, moves);
      else if (seems_about_frame(part, scale))
        add(inertia, kind, name, "inertia-point",
            fmt::format("its inertia is that of a rod {:.3g} m long about a mass centre {:.3g} m from its frame",
                        rod_length(part), norm(part.com)),
            "probable cause: the other reference point: as an inertia about the frame's origin it would fit",
            "reference-point");
    }
  }

  /// Length of the rod with the mass and the largest spread of the part.
  static double rod_length(const Part& part) {
    return std::sqrt(12 * mass_spread(part.mass, part.tensor).variances[0]);
  }

  /// Links whose numbers matter to the motion: not the frames and sensors fixed to a link many times as heavy.
  std::vector<char> matter() const {
    constexpr double negligible = 0.01;
    struct Largest {
      double mass = 0, moment = 0;
    };
    std::vector<Largest> own, group(m.bodies.size());
    for (const Body<double>& b : m.bodies)
      own.push_back({b.inertia.m, mass_spread(b.inertia.m, tensor_about_centre(b.inertia)).moments[2]});
    const auto raise = [](Largest& a, const Largest& b) {
      a = {std::max(a.mass, b.mass), std::max(a.moment, b.moment)};
    };
    for (int i = m.size() - 1; i >= 0; --i) {
      raise(group[i], own[i]);
      if (m[i].kind == JointKind::fixed && m[i].parent >= 0) raise(group[m[i].parent], group[i]);
    }
    std::vector<char> matters;
    for (int i = 0; i < m.size(); ++i) {
      const bool fixed = m[i].kind == JointKind::fixed;
      if (fixed && m[i].parent >= 0) group[i] = group[m[i].parent];
      matters.push_back(!fixed || own[i].mass > negligible * group[i].mass ||
                        own[i].moment > negligible * group[i].moment);
    }
    return matters;
  }

  void doubtful(const BodyDoubts& doubts, const std::optional<Slip>& slip, const std::string& kind,
                const std::string& name, const Where& mass, const Where& inertia, bool moves) {
    const auto report = [&](const Where& where, const char* rule, std::string what, const char* remedy) {
      add(where, kind, name, rule, std::move(what), slip ? "probable cause: " + slip->text : remedy,
          slip ? slip->cause : "");
    };
    const auto& [least, middle, largest] = doubts.spread.moments;
    bool explained_by_shape = false;
    if (doubts.negative) {
      explained_by_shape = slip.has_value();
      report(inertia, "moment-negative",
             fmt::format("a principal moment of inertia about its mass centre is {:.4g} kg m^2", least),
             "no body has that: check the inertia, its products and its reference point");
      if (moves) findings.back().severity = Severity::error;
    }
    if (doubts.triangle) {
      explained_by_shape = slip.has_value();
      report(inertia, "triangle",
             fmt::format("its principal moments {:.4g}, {:.4g}, {:.4g} kg m^2 break the triangle inequality: {:.4g} > "
                         "{:.4g}",
                         least, middle, largest, largest, least + middle),
             "no body has that: no moment is larger than the sum of the others");
    }
    const double k = gyration_radius(doubts.spread);
    // one slip, one line
    if (explained_by_shape) return;
    if (doubts.wide || doubts.narrow) {
      const double extent = doubts.wide ? doubts.extent : doubts.least_extent;
      report(inertia, "gyration",
             fmt::format("its radius of gyration, {:.3g} m, is {:.2g} times the extent of the link, {:.3g} m", k,
                         k / extent, extent),
             "check mass, inertia and lengths");
    }
    if ((doubts.dense || doubts.thin) && !doubts.wide && !doubts.narrow)
      report(inertia, "density",
             fmt::format("a solid with its mass and inertia has {:.3g} kg/m^3, {}",
                         doubts.dense ? doubts.least_density : *ellipsoid_density(doubts.spread),
                         doubts.dense ? "denser than any matter" : "lighter than air"),
             "check mass and inertia");
    if (doubts.far)
      report(mass, "com-distance",
             fmt::format(
                 "its mass centre is {:.3g} m from its joint, the farthest neighbouring joints of the robot {:.3g} m "
                 "apart",
                 doubts.distance, scale_of_robot()),
             "check the mass centre");
  }

  double scale_of_robot() const { return scales.empty() ? 0 : scales.front().robot; }

  /// Links that move and weigh nothing, or turn and have no inertia of their own.
  void masses(const std::vector<char>& turning) {
    std::vector<Group> groups(m.bodies.size());
    double total = 0;
    for (int i = m.size() - 1; i >= 0; --i) {
      const double mass = m[i].inertia.m;
      Group& group = groups[i];
      total += mass;
      group.mass += mass;
      if (mass > 0 && ++group.massive == 1) {
        const MassSpread spread = mass_spread(mass, tensor_about_centre(m[i].inertia));
        // what rounding leaves of a point mass that is moved to the body frame and back
        const double rounding = 1e-12 * dot(m[i].inertia.h, m[i].inertia.h) / mass;
        group.point = spread.moments[2] <= std::max(rounding, mass * limits.point * limits.point);
      }
      if (m[i].kind != JointKind::fixed || m[i].parent < 0) continue;
      Group& parent = groups[m[i].parent];
      parent.mass += group.mass;
      parent.massive += group.massive;
      parent.point = parent.point || group.point;
    }
    if (total == 0 && m.nv > 0)
      return add({}, "robot", d.name, "mass-zero", "no link of it has a mass",
                 "enough for kinematics, not for dynamics");
    for (int i = 0; i < m.size(); ++i) {
      const LinkDescription* link = description_of(i);
      if (!link || m[i].kind == JointKind::fixed) continue;
      const Where& where = link->parts.empty() ? link->where : link->parts.front().where;
      if (groups[i].mass == 0)
        add(where.line > 0 ? where : link->where, "link", link->name, "mass-zero", "it moves and has no mass",
            "give its mass, or fix it to a link that has one");
      else if (turning[i] && groups[i].massive == 1 && groups[i].point)
        add(where.line > 0 ? where : link->where, "link", link->name, "moment-zero",
            "it turns and has no moment of inertia: all its mass in a point", "give its inertia about the mass centre");
    }
  }

  void add(const Where& where, const std::string& kind, const std::string& name, const std::string& rule,
           std::string what, std::string remedy, std::string cause = {}) {
    findings.push_back(
        detail::make_finding(d, where, kind, name, rule, std::move(what), std::move(remedy), std::move(cause)));
  }
};

}  // namespace

Finding detail::make_finding(const Description& d, const Where& where, const std::string& kind, const std::string& name,
                             const std::string& rule, std::string what, std::string remedy, std::string cause) {
  return {Severity::warning,
          {{where.file.empty() ? d.file : where.file, where.line},
           fmt::format("{} \"{}\"", kind, name),
           rule,
           std::move(what),
           std::move(remedy)},
          rule + ":" + name,
          std::move(cause)};
}

std::vector<Finding> plausibility(const Description& description, const DoubtLimits& limits) {
  const auto model = build(description);
  if (!model) return {};
  return plausibility(description, *model, limits);
}

std::vector<Finding> plausibility(const Description& description, const Model<double>& model,
                                  const DoubtLimits& limits) {
  return Examiner(description, model, limits).run();
}

}  // namespace torsor

#include "torsor/check/plausibility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "torsor/check/inertia_slips.hpp"
#include "torsor/model/link_length.hpp"
#include "torsor/check/robot_units.hpp"

namespace torsor {
namespace {

// a robot with more doubtful bodies than this has another trouble than slips
constexpr int most_explained = 1000;

bool turns(JointKind kind) { return kind != JointKind::fixed && kind != JointKind::prismatic; }

// a tensor in so many links was not measured in any
constexpr int often = 3;

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
    limits.point *= link_length(d);
    for (std::size_t i = 0; i < d.links.size(); ++i) link_of.emplace(d.links[i].name, static_cast<int>(i));
    carries.assign(m.bodies.size(), 0);
    for (const Body<double>& b : m.bodies)
      if (b.parent >= 0) carries[b.parent] = 1;
    for (const LinkDescription& link : d.links)
      for (const Part& part : link.parts)
        if (part.tensor.xx == part.tensor.yy && part.tensor.xx == part.tensor.zz) ++times[part.tensor.xx];
  }

  std::vector<Finding> run() {
    inspect(d.base_parts, "base", d.base_name, {}, scales.back(), false, true);
    const std::vector<char> matters = bodies_that_matter(m);
    std::vector<char> moving(m.bodies.size(), 0), turning(m.bodies.size(), 0);
    for (int i = 0; i < m.size(); ++i) {
      const Body<double>& b = m[i];
      moving[i] = b.kind != JointKind::fixed || (b.parent >= 0 && moving[b.parent]);
      turning[i] = turns(b.kind) || (b.parent >= 0 && turning[b.parent]);
      if (const LinkDescription* link = description_of(i); link && !is_rotor(i))
        inspect(link->parts, "link", link->name, link->where, scales[i], moving[i], matters[i]);
    }
    detail::check_units(d, m, limits, findings);
    whole_robot(matters);
    masses(turning);
    std::ranges::stable_sort(findings, {}, [](const Finding& f) { return f.error.where.line; });
    return std::move(findings);
  }

  std::vector<Finding> run_unbuilt() {
    neighbours = false;
    for (const LinkDescription& link : d.links) inspect(link.parts, "link", link.name, link.where, {}, false, false);
    return std::move(findings);
  }

 private:
  const Description& d;
  const Model<double>& m;
  DoubtLimits limits;
  std::vector<LinkScale> scales;
  std::unordered_map<std::string, int> link_of;
  std::vector<char> carries;  // per body: whether another hangs from it
  std::vector<Finding> findings;
  std::map<double, int> times;  // how often a moment occurs on a whole diagonal
  int explained = 0;
  bool neighbours = true;  // there are joints and other links to compare a body with

  /// The link of a body; null for a rotor that is a body of its own.
  const LinkDescription* description_of(int body) const {
    const auto found = link_of.find(m.link_names[body]);
    return found == link_of.end() ? nullptr : &d.links[found->second];
  }

  /// A link that stands for the rotor of a motor, as a URDF has to write it: it follows a joint, carries nothing, has its
  /// mass in the link that carries it, and a moment of inertia about its axis (the z of its body frame) alone.
  bool is_rotor(int body) const {
    const LinkDescription* link = description_of(body);
    const Inertia<double>& J = m[body].inertia;
    if (!link || !link->mimic || m[body].kind != JointKind::revolute || carries[body] || J.m != 0) return false;
    const double others =
        std::max({std::abs(J.I.xx), std::abs(J.I.yy), std::abs(J.I.xy), std::abs(J.I.xz), std::abs(J.I.yz)});
    return J.I.zz > 0 && others <= 1e-9 * J.I.zz;
  }

  void inspect(const std::vector<Part>& parts, const std::string& kind, const std::string& name, const Where& where,
               const LinkScale& scale, bool moves, bool matters) {
    for (const Part& part : parts) {
      const bool alone = parts.size() == 1;
      BodyDoubts doubts = body_doubts(part, scale, alone, limits);
      if (!matters) doubts.wide = doubts.narrow = doubts.dense = doubts.thin = false;
      if (!neighbours) doubts.far = false;
      const Where& mass = part.where.line > 0 ? part.where : where;
      const Where& inertia = part.tensor_where.line > 0 ? part.tensor_where : mass;
      const auto found = times.find(part.tensor.xx);
      const bool repeated = found != times.end() && found->second >= often;
      if (doubts.any())
        doubtful(doubts,
                 ++explained <= most_explained ? probable_slip(part, scale, alone, limits, repeated) : std::nullopt,
                 kind, name, mass, inertia, moves);
      else if (matters && moves && seems_placeholder(part, repeated) && placed_anyhow(doubts))
        add(inertia, kind, name, "inertia-placeholder",
            fmt::format(
                "its inertia is {:.4g} kg m^2 about every axis, that of a ball of radius {:.3g} m with its mass",
                part.tensor.xx, std::sqrt(2.5) * gyration_radius(doubts.spread)),
            "probable cause: a placeholder: give the real inertia", "placeholder");
      else if (neighbours && seems_about_frame(part, scale))
        add(inertia, kind, name, "inertia-point",
            fmt::format("its inertia is that of a rod {:.3g} m long about a mass centre {:.3g} m from its frame",
                        rod_length(part), norm(part.com)),
            "probable cause: the other reference point: as an inertia about the frame's origin it would fit",
            "reference-point");
    }
  }

  /// Bounds within which a ball of that inertia could be a link: stricter than those for bodies that look measured.
  static bool placed_anyhow(const BodyDoubts& doubts) {
    const double k = gyration_radius(doubts.spread);
    const auto density = ellipsoid_density(doubts.spread);
    return (doubts.extent > 0 && k > doubts.extent) || k < 0.1 * doubts.least_extent ||
           (density && (*density < 30 || *density > 20'000));
  }

  /// One choice of units throughout the file in place of as many doubts as links, where it explains them all.
  void whole_robot(const std::vector<char>& matters) {
    const auto about_numbers = [](const Finding& f) {
      const std::string& rule = f.error.rule;
      return rule == "moment-negative" || rule == "triangle" || rule == "inertia-placeholder" || rule == "gyration" ||
             rule == "density" || rule == "com-distance" || rule == "inertia-point" || rule == "length-millimetres";
    };
    // a link with a cause of another kind needs no units to explain it
    const auto scaled = [](const Finding& f) {
      return f.cause.empty() || f.cause == "units" || f.cause == "decimal-point";
    };
    std::unordered_set<std::string> doubted, others;
    Severity severity = Severity::warning;
    for (const Finding& f : findings) {
      if (!about_numbers(f)) continue;
      (scaled(f) ? doubted : others).insert(f.error.offender);
      severity = std::max(severity, f.severity);
    }
    int judged = 0;
    for (int i = 0; i < m.size(); ++i) judged += m[i].inertia.m > 0 && matters[i];
    const int count = static_cast<int>(doubted.size());
    if (count < 2 || 2 * count <= judged || 4 * others.size() > doubted.size() || m.size() > most_explained) return;
    const auto units = explaining_units(d, limits);
    if (!units) return;
    const Fault first = std::ranges::find_if(findings, about_numbers)->error;
    std::erase_if(findings, about_numbers);
    add(d.where, "robot", d.name, "robot-units",
        fmt::format("{} of its links cannot be as they are typed, the first of them {}: {}", count, first.offender,
                    first.what),
        fmt::format("probable cause: units, {}: taken so throughout, every link would fit", *units), "units");
    findings.back().severity = severity;
  }

  /// Length of the rod with the mass and the largest spread of the part.
  static double rod_length(const Part& part) {
    return std::sqrt(12 * mass_spread(part.mass, part.tensor).variances[0]);
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
    std::vector<double> carried(m.bodies.size(), 0.0);  // mass of the whole subtree, this body without
    double total = 0;
    for (int i = m.size() - 1; i >= 0; --i) {
      const double mass = m[i].inertia.m;
      Group& group = groups[i];
      total += mass;
      if (m[i].parent >= 0) carried[m[i].parent] += mass + carried[i];
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
      return add(d.where, "robot", d.name, "mass-zero", "none of its links has a mass",
                 "enough for kinematics; dynamics needs the mass and inertia of what moves");
    for (int i = 0; i < m.size(); ++i) {
      const LinkDescription* link = description_of(i);
      if (!link || m[i].kind == JointKind::fixed || is_rotor(i)) continue;
      const Where& where = link->parts.empty() ? link->where : link->parts.front().where;
      if (groups[i].mass == 0)
        add(where.line > 0 ? where : link->where, "link", link->name, "mass-zero", without_mass(carried[i]),
            carried[i] > 0 ? "dynamics goes on with what it carries: give its mass, or accept it as an idealisation"
                           : "dynamics of its joint has nothing to accelerate but a rotor: give its mass and inertia");
      else if (turning[i] && groups[i].massive == 1 && groups[i].point)
        add(where.line > 0 ? where : link->where, "link", link->name, "moment-zero",
            "it turns and has no moment of inertia: all its mass in a point", "give its inertia about the mass centre");
    }
  }

  static std::string without_mass(double carried) {
    return carried > 0 ? fmt::format("it has no mass of its own; the links it carries have {:.4g} kg", carried)
                       : "neither it nor any link it carries has mass";
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

std::vector<Finding> impossible_bodies(const Description& description, const DoubtLimits& limits) {
  return Examiner(description, Model<double>{}, limits).run_unbuilt();
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

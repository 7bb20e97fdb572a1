// The structure of a dynamic model in a minute, for those who build robots: what each joint holds, moves and feels.
#include <fmt/format.h>

#include <algorithm>

#include "torsor/report/structure_report.hpp"
#include "torsor/model/coordinate_kind.hpp"

namespace torsor {
namespace {

class Summary {
 public:
  Summary(const StructureAnswer& a, const StructureView& view)
      : a_(a), view_(view), s_(a.numbers()), kinds_(position_kinds(a.robot.model)) {}

  TextTable table() const {
    TextTable out{"what acts on each joint",
                  {{"joint"},
                   {"weight it holds, at most"},
                   {"inertia it is loaded by"},
                   {"velocities add"},
                   {"most coupled with"},
                   {"position matters"}}};
    for (int i = 0; i < s_.n; ++i)
      out.add({fmt::format("{} {}", i + 1, name(i)), weight(i), inertia(i), velocities(i), partner(i),
               matters(i) ? "yes" : "no"});
    return out;
  }

  /// Pairs of joints that never feel each other's acceleration.
  std::string uncoupled() const {
    std::string pairs;
    int count = 0;
    constexpr int most = 6;
    for (std::size_t e = 0; e < s_.coefficients.size(); ++e) {
      const Coefficient& w = s_.coefficients[e];
      if (w.kind != CoefficientKind::mutual_inertia || s_.nonzero[e] != 0 || ++count > most) continue;
      pairs += fmt::format("{}{} and {}", pairs.empty() ? "" : ", ", name(w.i), name(w.j));
    }
    if (count == 0) return "";
    if (count > most) pairs += fmt::format(", and {} pairs more", count - most);
    return "Never loaded by each other's acceleration: " + pairs + ".";
  }

 private:
  const std::string& name(int l) const { return a_.robot.model.velocity_names[static_cast<std::size_t>(l)]; }
  bool slides(int l) const { return kinds_[static_cast<std::size_t>(l)] == CoordinateKind::length; }

  std::string weight(int i) const {
    for (std::size_t e = 0; e < s_.coefficients.size(); ++e)
      if (s_.coefficients[e] == Coefficient{CoefficientKind::gravity, i} && s_.nonzero[e] != 0)
        return fmt::format("{} {}", format_number(a_.survey.values[e].size(), 3), slides(i) ? "N" : "N m");
    return "none";
  }

  std::string inertia(int i) const {
    const std::size_t e = static_cast<std::size_t>(i);  // self-inertias come first
    const Spread& d = a_.survey.values[e];
    const char* const unit = slides(i) ? "kg" : "kg m²";
    if (s_.constant(e)) return fmt::format("{} {}, constant", format_number(d.most, 3), unit);
    return fmt::format("{} to {} {}", format_number(d.least, 3), format_number(d.most, 3), unit);
  }

  std::string velocities(int i) const {
    const std::size_t k = static_cast<std::size_t>(i);
    if (!(view_.sizes.inertia[k].mean > 0)) return "-";
    const double share = view_.sizes.velocity[k].mean / view_.sizes.inertia[k].mean;
    return share < 1e-12 ? "nothing" : fmt::format("{} %", format_number(100 * share, 2));
  }

  std::string partner(int i) const {
    double most = 0;
    int with = -1;
    for (std::size_t e = 0; e < s_.coefficients.size() && !a_.survey.coupling.empty(); ++e) {
      const Coefficient& w = s_.coefficients[e];
      if (w.kind != CoefficientKind::mutual_inertia || s_.nonzero[e] == 0 || (w.i != i && w.j != i)) continue;
      const double k =
          a_.survey.coupling[static_cast<std::size_t>(w.i) * kinds_.size() + static_cast<std::size_t>(w.j)].most;
      if (k <= most) continue;
      most = k;
      with = w.i == i ? w.j : w.i;
    }
    return with < 0 ? "none" : fmt::format("{}, {}", name(with), format_number(most, 2));
  }

  bool matters(int l) const {
    for (std::size_t e = 0; e < s_.coefficients.size(); ++e)
      if (s_.depends_on(e, l)) return true;
    return false;
  }

  const StructureAnswer& a_;
  const StructureView& view_;
  const ExactStructure& s_;
  std::vector<CoordinateKind> kinds_;
};

}  // namespace

void add_summary(Report& report, const StructureAnswer& a, const StructureView& view) {
  const ExactStructure& s = a.numbers();
  const int all = static_cast<int>(s.coefficients.size()), nonzero = total(a.table.nonzero);
  ReportSection& section = report.section("In short");
  section.text(fmt::format(
      "The torque of a joint has three parts: inertia against accelerations (d), centrifugal and Coriolis "
      "effects of velocities "
      "(c), and weight (G). Of the {} coefficients that a robot of {} joint{} can have, {} {} there, {} of "
      "them constant; {} {} zero "
      "in every position.",
      all, s.n, s.n == 1 ? "" : "s", nonzero, nonzero == 1 ? "is" : "are", total(a.table.constant), all - nonzero,
      all - nonzero == 1 ? "is" : "are"));
  if (s.n == 0) return;
  const Summary summary(a, view);
  section.table(summary.table());
  section.text(
      "Velocities add, on the mean, that much of what inertia takes, at the speeds and accelerations below. Coupling "
      "goes from 0, none, to 1, "
      "rigid: accelerating one joint pushes the other.");
  if (const std::string pairs = summary.uncoupled(); !pairs.empty()) section.text(pairs);
  section.text("Which changes of the design would remove more: torsor guide.");
}

}  // namespace torsor

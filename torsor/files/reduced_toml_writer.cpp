// The writer of reduced models.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "torsor/text/number.hpp"
#include "torsor/files/reduced_toml.hpp"
#include "torsor/text/text_table.hpp"
#include "torsor/text/toml_text.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {
namespace {

template <class T, class Print>
std::string list(const std::vector<T>& items, const Print& print) {
  std::string out = "[";
  for (const T& item : items) out += (out.size() > 1 ? ", " : "") + print(item);
  return out + "]";
}

std::string number_list(const std::vector<double>& numbers) { return list(numbers, toml_number); }

std::string range_list(const std::vector<StateRange>& ranges) {
  return list(ranges,
              [](const StateRange& r) { return fmt::format("[{}, {}]", toml_number(r.low), toml_number(r.high)); });
}

std::string term_text(const ReducedModel& model, const TorqueTerm& term, bool first, int digits) {
  const bool minus = std::signbit(term.coefficient);
  std::string text =
      (first   ? (minus ? "-" : "")
       : minus ? " - "
               : " + ") +
      (digits > 0 ? format_number(std::abs(term.coefficient), digits) : toml_number(std::abs(term.coefficient)));
  for (const TermFactor& factor : term.factors)
    text += " " + factor_name(model, factor) + (factor.exponent > 1 ? fmt::format("^{}", factor.exponent) : "");
  return text;
}

}  // namespace

std::vector<ReducedEntry> reduced_entries(const ReducedModel& model, TermPart part, int digits) {
  std::vector<ReducedEntry> entries;
  std::vector<std::array<int, 3>> order;
  for (const TorqueTerm& term : model.terms) {
    if (term.part != part) continue;
    const std::array<int, 3> at{term.i, part == TermPart::gravity ? term.i : term.j,
                                part == TermPart::velocity ? term.m : 0};
    const auto known = std::ranges::find(order, at);
    if (known == order.end()) {
      order.push_back(at);
      entries.push_back({{term.i + 1}, term_text(model, term, true, digits)});
      if (part != TermPart::gravity) entries.back().indices.push_back(term.j + 1);
      if (part == TermPart::velocity) entries.back().indices.push_back(term.m + 1);
    } else {
      entries[static_cast<std::size_t>(known - order.begin())].sum += term_text(model, term, false, digits);
    }
  }
  std::ranges::sort(entries, {}, &ReducedEntry::indices);
  return entries;
}

std::string write_reduced_toml(const ReducedModel& model) {
  const ReductionStatement& said = model.statement;
  std::vector<std::string> names, words;
  std::vector<double> offsets, previous;
  for (const ReducedJoint& joint : model.joints) {
    names.push_back(joint.name);
    words.emplace_back(joint.prismatic ? "prismatic" : "revolute");
    offsets.push_back(joint.offset);
    previous.push_back(joint.previous + 1);
  }
  std::string out = fmt::format(
      "# A reduced model of {0}, made by torsor reduce. SI units and radians.\n"
      "#   tau'_i = sum_j D'_ij u'_j + sum_jm h'_jm(i) u_j u_m + G'_i, u_i = qd_i + u_previous, tau_i = tau'_i + "
      "tau_next\n"
      "#   C23 = cos(q2 + q3), offsets included\nformat = 1\nrobot = {1}\njoints = {2}\nkinds = {3}\noffsets = {4}\n"
      "previous = {5}\n\ntolerance = {6}\nuse = \"{7}\"\nvelocity = \"{8}\"\nerror = \"{9}\"\n",
      single_line(model.robot), toml_text(model.robot), list(names, toml_text), list(words, toml_text),
      number_list(offsets), number_list(previous), toml_number(said.tolerance),
      said.definite ? "dynamics" : "inverse dynamics", said.consistent ? "derived" : "dropped",
      said.proven ? "proven" : "searched");
  out += fmt::format("q = {}\nqd = {}\nqdd = {}\nscale = {}\nerror_on_motion = {}\nerror_on_ranges = {}\n",
                     range_list(said.q), range_list(said.qd), range_list(said.qdd), number_list(said.scale),
                     number_list(said.on_motion), number_list(said.on_ranges));
  if (!said.found.empty()) out += fmt::format("error_found = {}\n", number_list(said.found));
  out += fmt::format("reference = {}\n", list(model.reference, number_list));
  for (const auto& [key, part] :
       {std::pair("D", TermPart::inertia), std::pair("h", TermPart::velocity), std::pair("G", TermPart::gravity)}) {
    out += fmt::format("\n{} = [\n", key);
    for (const ReducedEntry& entry : reduced_entries(model, part))
      out += fmt::format("  \"{}: {}\",\n", fmt::join(entry.indices, ","), entry.sum);
    out += "]\n";
  }
  return out;
}

}  // namespace torsor

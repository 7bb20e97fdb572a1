#include "torsor/structure/equations.hpp"

#include <algorithm>

#include "torsor/structure/collect_factors.hpp"
#include "torsor/structure/named_subexpressions.hpp"

namespace torsor {
namespace {

constexpr std::size_t longest_effort = 12;    // terms of h_i that are written as one sum
constexpr std::size_t hopeless_effort = 500;  // and more than these become no such sum by recombining angles

/// `12`, or `1,12` where there are more than nine coordinates.
std::string indices(int n, std::initializer_list<int> coordinates) {
  std::string text;
  for (const int k : coordinates) text += (n > 9 && !text.empty() ? "," : "") + std::to_string(k + 1);
  return text;
}

class Writer {
 public:
  Writer(const SymbolicRobot& robot, const SymbolicDynamics& dynamics, const EquationOptions& options)
      : robot_(robot), e_(dynamics), options_(options), sums_(robot) {}

  Equations write() {
    if (options_.parts.D) write_inertia();
    if (options_.parts.c) write_velocity();
    if (options_.parts.G) write_gravity();
    out_.symbols = sums_.symbols();
    for (const Definition& definition : out_.definitions) out_.cost += cost_of(definition.value);
    return std::move(out_);
  }

 private:
  /// A coefficient to be written.
  struct Item {
    Definition name;
    Poly poly;
    std::size_t output = 0;  // of the recording of its part
  };

  bool asked(int i) const { return options_.joint < 0 || options_.joint == i; }

  Poly prepared(const Poly& p) { return options_.numeric ? with_numbers(p, robot_, out_.rounded) : p; }

  void add(EquationPart part, Definition definition) {
    out_.lines.push_back({part, static_cast<int>(out_.definitions.size())});
    out_.definitions.push_back(std::move(definition));
  }

  /// Equal or opposite to what is there already.
  std::optional<Expression> reference(const Poly& p) const {
    if (p.terms().size() < 2) return std::nullopt;
    for (const auto& [known, index] : known_) {
      if (known.terms().size() != p.terms().size()) continue;
      if (known == p) return Expression::named(index);
      if (known == -p) return Expression::negative(Expression::named(index));
    }
    return std::nullopt;
  }

  /// A part of the equations, expanded or, where there is something to record, by named subexpressions.
  void write_part(EquationPart part, const std::vector<Item>& items, SymbolicTape (*record)(const SymbolicRobot&)) {
    std::vector<std::vector<PolyTerm>> terms;
    std::size_t longest = 0;
    const auto is_named = [&] {
      return record != nullptr && !options_.numeric &&
             (options_.form == EquationForm::named ||
              (options_.form == EquationForm::automatic && longest > static_cast<std::size_t>(options_.longest)));
    };
    for (const Item& item : items) {
      terms.push_back(is_named() || reference(item.poly) ? std::vector<PolyTerm>{} : sums_.shortest(item.poly));
      longest = std::max(longest, terms.back().size());
    }
    if (record != nullptr && is_named()) return write_named(part, items, record);

    for (std::size_t k = 0; k < items.size(); ++k) {
      Definition definition = items[k].name;
      const auto same = reference(items[k].poly);
      definition.value = same ? *same : collect_factors(std::move(terms[k]), sums_.symbols());
      if (!same) known_.push_back({items[k].poly, static_cast<int>(out_.definitions.size())});
      add(part, std::move(definition));
    }
  }

  void write_named(EquationPart part, const std::vector<Item>& items, SymbolicTape (*record)(const SymbolicRobot&)) {
    std::vector<std::size_t> outputs;
    for (const Item& item : items)
      if (!item.poly.is_zero()) outputs.push_back(item.output);
    std::vector<Expression> values = name_subexpressions(record(robot_), outputs, out_.definitions);
    for (int k = static_cast<int>(out_.lines.size()); k < static_cast<int>(out_.definitions.size()); ++k)
      out_.lines.push_back({EquationPart::subexpression, k});
    std::size_t next = 0;
    for (const Item& item : items) {
      Definition definition = item.name;
      if (!item.poly.is_zero()) definition.value = std::move(values[next++]);
      add(part, std::move(definition));
    }
  }

  void write_inertia() {
    std::vector<Item> items;
    std::size_t output = 0;
    for (int i = 0; i < e_.n; ++i)
      for (int j = i; j < e_.n; ++j, ++output)
        if (asked(i) || asked(j)) items.push_back({{"D", indices(e_.n, {i, j}), "", {}}, prepared(e_.d(i, j)), output});
    write_part(EquationPart::inertia, items, record_inertia);
  }

  void write_velocity() {
    // short efforts as they are, long ones by their coefficients
    std::vector<Item> efforts, coefficients;
    std::vector<std::vector<Expression>> sums(static_cast<std::size_t>(e_.n));
    std::size_t output = 0;
    std::vector<Poly> h = velocity_efforts(e_, robot_.qd);
    bool all_short = options_.form != EquationForm::named;
    for (int i = 0; i < e_.n; ++i) {
      Poly& effort = h[static_cast<std::size_t>(i)];
      effort = prepared(effort);
      all_short =
          all_short &&
          (!asked(i) || (effort.terms().size() <= hopeless_effort && sums_.shortest(effort).size() <= longest_effort));
    }
    for (int i = 0; i < e_.n; ++i) {
      const std::string index = indices(e_.n, {i});
      if (asked(i) && all_short) efforts.push_back({{"h", index, "", {}}, h[static_cast<std::size_t>(i)]});
      for (int j = 0; j < e_.n; ++j)
        for (int m = j; m < e_.n; ++m, ++output) {
          Poly c = asked(i) && !all_short ? prepared(e_.christoffel(i, j, m)) : Poly();
          if (!c.is_zero()) coefficients.push_back({{"c", indices(e_.n, {j, m}), index, {}}, std::move(c), output});
        }
    }
    if (all_short) return write_part(EquationPart::velocity, efforts, nullptr);
    write_part(EquationPart::christoffel, coefficients, record_christoffel);
    write_efforts_of_coefficients();
  }

  /// h_i = sum of c_jm(i) qd_j qd_m, by the names of the coefficients.
  void write_efforts_of_coefficients() {
    int first_rate = 0;
    while (!robot_.qd[0].depends_on(first_rate)) ++first_rate;
    const auto rate = [&](int j) { return Expression::variable(first_rate + j); };
    for (int i = 0; i < e_.n; ++i) {
      if (!asked(i)) continue;
      std::vector<Expression> parts;
      for (int j = 0; j < e_.n; ++j)
        for (int m = j; m < e_.n; ++m) {
          const int at = find({"c", indices(e_.n, {j, m}), indices(e_.n, {i}), {}});
          if (at < 0) continue;
          const Expression rates = j == m ? Expression::power(rate(j), 2) : Expression::product({rate(j), rate(m)});
          parts.push_back(Expression::product({Expression::of({j == m ? 1 : 2, 1}), Expression::named(at), rates}));
        }
      add(EquationPart::velocity, {"h", indices(e_.n, {i}), "", Expression::sum(std::move(parts))});
    }
  }

  int find(const Definition& name) const {
    const auto at = std::ranges::find_if(
        out_.definitions, [&](const Definition& d) { return d.letter == name.letter && d.text() == name.text(); });
    return at == out_.definitions.end() ? -1 : static_cast<int>(at - out_.definitions.begin());
  }

  void write_gravity() {
    std::vector<Item> items;
    for (int i = 0; i < e_.n; ++i)
      if (asked(i))
        items.push_back({{"G", indices(e_.n, {i}), "", {}},
                         prepared(e_.G[static_cast<std::size_t>(i)]),
                         static_cast<std::size_t>(i)});
    write_part(EquationPart::gravity, items, record_gravity);
  }

  const SymbolicRobot& robot_;
  const SymbolicDynamics& e_;
  const EquationOptions& options_;
  AngleSums sums_;
  Equations out_;
  std::vector<std::pair<Poly, int>> known_;
};

}  // namespace

Result<Equations> equations(const SymbolicRobot& robot, const EquationOptions& options) {
  const auto dynamics = symbolic_dynamics(robot, options.parts);
  if (!dynamics) return dynamics.errors();
  try {
    return Writer(robot, *dynamics, options).write();
  } catch (const PolyOverflow& overflow) {
    return Errors{{robot.where, "robot \"" + robot.name + "\"", "too-large", overflow.what(),
                   options.numeric ? "ask for letters instead of numbers (no --numeric), or for fewer coefficients"
                                   : "ask for one joint, or for fewer coefficients"}};
  }
}

}  // namespace torsor

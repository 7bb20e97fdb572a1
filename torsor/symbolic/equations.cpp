#include "torsor/symbolic/equations.hpp"

#include <algorithm>

#include "torsor/scalar/poly.hpp"
#include "torsor/symbolic/angle_sums.hpp"
#include "torsor/symbolic/collect_factors.hpp"
#include "torsor/symbolic/named_subexpressions.hpp"
#include "torsor/symbolic/random_point.hpp"
#include "torsor/symbolic/symbolic_dynamics.hpp"

namespace torsor {
namespace {

constexpr std::size_t most_terms = 1'000'000;      // of one polynomial that somebody asks for in full
constexpr std::size_t hopeless_terms = 100'000;    // more than these become no sum that one reads
constexpr std::size_t hopeless_inertias = 20'000;  // terms of D, whose derivatives have ten times as many
constexpr std::size_t longest_torque = 12;         // terms of h_i that are written as one sum
constexpr std::size_t hopeless_torque = 500;       // and more than these become no such sum by recombining angles

/// `12`, or `1,12` where there are more than nine coordinates.
std::string indices(int n, std::initializer_list<int> coordinates) {
  std::string text;
  for (const int k : coordinates) text += (n > 9 && !text.empty() ? "," : "") + std::to_string(k + 1);
  return text;
}

/// The polynomials of the parts that are short enough for it, and what is zero in the others.
struct Found {
  SymbolicDynamics e;
  SymbolicParts expanded;
  SymbolicZeros zeros;
  std::string limit;  // why not all
};

class Writer {
 public:
  Writer(const SymbolicRobot& robot, const Found& found, const EquationOptions& options)
      : robot_(robot), found_(found), e_(found.e), options_(options), sums_(robot) {}

  Equations write() {
    if (options_.parts.D) parts_.push_back(inertia());
    if (options_.parts.c) parts_.push_back(velocity());
    if (options_.parts.G) parts_.push_back(gravity());

    // one recording for all parts with names
    std::vector<std::size_t> outputs;
    for (Part& part : parts_) {
      choose_form(part);
      if (!part.named) continue;
      const std::vector<std::size_t> some = outputs_of(part);
      outputs.insert(outputs.end(), some.begin(), some.end());
    }
    std::optional<SubexpressionNames> names;
    if (std::ranges::any_of(parts_, &Part::named)) names.emplace(record_equations(robot_), outputs);

    for (Part& part : parts_) {
      if (part.named)
        write_named(part, *names);
      else
        write_expanded(part);
      if (part.kind == EquationPart::christoffel) write_torques_of_coefficients();
    }
    out_.symbols = sums_.symbols();
    out_.limit = found_.limit;
    for (const Definition& definition : out_.definitions) out_.cost += cost_of(definition.value);
    return std::move(out_);
  }

 private:
  /// A coefficient to be written.
  struct Item {
    Definition name;
    Poly poly;               // where it is multiplied out
    std::size_t output = 0;  // of the recording
    bool zero = false;
  };
  struct Part {
    EquationPart kind;
    std::vector<Item> items;
    bool expanded = true;  // there are polynomials
    bool named = false;
    std::vector<std::vector<PolyTerm>> terms = {};  // of the items, otherwise
  };

  bool asked(int i) const { return options_.joint < 0 || options_.joint == i; }

  Poly prepared(const Poly& p) { return options_.numeric ? with_numbers(p, robot_, out_.rounded) : p; }

  Item item(Definition name, Poly poly, std::size_t output) {
    const bool zero = poly.is_zero();
    return {std::move(name), std::move(poly), output, zero};
  }

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

  /// With names, or each coefficient in as few terms as possible. Torques are sums of what has names already.
  void choose_form(Part& part) {
    const bool may_be_named = part.kind != EquationPart::velocity && !options_.numeric;
    part.named = !part.expanded || (may_be_named && options_.form == EquationForm::named);
    for (const Item& item : part.items) {
      if (part.named) return;
      part.terms.push_back(sums_.shortest(item.poly));
      part.named = may_be_named && options_.form == EquationForm::automatic &&
                   part.terms.back().size() > static_cast<std::size_t>(options_.longest);
    }
  }

  static std::vector<std::size_t> outputs_of(const Part& part) {
    std::vector<std::size_t> outputs;
    for (const Item& item : part.items)
      if (!item.zero) outputs.push_back(item.output);
    return outputs;
  }

  void write_expanded(Part& part) {
    for (std::size_t k = 0; k < part.items.size(); ++k) {
      Definition definition = part.items[k].name;
      const Poly& poly = part.items[k].poly;
      const auto same = reference(poly);
      definition.value = same ? *same : collect_factors(std::move(part.terms[k]), sums_.symbols());
      if (!same) known_.push_back({poly, static_cast<int>(out_.definitions.size())});
      add(part.kind, std::move(definition));
    }
  }

  void write_named(const Part& part, SubexpressionNames& names) {
    std::vector<Expression> values = names.write(outputs_of(part), out_.definitions);
    for (int k = static_cast<int>(out_.lines.size()); k < static_cast<int>(out_.definitions.size()); ++k)
      out_.lines.push_back({EquationPart::subexpression, k});
    std::size_t next = 0;
    for (const Item& item : part.items) {
      Definition definition = item.name;
      if (!item.zero) definition.value = std::move(values[next++]);
      add(part.kind, std::move(definition));
    }
  }

  Part inertia() {
    Part part{EquationPart::inertia, {}, found_.expanded.D};
    std::size_t output = 0;
    for (int i = 0; i < e_.n; ++i)
      for (int j = i; j < e_.n; ++j, ++output) {
        if (!asked(i) && !asked(j)) continue;
        Definition name{"D", indices(e_.n, {i, j}), "", {}};
        part.items.push_back(part.expanded ? item(std::move(name), prepared(e_.d(i, j)), output)
                                           : Item{std::move(name), {}, output, found_.zeros.D[cell(i, e_.n, j)] != 0});
      }
    return part;
  }

  /// Short torques as they are, long ones by their coefficients.
  Part velocity() {
    if (found_.expanded.c && options_.form != EquationForm::named) {
      Part torques{EquationPart::velocity, {}};
      bool all_short = true;
      const std::vector<Poly> h = velocity_torques(e_, robot_.qd);
      for (int i = 0; i < e_.n && all_short; ++i) {
        if (!asked(i)) continue;
        Poly effort = prepared(h[static_cast<std::size_t>(i)]);
        all_short = effort.terms().size() <= hopeless_torque && sums_.shortest(effort).size() <= longest_torque;
        torques.items.push_back(item({"h", indices(e_.n, {i}), "", {}}, std::move(effort), 0));
      }
      if (all_short) return torques;
    }
    return coefficients();
  }

  /// Those that are not zero.
  Part coefficients() {
    Part part{EquationPart::christoffel, {}, found_.expanded.c};
    std::size_t output = first_christoffel(static_cast<std::size_t>(e_.n));
    for (int i = 0; i < e_.n; ++i)
      for (int j = 0; j < e_.n; ++j)
        for (int m = j; m < e_.n; ++m, ++output) {
          if (!asked(i)) continue;
          Definition name{"c", indices(e_.n, {j, m}), indices(e_.n, {i}), {}};
          Item c = part.expanded ? item(std::move(name), prepared(e_.christoffel(i, j, m)), output)
                                 : Item{std::move(name), {}, output, found_.zeros.c[cell(i * e_.n + j, e_.n, m)] != 0};
          if (!c.zero) part.items.push_back(std::move(c));
        }
    return part;
  }

  /// h_i = sum of c_jm(i) qd_j qd_m, by the names of the coefficients.
  void write_torques_of_coefficients() {
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

  Part gravity() {
    Part part{EquationPart::gravity, {}, found_.expanded.G};
    for (int i = 0; i < e_.n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      if (!asked(i)) continue;
      Definition name{"G", indices(e_.n, {i}), "", {}};
      const std::size_t output = first_gravity(static_cast<std::size_t>(e_.n)) + k;
      part.items.push_back(part.expanded ? item(std::move(name), prepared(e_.G[k]), output)
                                         : Item{std::move(name), {}, output, found_.zeros.G[k] != 0});
    }
    return part;
  }

  const SymbolicRobot& robot_;
  const Found& found_;
  const SymbolicDynamics& e_;
  const EquationOptions& options_;
  AngleSums sums_;
  std::vector<Part> parts_;
  Equations out_;
  std::vector<std::pair<Poly, int>> known_;
};

/// What is to be multiplied out in any case.
Result<Found> found_in_full(const SymbolicRobot& robot, const SymbolicParts& parts) {
  const PolyTermLimit limit(most_terms);
  auto dynamics = symbolic_dynamics(robot, parts);
  if (!dynamics) return dynamics.faults();
  return Found{std::move(*dynamics), parts, {}, ""};
}

/// Part by part, as far as a sum that one reads could come out of it.
Found found_if_short(const SymbolicRobot& robot, const SymbolicParts& parts) {
  const PolyTermLimit limit(hopeless_terms);
  Found out{{robot.forms.model.nv, {}, {}, {}}, {false, false, false}, {}, ""};
  const auto failed = [&](const Faults& errors) { out.limit = errors.front().what; };
  if (parts.D || parts.c) {
    if (auto D = symbolic_dynamics(robot, {true, false, false}); D) {
      out.e.D = std::move(D->D);
      out.expanded.D = true;
    } else {
      failed(D.faults());
    }
  }
  if (parts.G) {
    if (auto G = symbolic_dynamics(robot, {false, false, true}); G) {
      out.e.G = std::move(G->G);
      out.expanded.G = true;
    } else {
      failed(G.faults());
    }
  }
  if (parts.c && out.expanded.D) {
    std::size_t terms = 0;
    for (const Poly& d : out.e.D) terms += d.terms().size();
    out.expanded.c = terms <= hopeless_inertias;
    if (out.expanded.c)
      out.e.c = christoffel_of(out.e.D, robot.joints);
    else
      out.limit = "the mass matrix alone has " + std::to_string(terms) + " terms";
  }
  if (!out.limit.empty()) out.zeros = symbolic_zeros(robot);
  return out;
}

}  // namespace

Result<Equations> equations(const SymbolicRobot& robot, const EquationOptions& options) {
  try {
    const bool in_full = options.numeric || options.form == EquationForm::expanded;
    const Result<Found> found = in_full ? found_in_full(robot, options.parts) : found_if_short(robot, options.parts);
    if (!found) return found.faults();
    return Writer(robot, *found, options).write();
  } catch (const PolyOverflow& overflow) {
    return Faults{{robot.where, "robot \"" + robot.name + "\"", "too-large", overflow.what(),
                   options.numeric ? "ask for letters instead of numbers (no --numeric), or for fewer coefficients"
                                   : "ask for one joint, or for fewer coefficients"}};
  }
}

Result<Equations> equations(const Description& description, const SymbolicOptions& letters,
                            const EquationOptions& options) {
  const Result<SymbolicRobot> robot = symbolic_robot(description, letters);
  if (!robot) return robot.faults();
  return equations(*robot, options);
}

}  // namespace torsor

#include "torsor/identification/group_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "torsor/dynamics/regroup.hpp"
#include "torsor/scalar/poly.hpp"

namespace torsor {
namespace {

constexpr double equal_numbers = 1e-9;

bool same_number(double x, double y) { return std::abs(x - y) <= equal_numbers * std::max(1.0, std::abs(x)); }

/// A number that letters of the robot's table stand for, multiplied.
struct KnownNumber {
  std::vector<GroupLetter> factors;

  double value() const {
    double product = 1;
    for (const GroupLetter& factor : factors) product *= factor.value;
    return product;
  }
};

/// The tree with letters for its placements.
class LetteredTree {
 public:
  LetteredTree(const Description& robot, const Model<double>& model)
      : values(static_cast<std::size_t>(Monomial::variables), 1.0) {
    tree.bodies.resize(model.bodies.size());
    for (int i = 0; i < model.size(); ++i) {
      Body<Poly>& b = tree.bodies[i];
      b.parent = model[i].parent;
      b.kind = model[i].kind;
      if (b.parent < 0) continue;
      const DhRow* row = row_before(robot, model, i);
      const int owner = robot.convention == Convention::standard_dh ? b.parent : i;
      write(model[i].placement, row, owner + 1, i + 1, b.placement);
    }
  }

  Tree<Poly> tree;
  std::vector<double> values;      // of all variables of the polynomials
  std::vector<std::string> names;  // of the letters, in the order of the parameters

 private:
  /// The row of the DH table that places joint i in the joint frame before it.
  static const DhRow* row_before(const Description& robot, const Model<double>& model, int i) {
    const int owner = robot.convention == Convention::standard_dh ? model[i].parent : i;
    for (const LinkDescription& link : robot.links)
      if (link.name == model.link_names[owner]) return std::get_if<DhRow>(&link.geometry);
    return nullptr;
  }

  void write(const Transform<double>& X, const DhRow* row, int table, int joint, Transform<Poly>& to) {
    const auto number = [](const char* letter, int k) { return letter + std::to_string(k); };
    std::vector<KnownNumber> lengths, turns;
    if (row) {
      const GroupLetter a{number("a", table), row->a}, d{number("d", table), row->d};
      const GroupLetter ca{number("ca", table), std::cos(row->alpha)}, sa{number("sa", table), std::sin(row->alpha)};
      lengths = {{{a}}, {{d}}, {{d, ca}}, {{d, sa}}};
      turns = {{{ca}}, {{sa}}};
    }
    constexpr double Vec3<double>::*components[] = {&Vec3<double>::x, &Vec3<double>::y, &Vec3<double>::z};
    constexpr Poly Vec3<Poly>::*places[] = {&Vec3<Poly>::x, &Vec3<Poly>::y, &Vec3<Poly>::z};
    constexpr Vec3<double> Mat3<double>::*columns[] = {&Mat3<double>::x, &Mat3<double>::y, &Mat3<double>::z};
    constexpr Vec3<Poly> Mat3<Poly>::*column_places[] = {&Mat3<Poly>::x, &Mat3<Poly>::y, &Mat3<Poly>::z};
    for (std::size_t k = 0; k < 3; ++k) {
      to.p.*places[k] = lettered(X.p.*components[k], lengths, number(std::array{"x", "y", "z"}[k], joint));
      for (std::size_t j = 0; j < 3; ++j)
        (to.R.*column_places[j]).*places[k] = lettered((X.R.*columns[j]).*components[k], turns, "");
    }
  }

  /// Zero, a letter of the table, one, or a letter of its own; without a name for that, a letter whose value is none.
  Poly lettered(double x, const std::vector<KnownNumber>& known, const std::string& own) {
    constexpr double rounding = 1e-12;
    if (std::abs(x) < rounding) return {};
    if (own.empty() && std::abs(std::abs(x) - 1) < rounding) return Poly(x > 0 ? 1 : -1);
    for (const KnownNumber& one : known) {
      const double value = one.value();
      if (std::abs(std::abs(x) - std::abs(value)) > rounding) continue;
      Poly product(std::signbit(x) == std::signbit(value) ? 1 : -1);
      for (const auto& [name, size] : one.factors) product *= letter(name, size);
      return product;
    }
    return own.empty() ? letter("?", std::nan("")) : letter(own, x);
  }

  Poly letter(const std::string& name, double value) {
    const auto found = std::ranges::find(names, name);
    const int k = static_cast<int>(found - names.begin());
    if (k >= Monomial::parameters) throw PolyOverflow("more letters than a polynomial has");
    if (found == names.end()) {
      names.push_back(name);
      values[Monomial::first_parameter + k] = value;
    }
    return Poly::parameter(k);
  }
};

/// `2 d3`, `a2^2`, without its sign; `1` for a bare number is left out.
std::string product_text(const PolyTerm& term, const LetteredTree& letters, std::set<int>& used) {
  std::string text;
  const auto add = [&text](const std::string& factor) { text += (text.empty() ? "" : " ") + factor; };
  const auto [numerator, denominator] = term.coefficient;
  if (std::abs(numerator) != 1 || denominator != 1)
    add(denominator == 1 ? std::to_string(std::abs(numerator))
                         : fmt::format("{}/{}", std::abs(numerator), denominator));
  term.monomial.each([&](int variable, int exponent) {
    const int k = variable - Monomial::first_parameter;
    used.insert(k);
    add(letters.names[static_cast<std::size_t>(k)] + (exponent > 1 ? fmt::format("^{}", exponent) : ""));
  });
  return text;
}

/// A coefficient and its sign, ready to stand before a parameter.
struct SignedText {
  bool negative = false;
  std::string text;
};

SignedText coefficient_text(const Poly& p, const LetteredTree& letters, std::set<int>& used) {
  const auto terms = p.terms();
  const bool negative = terms[0].coefficient.numerator < 0;
  if (terms.size() == 1) return {negative, product_text(terms[0], letters, used)};
  std::string sum;
  for (const PolyTerm& term : terms) {
    const bool minus = (term.coefficient.numerator < 0) != negative;
    const std::string product = product_text(term, letters, used);
    sum += (sum.empty() ? "" : minus ? " - " : " + ") + (product.empty() ? "1" : product);
  }
  return {negative, "(" + sum + ")"};
}

SignedText number_text(double x) {
  const bool one = std::abs(std::abs(x) - 1) < equal_numbers;
  return {x < 0, one ? "" : fmt::format("{:.5g}", std::abs(x))};
}

/// A regrouped parameter in a combination.
struct GroupTerm {
  SignedText coefficient;
  std::string parameter;
};

/// `Izz2 + Iyy3 + a2^2 (m3 + m4)`: parameters with one coefficient stand behind it together.
std::string combination_text(std::string sum, const std::vector<GroupTerm>& terms) {
  std::vector<char> told(terms.size(), 0);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (told[i]) continue;
    const auto& [sign, factor] = terms[i].coefficient;
    std::string together = terms[i].parameter;
    bool several = false;
    for (std::size_t j = i + 1; j < terms.size() && !factor.empty(); ++j) {
      if (terms[j].coefficient.text != factor) continue;
      together += (terms[j].coefficient.negative == sign ? " + " : " - ") + terms[j].parameter;
      told[j] = 1, several = true;
    }
    sum += sign ? " - " : " + ";
    sum += factor + (factor.empty() ? "" : " ") + (several ? "(" + together + ")" : together);
  }
  return sum;
}

/// What the closed rule makes of one unit of a parameter: its share in each of the kept ones, as polynomials.
std::vector<Poly> rule_shares(const LetteredTree& letters, const BaseParameters& base, const DynamicParameter& one) {
  Tree<Poly> tree = letters.tree;
  inertial_parameter(tree.bodies[one.index].inertia, one.which) = Poly(1);
  const Tree<Poly> moved = regrouped(std::move(tree));
  std::vector<Poly> out;
  for (const int k : base.kept) {
    const DynamicParameter& p = base.parameters[k];
    out.push_back(p.kind == ParameterKind::inertial ? inertial_parameter(moved[p.index].inertia, p.which) : Poly());
  }
  return out;
}

}  // namespace

GroupTexts group_texts(const Description& robot, const Model<double>& model, const BaseParameters& base) {
  GroupTexts out;
  std::vector<std::vector<GroupTerm>> terms(base.kept.size());
  std::optional<LetteredTree> letters;
  try {
    letters.emplace(robot, model);
  } catch (const PolyOverflow&) {
    // a robot of so many letters is told in numbers
  }
  std::set<int> used;
  const int columns = static_cast<int>(base.regrouped.size());
  for (int d = 0; d < columns; ++d) {
    const DynamicParameter& one = base.parameters[base.regrouped[d]];
    std::vector<Poly> rule;
    try {
      if (letters && one.kind == ParameterKind::inertial) rule = rule_shares(*letters, base, one);
    } catch (const PolyOverflow&) {
      rule.clear();
    }
    for (int k = 0; k < base.count(); ++k) {
      const double share = base.K[cell(k, columns, d)];
      if (share == 0) continue;
      const bool told = !rule.empty() && !rule[k].is_zero() && same_number(evaluate(rule[k], letters->values), share);
      terms[k].push_back(
          {told ? coefficient_text(rule[k], *letters, used) : number_text(share), parameter_name(model, one)});
    }
  }
  for (int k = 0; k < base.count(); ++k)
    out.combinations.push_back(combination_text(parameter_name(model, base.parameters[base.kept[k]]), terms[k]));
  for (const int k : used)
    out.letters.push_back(
        {letters->names[static_cast<std::size_t>(k)], letters->values[Monomial::first_parameter + k]});
  return out;
}

}  // namespace torsor

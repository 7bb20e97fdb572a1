#include "torsor/symbolic/equations.hpp"

#include <doctest/doctest.h>

#include <cctype>
#include <map>
#include <regex>
#include <set>

#include "tests/support/random.hpp"
#include "tests/support/small_robots.hpp"
#include "torsor/formulations/coefficients_composite_body.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/model/general_arm.hpp"
#include "torsor/scalar/poly.hpp"
#include "torsor/symbolic/random_point.hpp"
#include "torsor/symbolic/symbolic_dynamics.hpp"

using namespace torsor;

namespace {

/// Reads the text form back: sums of products of numbers, names and parentheses, with whole powers.
class Reader {
 public:
  Reader(std::string text, const std::map<std::string, double>& names) : text_(std::move(text)), names_(names) {}

  double value() {
    const double total = sum();
    CHECK(at_ == text_.size());
    return total;
  }

 private:
  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void blanks() {
    while (here() == ' ') ++at_;
  }
  double sum() {
    double total = 0, sign = 1;
    if (here() == '-') {
      sign = -1;
      ++at_;
    }
    while (true) {
      total += sign * product();
      blanks();
      if (here() != '+' && here() != '-') return total;
      sign = here() == '+' ? 1 : -1;
      ++at_;
      blanks();
    }
  }
  double product() {
    double total = 1;
    while (true) {
      blanks();
      if (here() == '\0' || here() == ')' || here() == '+' || here() == '-') return total;
      total *= power();
    }
  }
  double power() {
    const double base = factor();
    if (here() != '^') return base;
    ++at_;
    const double exponent = number();
    return std::pow(base, exponent);
  }
  double number() {
    std::size_t used = 0;
    const double x = std::stod(text_.substr(at_), &used);
    at_ += used;
    return x;
  }
  double factor() {
    if (here() == '(') {
      ++at_;
      const double inside = sum();
      CHECK(here() == ')');
      ++at_;
      return inside;
    }
    if (std::isdigit(static_cast<unsigned char>(here())) != 0) {
      const double above = number();
      if (here() != '/') return above;
      ++at_;
      return above / number();
    }
    // a name, perhaps with an argument: c12(3), cos(alpha2)
    const std::size_t start = at_;
    while (std::isalnum(static_cast<unsigned char>(here())) != 0 || here() == ',') ++at_;
    if (here() == '(') at_ = text_.find(')', at_) + 1;
    const std::string name = text_.substr(start, at_ - start);
    CAPTURE(name);
    REQUIRE(names_.contains(name));
    return names_.at(name);
  }

  std::string text_;
  const std::map<std::string, double>& names_;
  std::size_t at_ = 0;
};

/// LaTeX brought back to the text form.
std::string from_latex(std::string s) {
  static const std::vector<std::pair<std::regex, std::string>> rules = [] {
    std::vector<std::pair<std::regex, std::string>> out;
    for (const auto& [pattern, by] : std::initializer_list<std::pair<const char*, const char*>>{
             {R"(\\frac\{(\d+)\}\{(\d+)\})", "$1/$2"},
             {R"( \\cdot 10\^\{-(\d)\})", "e-0$1"},
             {R"(\\ddot\{q_\{([\d,]+)\}\})", "qdd$1"},
             {R"(\\dot\{q_\{([\d,]+)\}\})", "qd$1"},
             {R"(\\(cos|sin)\\(alpha|theta)_\{(\d+)\})", "$1($2$3)"},
             {R"(_\{([xyz]+),(\d+)\})", "$1$2"},
             {R"(_\{([\w,]+)\})", "$1"},
             {R"(\^\{\((\d+)\)\})", "($1)"},
             {R"(\^\{(\d+)\})", "^$1"},
             {R"( \\, )", " "}})
      out.emplace_back(std::regex(pattern), by);
    return out;
  }();
  for (const auto& [pattern, by] : rules) s = std::regex_replace(s, pattern, by);
  return s;
}

Description robot_of(const std::string& name) {
  return name == "planar3" ? *read_robot_text(testing::planar_arm(", theta_deg = 30"), "planar3.toml")
                           : *load_robot(name);
}

Equations equations_of(const SymbolicRobot& robot, const EquationOptions& options) {
  const auto result = equations(robot, options);
  REQUIRE(result);
  return *result;
}

std::map<std::string, std::string> lines(const Equations& e, NumberStyle style = {}) {
  std::map<std::string, std::string> out;
  for (const Definition& d : e.definitions) out[d.text()] = to_text(d.value, e.symbols, e.definitions, style);
  return out;
}

/// The coefficients by name, as numbers, from the recursions.
std::map<std::string, double> numbers_of(const Description& description, std::span<const double> q,
                                         std::span<const double> qd) {
  auto forms = *robot_forms(description);
  forms.set(q);
  const auto n = static_cast<std::size_t>(forms.model.nv);
  std::vector<double> D(n * n), c(n * n * n), G(n);
  CoefficientsWork<double> work(forms.model);
  coefficients_composite_body<double>(forms.model, forms.configuration, work, D, c, G);
  std::map<std::string, double> out;
  for (std::size_t i = 0; i < n; ++i) {
    const std::string I = std::to_string(i + 1);
    out["G" + I] = G[i];
    double h = 0;
    for (std::size_t j = 0; j < n; ++j) {
      out["D" + I + std::to_string(j + 1)] = D[i * n + j];
      for (std::size_t m = 0; m < n; ++m) {
        out["c" + std::to_string(j + 1) + std::to_string(m + 1) + "(" + I + ")"] = c[(i * n + j) * n + m];
        h += c[(i * n + j) * n + m] * qd[j] * qd[m];
      }
    }
    out["h" + I] = h;
  }
  return out;
}

}  // namespace

TEST_CASE("the two-link arm is printed as the textbook has it") {
  // Fu, Gonzalez & Lee, section 3.2.6
  const auto e = lines(equations_of(*symbolic_robot(robot_of("two_link")), {}));
  CHECK(e.at("D11") == "1/3 m1 l^2 + 4/3 m2 l^2 + m2 l^2 C2");
  CHECK(e.at("D12") == "1/3 m2 l^2 + 1/2 m2 l^2 C2");
  CHECK(e.at("D22") == "1/3 m2 l^2");
  CHECK(e.at("h1") == "-m2 l^2 S2 qd1 qd2 - 1/2 m2 l^2 S2 qd2^2");
  CHECK(e.at("h2") == "1/2 m2 l^2 S2 qd1^2");
  CHECK(e.at("G1") == "1/2 m1 g l C1 + m2 g l C1 + 1/2 m2 g l C12");
  CHECK(e.at("G2") == "1/2 m2 g l C12");
}

TEST_CASE("sums of angles of parallel axes are recombined") {
  const auto e = lines(equations_of(*symbolic_robot(robot_of("planar3")), {}));
  CHECK(e.at("G3") == "m3 g a3 C123 + m3 g x3 C123 - m3 g y3 S123");
}

TEST_CASE("longer sums have their common factors collected") {
  const auto e = lines(equations_of(*symbolic_robot(robot_of("planar3")), {}));
  CHECK(e.at("D33") == "m3 (a3 (a3 + 2 x3) + x3^2 + y3^2) + Izz3");
}

TEST_CASE("what is printed, read back, gives the numbers of the recursions") {
  for (const std::string name : {"two_link", "planar3", "stanford", "articulated3", "scara", "puma560", "sixr_angeles"})
    for (const EquationForm form : {EquationForm::automatic, EquationForm::expanded, EquationForm::named})
      for (const bool numeric : {false, true}) {
        if (numeric && form == EquationForm::named) continue;
        CAPTURE(name);
        CAPTURE(numeric);
        CAPTURE(static_cast<int>(form));
        const Description description = robot_of(name);
        const SymbolicRobot robot = *symbolic_robot(description);
        const Equations e = equations_of(robot, {.numeric = numeric, .form = form});
        testing::Random random(17);
        const int n = robot.forms.model.nv;
        const std::vector<double> q = random.numbers(n, 2), qd = random.numbers(n, 1);
        std::vector<double> values = robot.values(q, qd);
        e.symbols.fill_in_sums<double>(values);
        std::map<std::string, double> names;
        for (int v = 0; v < 2 * static_cast<int>(e.symbols.angles.size()); ++v)
          names[e.symbols.text(v)] = values[static_cast<std::size_t>(v)];
        for (std::size_t k = 0; k < e.symbols.parameters.size(); ++k)
          names[e.symbols.parameters[k].text()] = values[Monomial::first_parameter + k];

        const auto expected = numbers_of(description, q, qd);
        double size = 0;
        for (const auto& [key, value] : expected) size = std::max(size, std::abs(value));
        for (const Definition& d : e.definitions) {
          const std::string text = to_text(d.value, e.symbols, e.definitions, {numeric ? 17 : 0});
          const std::string latex = to_latex(d.value, e.symbols, e.definitions, {numeric ? 17 : 0});
          CAPTURE(text);
          CHECK(from_latex(latex) == text);
          names[d.text()] = Reader(text, names).value();
          if (expected.contains(d.text()))
            CHECK(std::abs(names[d.text()] - expected.at(d.text())) <= (e.rounded ? 1e-10 : 1e-12) * size);
        }
      }
}

TEST_CASE("every form of the equations is the same polynomial") {
  for (const std::string name : {"planar3", "stanford", "puma560"})
    for (const EquationForm form : {EquationForm::expanded, EquationForm::named}) {
      CAPTURE(name);
      const SymbolicRobot robot = *symbolic_robot(robot_of(name));
      const SymbolicDynamics exact = *symbolic_dynamics(robot);
      const Equations e = equations_of(robot, {.form = form});
      std::vector<Poly> variables, names;
      for (int v = 0; v < Monomial::variables; ++v) variables.push_back(Poly::variable(v));
      e.symbols.fill_in_sums<Poly>(variables);
      for (const Definition& d : e.definitions)
        names.push_back(evaluate<Poly>(d.value, variables, names, [](const Fraction& f) { return Poly(f); }));
      int compared = 0;
      const std::vector<Poly> h = velocity_torques(exact, robot.qd);
      for (const EquationLine& line : e.lines) {
        const Definition& d = e.definitions[static_cast<std::size_t>(line.definition)];
        const auto digit = [&](std::size_t k) { return d.index[k] - '1'; };
        const Poly& p = names[static_cast<std::size_t>(line.definition)];
        if (line.part == EquationPart::subexpression) continue;
        ++compared;
        if (line.part == EquationPart::inertia) CHECK(p == exact.d(digit(0), digit(1)));
        if (line.part == EquationPart::christoffel)
          CHECK(p == exact.christoffel(d.argument[0] - '1', digit(0), digit(1)));
        if (line.part == EquationPart::velocity) CHECK(p == h[static_cast<std::size_t>(digit(0))]);
        if (line.part == EquationPart::gravity) CHECK(p == exact.G[static_cast<std::size_t>(digit(0))]);
      }
      CHECK(compared >= 12);
    }
}

TEST_CASE("the mass matrix of a PUMA by named subexpressions takes few operations") {
  const SymbolicRobot puma =
      *symbolic_robot(robot_of("puma560"), {.general_inertias = true, .first_moments = true, .rates = false});
  const Equations e = equations_of(puma, {.parts = {true, false, false}, .form = EquationForm::named});
  CHECK(e.cost.multiplications <= 221);
  CHECK(e.cost.additions <= 174);
}

TEST_CASE("named coefficients have no letter of a joint that they do not depend on") {
  const SymbolicRobot puma = *symbolic_robot(robot_of("puma560"));
  const Equations e = equations_of(puma, {.form = EquationForm::named});
  // the variables behind each definition, those of the names it refers to included
  std::vector<std::set<int>> behind;
  const auto visit = [&](const auto& self, const Expression& x, std::set<int>& found) -> void {
    if (x.kind == Expression::Kind::variable) found.insert(x.index);
    if (x.kind == Expression::Kind::name) {
      const std::set<int>& named = behind[static_cast<std::size_t>(x.index)];
      found.insert(named.begin(), named.end());
    }
    for (const Expression& part : x.parts) self(self, part, found);
  };
  for (const Definition& d : e.definitions) {
    std::set<int> found;
    visit(visit, d.value, found);
    behind.push_back(std::move(found));
  }
  int coefficients = 0;
  for (const EquationLine& line : e.lines) {
    if (line.part != EquationPart::christoffel && line.part != EquationPart::inertia) continue;
    const Definition& d = e.definitions[static_cast<std::size_t>(line.definition)];
    CAPTURE(d.text());
    // only joints beyond the innermost one of its indices move it
    const int innermost = std::ranges::min(d.index + d.argument) - '1';
    for (int joint = 0; joint <= innermost; ++joint)
      for (const int v : {2 * joint, 2 * joint + 1})
        CHECK_FALSE(behind[static_cast<std::size_t>(line.definition)].contains(v));
    ++coefficients;
  }
  CHECK(coefficients > 80);
}

TEST_CASE("inertias, velocity coefficients and gravity share their names") {
  const SymbolicRobot puma = *symbolic_robot(robot_of("puma560"));
  const auto cost = [&](const SymbolicParts& parts) {
    return equations_of(puma, {.parts = parts, .form = EquationForm::named}).cost.multiplications;
  };
  const int D = cost({true, false, false}), c = cost({false, true, false}), G = cost({false, false, true});
  const Equations all = equations_of(puma, {.form = EquationForm::named});
  CHECK(all.cost.multiplications < D + c + G - 50);
  std::set<std::string> names;
  for (const Definition& d : all.definitions) CHECK(names.insert(d.text()).second);
}

TEST_CASE("equations that are far too long are written with names and not multiplied out") {
  const SymbolicRobot arm = *symbolic_robot(general_arm(8, Convention::standard_dh));
  const Equations e = equations_of(arm, {});
  CHECK_FALSE(e.limit.empty());
  CHECK(lines(e).contains("D18"));
  // nothing of a general arm is zero but what (36) to (39) say: c_kk(k), c_ak(k)
  for (const EquationLine& line : e.lines)
    if (line.part == EquationPart::inertia)
      CHECK(e.definitions[static_cast<std::size_t>(line.definition)].value.kind != Expression::Kind::number);
  const auto count = std::ranges::count(e.lines, EquationPart::christoffel, &EquationLine::part);
  CHECK(count == 8 * 8 * 9 / 2 - 8 * 9 / 2);

  // what they say is right, at a random position
  testing::Random random(23);
  const std::vector<double> q = random.numbers(8, 2), qd = random.numbers(8, 1);
  std::vector<double> values = arm.values(q, qd), names;
  e.symbols.fill_in_sums<double>(values);
  for (const Definition& d : e.definitions) names.push_back(evaluate<double>(d.value, values, names, to_double));
  const auto expected = numbers_of(general_arm(8, Convention::standard_dh), q, qd);
  double size = 0;
  for (const auto& [key, value] : expected) size = std::max(size, std::abs(value));
  std::size_t compared = 0;
  for (std::size_t k = 0; k < e.definitions.size(); ++k) {
    const std::string name = e.definitions[k].text();
    CAPTURE(name);
    if (!expected.contains(name)) continue;
    ++compared;
    CHECK(std::abs(names[k] - expected.at(name)) <= 1e-11 * size);
  }
  CHECK(compared >= static_cast<std::size_t>(count));  // the Christoffel symbols at least
}

TEST_CASE("what is zero whatever the letters are is found at random points") {
  const SymbolicRobot puma = *symbolic_robot(robot_of("puma560"));
  const SymbolicDynamics e = *symbolic_dynamics(puma);
  const SymbolicZeros zeros = symbolic_zeros(puma);
  for (std::size_t k = 0; k < e.D.size(); ++k) CHECK((zeros.D[k] != 0) == e.D[k].is_zero());
  for (std::size_t k = 0; k < e.c.size(); ++k) CHECK((zeros.c[k] != 0) == e.c[k].is_zero());
  for (std::size_t k = 0; k < e.G.size(); ++k) CHECK((zeros.G[k] != 0) == e.G[k].is_zero());
}

TEST_CASE("a limit below that of short efforts names subexpressions, and loses no line") {
  const auto e = lines(equations_of(*symbolic_robot(robot_of("two_link")), {.longest = 1}));
  CHECK(e.contains("D22"));
  CHECK(e.contains("t1"));
  CHECK(e.at("h2") == "1/2 m2 l^2 S2 qd1^2");
  CHECK(e.contains("G2"));
}

TEST_CASE("one joint's equation has its row of D, its velocity efforts and its gravity") {
  const auto e = lines(equations_of(*symbolic_robot(robot_of("two_link")), {.joint = 1}));
  CHECK(e.contains("D12"));
  CHECK(e.contains("D22"));
  CHECK(e.contains("h2"));
  CHECK(e.contains("G2"));
  CHECK_FALSE(e.contains("D11"));
  CHECK_FALSE(e.contains("h1"));
}

TEST_CASE("one joint's equation names no subexpression that it does not use") {
  const Equations e = equations_of(*symbolic_robot(robot_of("puma560")), {.joint = 4, .form = EquationForm::named});
  std::vector<bool> used(e.definitions.size(), false);
  const auto visit = [&](const auto& self, const Expression& x) -> void {
    if (x.kind == Expression::Kind::name) used[static_cast<std::size_t>(x.index)] = true;
    for (const Expression& part : x.parts) self(self, part);
  };
  for (const Definition& d : e.definitions) visit(visit, d.value);
  REQUIRE(std::ranges::count(e.lines, EquationPart::subexpression, &EquationLine::part) > 0);
  for (const EquationLine& line : e.lines)
    if (line.part == EquationPart::subexpression) CHECK(used[static_cast<std::size_t>(line.definition)]);
}

TEST_CASE("numbers are exact where they fit, so that equal moments cancel") {
  bool rounded = false;
  const SymbolicRobot robot = *symbolic_robot(robot_of("puma560"));
  const SymbolicDynamics e = *symbolic_dynamics(robot);
  // Ixx6 = Iyy6: the angle of the last joint does not enter
  for (const Poly& d : e.D) CHECK_FALSE(with_numbers(d, robot, rounded).depends_on(2 * 5));
  CHECK_FALSE(rounded);
}

TEST_CASE("named subexpressions have no difference of a thing and itself") {
  const auto robot = symbolic_robot(*load_robot("stanford"));
  const auto e = equations(*robot);
  REQUIRE(e);
  const std::regex cancelled(R"(\b(t\d+) - \1(?![\d^ ]))");
  for (const Definition& d : e->definitions) {
    const std::string text = to_text(d.value, e->symbols, e->definitions);
    CAPTURE(text);
    CHECK_FALSE(std::regex_search(text, cancelled));
  }
}

TEST_CASE("a name stands once in a sum") {
  const Expression t = Expression::named(3), u = Expression::named(4);
  CHECK(Expression::sum({Expression::negative(t), Expression::negative(t)}) ==
        Expression::product({Expression::of({-2, 1}), t}));
  CHECK(Expression::sum({t, u, Expression::negative(t)}) == u);
  CHECK(Expression::sum({t, Expression::negative(t)}) == Expression::of({}));
}

TEST_CASE("long formulas of LaTeX are broken before signs, and nothing is lost") {
  const std::string product = "m_{3} \\, g \\, a_{3} \\, C_{123}";  // about 47 points
  std::string formula = "-" + product;
  for (int k = 0; k < 20; ++k) formula += (k % 2 == 0 ? " + " : " - ") + product;
  const std::vector<std::string> broken = latex_lines(formula);
  CHECK(broken.size() >= 4);
  CHECK(broken.size() <= 7);
  std::string joined;
  for (const std::string& line : broken) {
    CAPTURE(line);
    CHECK((&line == &broken.front() || line.starts_with("+ ") || line.starts_with("- ")));
    // what is set, without the commands, braces and blanks
    CHECK(std::regex_replace(line, std::regex(R"(\\,|[ _{}])"), "").size() <= 45);
    joined += (joined.empty() ? "" : " ") + line;
  }
  CHECK(joined == formula);

  // an exponent below zero is no place for it, and a short formula stays as it is
  CHECK(latex_lines("2 \\cdot 10^{-5}", 1).size() == 1);
  CHECK(latex_lines("a + b") == std::vector<std::string>{"a + b"});
  CHECK(latex_lines("a + b", 1) == std::vector<std::string>{"a", "+ b"});

  // every line of a PUMA, whatever its parentheses
  const Equations e = equations_of(*symbolic_robot(robot_of("puma560")), {});
  for (const Definition& d : e.definitions) {
    const std::string whole = to_latex(d.value, e.symbols, e.definitions);
    std::string again;
    for (const std::string& line : latex_lines(whole)) again += (again.empty() ? "" : " ") + line;
    CHECK(again == whole);
  }
}

TEST_CASE("equations of a description are those of the robot with letters that it is made into") {
  const auto description = load_robot("two_link");
  REQUIRE(description);
  for (const bool first_moments : {false, true}) {
    const SymbolicOptions letters{.first_moments = first_moments};
    const auto robot = symbolic_robot(*description, letters);
    REQUIRE(robot);
    const EquationOptions options{.numeric = !first_moments};
    const auto stepwise = equations(*robot, options), at_once = equations(*description, letters, options);
    REQUIRE(stepwise);
    REQUIRE(at_once);
    REQUIRE(at_once->definitions.size() == stepwise->definitions.size());
    CHECK(at_once->definitions.size() > 3);
    for (std::size_t k = 0; k < at_once->definitions.size(); ++k)
      CHECK(to_text(at_once->definitions[k].value, at_once->symbols, at_once->definitions) ==
            to_text(stepwise->definitions[k].value, stepwise->symbols, stepwise->definitions));
  }
  Description tree = *description;
  tree.links.clear();
  CHECK_FALSE(equations(tree, {}));
}

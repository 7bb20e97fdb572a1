#include "torsor/symbolic/symbols.hpp"

#include <cmath>

#include "torsor/scalar/poly.hpp"

namespace torsor {
namespace {

std::string with_index(const std::string& letter, const std::string& index) {
  return index.empty() ? letter : letter + "_{" + index + "}";
}

}  // namespace

std::string Symbol::latex() const {
  // rates have dots, and letters of several parts a common stem: Ixx1 is I with the index xx,1
  if (kind == SymbolKind::velocity) return "\\dot{" + with_index("q", index) + "}";
  if (kind == SymbolKind::acceleration) return "\\ddot{" + with_index("q", index) + "}";
  if (letter.size() < 2) return with_index(letter, index);
  return with_index(letter.substr(0, 1), letter.substr(1) + (index.empty() ? "" : "," + index));
}

std::string AngleSymbol::text(bool sine) const {
  return letter.empty() ? (sine ? "S" : "C") + index : (sine ? "sin(" : "cos(") + letter + index + ")";
}

std::string AngleSymbol::latex(bool sine) const {
  return letter.empty() ? with_index(sine ? "S" : "C", index)
                        : (sine ? "\\sin\\" : "\\cos\\") + with_index(letter, index);
}

Poly Symbols::add(Symbol symbol) {
  const int k = static_cast<int>(parameters.size());
  if (k >= Monomial::parameters)
    throw PolyOverflow("the robot has more than " + std::to_string(k) + " parameters");
  parameters.push_back(std::move(symbol));
  return Poly::parameter(k);
}

int Symbols::add(AngleSymbol angle) {
  const int k = static_cast<int>(angles.size());
  if (k >= Monomial::angles) throw PolyOverflow("the robot has more than " + std::to_string(k) + " angles");
  angles.push_back(std::move(angle));
  return k;
}

SymbolKind Symbols::kind(int variable) const {
  return variable < Monomial::first_parameter
             ? SymbolKind::angle
             : parameters[static_cast<std::size_t>(variable - Monomial::first_parameter)].kind;
}

std::string Symbols::text(int variable) const {
  if (variable < Monomial::first_parameter)
    return angles[static_cast<std::size_t>(variable / 2)].text(variable % 2 != 0);
  return parameters[static_cast<std::size_t>(variable - Monomial::first_parameter)].text();
}

std::string Symbols::latex(int variable) const {
  if (variable < Monomial::first_parameter)
    return angles[static_cast<std::size_t>(variable / 2)].latex(variable % 2 != 0);
  return parameters[static_cast<std::size_t>(variable - Monomial::first_parameter)].latex();
}

std::vector<double> Symbols::values() const {
  std::vector<double> values(Monomial::variables, 0.0);
  for (std::size_t k = 0; k < angles.size(); ++k) {
    values[2 * k] = std::cos(angles[k].value);
    values[2 * k + 1] = std::sin(angles[k].value);
  }
  for (std::size_t k = 0; k < parameters.size(); ++k) values[Monomial::first_parameter + k] = parameters[k].value;
  return values;
}

}  // namespace torsor

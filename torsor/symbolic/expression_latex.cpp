// Expressions for a LaTeX formula: fractions with a bar, thin spaces between factors; and long formulas in lines.
#include <cctype>

#include "torsor/symbolic/expression_printer.hpp"

namespace torsor {

std::string to_latex(const Expression& e, const Symbols& symbols, std::span<const Definition> definitions,
                     NumberStyle style) {
  static constexpr Dialect dialect{"(", ")", " \\, ", "^{", "}", true};
  return ExpressionPrinter(dialect, symbols, definitions, style).print(e);
}

namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// How wide a character is set in 10 pt, generously; raised and lowered ones are smaller.
double width_of(char letter, bool small) {
  const auto c = static_cast<unsigned char>(letter);
  if (letter == ' ' || letter == '{' || letter == '}' || letter == '_' || letter == '^') return 0;
  if (letter == '+' || letter == '-') return 13;
  if (std::isdigit(c) != 0) return small ? 4 : 5.1;
  if (std::ispunct(c) != 0) return small ? 2.5 : 4;
  return (letter == 'm' ? 9 : std::isupper(c) != 0 ? 8 : 6) * (small ? 0.75 : 1);
}

/// And a command, by its name.
double width_of(const std::string& command, bool small) {
  if (command == ",") return 1.7;
  if (command == "dot" || command == "ddot" || command == "mathrm") return 0;
  if (command == "sin" || command == "cos") return 16;
  return small ? 5 : 8;  // a Greek letter, a dot between factors, the sides of a bar
}

}  // namespace

std::vector<std::string> latex_lines(const std::string& formula, double points) {
  std::vector<std::string> lines;
  std::size_t start = 0, last_sign = 0;  // of the line, and where it may end
  double width = 0, width_at_sign = 0;
  int depth = 0, small_from = 0;  // braces, and the one from which on letters are small
  for (std::size_t k = 0; k < formula.size(); ++k) {
    const char letter = formula[k];
    const bool sign = depth == 0 && k > 0 && (letter == '+' || letter == '-') && formula[k - 1] == ' ';
    if (sign) {
      last_sign = k;
      width_at_sign = width;
    }
    if (letter == '\\') {
      std::string command(1, formula[++k]);
      while (is_letter(command[0]) && k + 1 < formula.size() && is_letter(formula[k + 1])) command += formula[++k];
      width += width_of(command, small_from > 0);
      continue;
    }
    width += width_of(letter, small_from > 0);
    if (letter == '{') {
      ++depth;
      if (small_from == 0 && k > 0 && (formula[k - 1] == '_' || formula[k - 1] == '^')) small_from = depth;
    }
    if (letter == '}' && depth-- == small_from) small_from = 0;
    if (width <= points || last_sign == start) continue;
    lines.push_back(formula.substr(start, last_sign - 1 - start));
    start = last_sign;
    width -= width_at_sign;
  }
  lines.push_back(formula.substr(start));
  return lines;
}

}  // namespace torsor

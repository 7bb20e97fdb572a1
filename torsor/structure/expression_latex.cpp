// Expressions for a LaTeX formula: fractions with a bar, thin spaces between factors.
#include "torsor/structure/expression_printer.hpp"

namespace torsor {

std::string to_latex(const Expression& e, const Symbols& symbols, std::span<const Definition> definitions,
                     NumberStyle style) {
  static constexpr Dialect dialect{"(", ")", " \\, ", "^{", "}", true};
  return ExpressionPrinter(dialect, symbols, definitions, style).print(e);
}

}  // namespace torsor

// Expressions as plain text that can be read back: factors apart by blanks, powers by ^.
#include "torsor/symbolic/expression_printer.hpp"

namespace torsor {

std::string to_text(const Expression& e, const Symbols& symbols, std::span<const Definition> definitions,
                    NumberStyle style) {
  static constexpr Dialect dialect{"(", ")", " ", "^", "", false};
  return ExpressionPrinter(dialect, symbols, definitions, style).print(e);
}

}  // namespace torsor

// The walk over an expression that every printer makes; a dialect says how things look. In a normalised expression the
// one number of a product stands first, and its sign becomes the + or - of the sum around it.
#pragma once

#include "torsor/symbolic/expression.hpp"

namespace torsor {

struct Dialect {
  const char *open, *close;              // around a sum that is a factor
  const char* between;                   // factors
  const char *power_open, *power_close;  // around an exponent
  bool latex;
};

class ExpressionPrinter {
 public:
  ExpressionPrinter(const Dialect& dialect, const Symbols& symbols, std::span<const Definition> definitions,
                    NumberStyle style)
      : dialect_(dialect), symbols_(symbols), definitions_(definitions), style_(style) {}

  std::string print(const Expression& e) const {
    if (e.kind != Kind::sum) return (negative(e) ? "-" : "") + unsigned_text(e);
    if (e.parts.empty()) return "0";
    std::string text;
    for (const Expression& part : e.parts) {
      text += text.empty() ? (negative(part) ? "-" : "") : negative(part) ? " - " : " + ";
      text += unsigned_text(part);
    }
    return text;
  }

 private:
  using Kind = Expression::Kind;

  static bool negative(const Expression& e) {
    if (e.kind == Kind::number) return e.number.numerator < 0;
    return e.kind == Kind::product && !e.parts.empty() && negative(e.parts.front());
  }

  std::string factor(const Expression& e) const {
    return e.kind == Kind::sum ? dialect_.open + print(e) + dialect_.close : unsigned_text(e);
  }

  std::string unsigned_text(const Expression& e) const {
    switch (e.kind) {
      case Kind::number:
        return number_text({std::llabs(e.number.numerator), e.number.denominator}, style_, dialect_.latex);
      case Kind::variable: return dialect_.latex ? symbols_.latex(e.index) : symbols_.text(e.index);
      case Kind::name: {
        const Definition& definition = definitions_[static_cast<std::size_t>(e.index)];
        return dialect_.latex ? definition.latex() : definition.text();
      }
      case Kind::power: return power(e);
      case Kind::sum: return factor(e);
      case Kind::product: break;
    }
    std::string text;
    for (const Expression& part : e.parts) {
      // a one is not written
      const bool one = part.kind == Kind::number && std::llabs(part.number.numerator) == part.number.denominator;
      if (!one) text += (text.empty() ? "" : dialect_.between) + factor(part);
    }
    return text;
  }

  std::string power(const Expression& e) const {
    std::string base = factor(e.parts.front());
    // a letter that has an exponent-like mark of its own
    if (dialect_.latex && base.find('^') != std::string::npos && e.parts.front().kind != Kind::sum)
      base = "{" + base + "}";
    return base + dialect_.power_open + std::to_string(e.exponent) + dialect_.power_close;
  }

  const Dialect& dialect_;
  const Symbols& symbols_;
  std::span<const Definition> definitions_;
  NumberStyle style_;
};

}  // namespace torsor

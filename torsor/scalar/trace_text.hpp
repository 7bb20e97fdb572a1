// Nodes of a tape as text: what every language of formulas writes alike.
#pragma once

#include <string>

#include "torsor/scalar/trace.hpp"

namespace torsor {

/// A sum, difference, product, quotient or negation of terms, `term` giving the text of a node; empty for other operations.
template <class Term>
std::string arithmetic_text(const Node& node, const Term& term) {
  switch (node.operation) {
    case Operation::add: return term(node.a) + " + " + term(node.b);
    case Operation::sub: return term(node.a) + " - " + term(node.b);
    case Operation::mul: return term(node.a) + "*" + term(node.b);
    case Operation::div: return term(node.a) + "/" + term(node.b);
    case Operation::neg: return "-" + term(node.a);
    default: return {};
  }
}

}  // namespace torsor

// Symbols: what the variables of a Poly are called, and the numbers they stand for.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "torsor/scalar/concepts.hpp"

namespace torsor {

class Poly;

/// What a letter is, in the order in which the factors of a product are written.
enum class SymbolKind { mass, inertia, gravity, length, displacement, angle, velocity, acceleration };

/// A parameter: `m2`, `Ixx1`, `a2`, `qd1`. Its name is a letter with an index, which LaTeX sets as such.
struct Symbol {
  SymbolKind kind = SymbolKind::mass;
  std::string letter, index;
  double value = 0;  // in the robot's file; of no meaning for what varies

  std::string text() const { return letter + index; }
  std::string latex() const;
};

/// An angle, known by its cosine and sine. A joint's is named by its number alone, C2 and S2; a sum of them by all
/// numbers, C23; a constant one by a letter of its own, cos(alpha2).
struct AngleSymbol {
  std::string letter, index;  // no letter for joint angles
  double value = 0;           // of a constant one, rad
  std::vector<int> sum_of;    // the angles it is the sum of; empty where it is no sum

  std::string text(bool sine) const;
  std::string latex(bool sine) const;
};

struct Symbols {
  std::vector<AngleSymbol> angles;
  std::vector<Symbol> parameters;

  /// A new variable; PolyOverflow where there is no room for it.
  Poly add(Symbol symbol);
  /// A new angle, by its index.
  int add(AngleSymbol angle);

  /// Where a factor stands in a product, of a variable that is in use.
  SymbolKind kind(int variable) const;
  std::string text(int variable) const;
  std::string latex(int variable) const;

  /// A value for every variable of Monomial: that of the file; zero where there is none.
  std::vector<double> values() const;

  /// Cosines and sines of the sums of angles, where those of the angles are known.
  template <Ring T>
  void fill_in_sums(std::span<T> values) const {
    for (std::size_t k = 0; k < angles.size(); ++k) {
      if (angles[k].sum_of.empty()) continue;
      T c(1), s(0);
      for (const int angle : angles[k].sum_of) {
        const std::size_t at = 2 * static_cast<std::size_t>(angle);
        const T &next_c = values[at], &next_s = values[at + 1];
        const T turned = c * next_c - s * next_s;
        s = s * next_c + c * next_s;
        c = turned;
      }
      values[2 * k] = c;
      values[2 * k + 1] = s;
    }
  }
};

}  // namespace torsor

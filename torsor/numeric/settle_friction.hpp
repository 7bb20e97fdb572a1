// Which of several things at rest their dry friction holds, and which way the others start: a complementarity problem with a
// positive definite matrix, so that there is one answer; one change at a time, always at the first that is wrong, reaches it.
// K.G. Murty, Linear Complementarity, Linear and Nonlinear Programming, 1988, sec. 4.1.
#pragma once

#include <array>

namespace torsor {

/// One of them, as it is in the present modes.
struct FrictionAtRest {
  bool at_rest = false;
  double hold = 0;                   // what friction must give where it sticks,
  std::array<double, 2> most{0, 0};  // and can give at most, against a push forwards, backwards
  double acceleration = 0;           // where it slides
  bool held_anyway = false;          // it sticks where no friction could hold it: it goes as it must
};

/// modes(i), a reference: 1, -1 the way it slides, 0 it sticks; those at rest, which is to be known before, stick first. evaluate()
/// finds out what the modes mean, look(i) tells.
template <class Modes, class Evaluate, class Look>
void settle_friction(int n, const Modes& modes, const Evaluate& evaluate, const Look& look) {
  constexpr double slack = 5e-13;  // of what friction holds, what is taken for rounding
  for (int i = 0; i < n; ++i)
    if (look(i).at_rest) modes(i) = 0;
  for (int tries = 16 * (n + 1) * (n + 1); tries-- > 0;) {
    evaluate();
    int wrong = -1, better = 0;
    for (int i = 0; i < n && wrong < 0; ++i) {
      const FrictionAtRest at = look(i);
      if (!at.at_rest) continue;
      const double rounding = slack * (at.most[0] + at.most[1]);
      if (modes(i) == 0 && at.held_anyway)
        wrong = i, better = at.acceleration > 0 ? 1 : -1;
      else if (modes(i) == 0 && at.hold > at.most[0] + rounding)
        wrong = i, better = 1;
      else if (modes(i) == 0 && at.hold < -at.most[1] - rounding)
        wrong = i, better = -1;
      else if (modes(i) * at.acceleration < 0 && !at.held_anyway)
        wrong = i, better = 0;
    }
    if (wrong < 0) return;
    modes(wrong) = better;
  }
}

}  // namespace torsor

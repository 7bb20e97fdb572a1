// What happens between the steps of a run under forces.
#pragma once

#include <string>

namespace torsor {

enum class MechanismEventKind { touches_lower, touches_upper, leaves, sticks, slides_forwards, slides_backwards };

struct MechanismEvent {
  double t = 0;
  MechanismEventKind kind = MechanismEventKind::leaves;
  std::string of;  // `stop "end of the guide"`
};

inline const char* status_name(MechanismEventKind kind) {
  constexpr const char* words[] = {"touches lower end", "touches upper end", "leaves", "sticks",
                                   "moves forwards",    "moves backwards"};
  return words[static_cast<int>(kind)];
}

}  // namespace torsor

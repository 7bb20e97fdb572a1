// What the author of a robot can do about loops that do not close, in the words of the file's format: only robot files
// (TOML) have `start`; the other formats begin where they draw the bodies.
#pragma once

#include <string>
#include <string_view>

namespace torsor {

struct ClosingAdvice {
  std::string open;          // the loop does not close
  std::string rounded;       // it does, but for what rounded numbers leave
  std::string flipped;       // its axes point against each other
  std::string singular;      // it closes where it has more ways to move than next to it
  std::string partial;       // a joint of several degrees of freedom is half determined
  std::string transmission;  // motors of several joints drive one that the loops determine
};

/// By the name of the file; where that does not tell, for robot files, with what the others have instead.
ClosingAdvice closing_advice(std::string_view file);

}  // namespace torsor

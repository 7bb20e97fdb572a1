// Numbers with the word they count, as sentences need them.
#pragma once

#include <string>
#include <string_view>

namespace torsor {

/// `1 body`, `0 bodies`, `3 bodies`.
inline std::string how_many(long long n, std::string_view one, std::string_view more) {
  return std::to_string(n).append(" ").append(n == 1 ? one : more);
}

/// `1 row`, `3 rows`.
inline std::string how_many(long long n, std::string_view one) { return how_many(n, one, std::string(one) + "s"); }

}  // namespace torsor

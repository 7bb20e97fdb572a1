// How many allocations there were so far, in a program one of whose files includes count_allocations.hpp.
#pragma once

#include <atomic>

namespace torsor::testing {
inline std::atomic<long> allocations = 0;  // threads allocate, too
}

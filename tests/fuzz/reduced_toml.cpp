// Fuzz target: any bytes as the file of a reduced model. Either a model that gives torques and is written and read again,
// or faults; never a crash, a hang or a leak.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "torsor/files/reduced_toml.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto model = torsor::read_reduced_toml({reinterpret_cast<const char*>(data), size}, "fuzz.toml");
  if (!model) return 0;
  torsor::ReducedDynamics<double> dynamics(*model);
  std::vector<double> q(model->joints.size(), 0.3), tau(q.size());
  dynamics.inverse(q, q, q, tau);
  if (!torsor::read_reduced_toml(torsor::write_reduced_toml(*model), "again.toml")) std::abort();
  return 0;
}

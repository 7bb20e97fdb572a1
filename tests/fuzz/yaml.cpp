// Fuzz target: any bytes as the YAML that load_yaml reads. Either a value, which prints, or an error.
#include <cstddef>
#include <cstdint>

#include "torsor/files/yaml_subset.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto value =
        torsor::detail::read_yaml({reinterpret_cast<const char*>(data), size}, [](const std::string&) { return 1.0; });
    (void)torsor::detail::to_repr(value);
  } catch (const torsor::detail::XacroError&) {
  }
  return 0;
}

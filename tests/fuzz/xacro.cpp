// Fuzz target: any bytes as a xacro, without files around it. Either an expansion, or faults; never a crash, a hang or a leak.
#include <cstddef>
#include <cstdint>

#include "torsor/files/xacro.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const torsor::LoadOptions options{
      .arguments = {{"given", "1"}}, .packages = {}, .package_folders = {}, .environment = {{"HOME", "/"}}};
  (void)torsor::expand_xacro(std::string_view(reinterpret_cast<const char*>(data), size), "text", options);
  return 0;
}

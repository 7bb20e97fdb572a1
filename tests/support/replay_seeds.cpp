// replay_seeds NAME FILE...: one fuzz target over files, each whole and cut short at every sixteenth of its length. It
// stands in for libFuzzer where there is none, so that the targets are compiled and run with every test.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#define TARGET(name) extern "C" int fuzz_##name(const std::uint8_t* data, std::size_t size);
TORSOR_FUZZ_TARGETS
#undef TARGET

int main(int count, char** arguments) {
  using Target = int (*)(const std::uint8_t*, std::size_t);
  constexpr struct {
    std::string_view name;
    Target run;
  } targets[] = {
#define TARGET(name) {#name, fuzz_##name},
      TORSOR_FUZZ_TARGETS
#undef TARGET
  };
  for (const auto& [name, run] : targets) {
    if (count < 3 || name != arguments[1]) continue;
    for (int k = 2; k < count; ++k) {
      std::ifstream file(arguments[k], std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      for (std::size_t part = 1; part <= 16; ++part)
        run(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size() * part / 16);
    }
    return 0;
  }
  std::fprintf(stderr, "replay_seeds NAME FILE...: no such target, or no file\n");
  return 2;
}

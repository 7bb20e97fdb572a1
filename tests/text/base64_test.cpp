#include "torsor/text/base64.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/page_data.hpp"

using namespace torsor;

TEST_CASE("base64 is that of RFC 4648, section 10") {
  const auto of = [](std::string_view text) {
    return base64({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
  };
  CHECK(of("") == "");
  CHECK(of("f") == "Zg==");
  CHECK(of("fo") == "Zm8=");
  CHECK(of("foo") == "Zm9v");
  CHECK(of("foob") == "Zm9vYg==");
  CHECK(of("fooba") == "Zm9vYmE=");
  CHECK(of("foobar") == "Zm9vYmFy");
  CHECK(base64(std::vector<unsigned char>{0xfb, 0xff, 0xbf}) == "+/+/");
}

TEST_CASE("numbers come back from base64 bit for bit, float32 as rounded") {
  const std::vector<double> numbers{0, -0.0, 1.0 / 3, 1e308, -5e-324, std::numeric_limits<double>::infinity()};
  const std::vector<double> back = pages::base64_numbers<double>(base64_of<double>(numbers));
  REQUIRE(back.size() == numbers.size());
  for (std::size_t k = 0; k < back.size(); ++k) {
    CHECK(back[k] == numbers[k]);
    CHECK(std::signbit(back[k]) == std::signbit(numbers[k]));
  }
  CHECK(pages::base64_numbers<float>(base64_of<float>(std::vector{0.1}))[0] == static_cast<double>(0.1F));
  CHECK(std::isnan(pages::base64_numbers<double>(base64_of<double>(std::vector{std::nan("")}))[0]));
  CHECK(base64_of<double>(std::vector{1.0}) == "AAAAAAAA8D8=");  // 3f f0 00 .. from its low end
}

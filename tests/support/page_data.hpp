// The data of a report page, read back without the library: columns and poses decoded from base64, and put where the
// series name them.
#pragma once

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace pages {

/// The bytes of a base64 text; throws where it is none.
inline std::string base64_bytes(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  if (text.size() % 4 != 0) throw std::runtime_error("base64 of a wrong length");
  for (std::size_t i = 0; i < text.size(); i += 4) {
    unsigned bits = 0;
    int count = 3;
    for (std::size_t k = 0; k < 4; ++k) {
      const char c = text[i + k];
      if (c == '=') --count;
      const std::size_t at = letters.find(c);
      if (c != '=' && at == std::string::npos) throw std::runtime_error("no letter of base64");
      bits = bits << 6 | (c == '=' ? 0U : static_cast<unsigned>(at));
    }
    for (int k = 0; k < count; ++k) bytes += static_cast<char>(bits >> (16 - 8 * k) & 0xffU);
  }
  return bytes;
}

/// The numbers in it: float or double, little-endian as this machine is.
template <class Number>
std::vector<double> base64_numbers(const std::string& text) {
  const std::string bytes = base64_bytes(text);
  if (bytes.size() % sizeof(Number) != 0) throw std::runtime_error("no whole number of numbers");
  std::vector<double> numbers;
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(Number)) {
    Number x;
    std::memcpy(&x, bytes.data() + i, sizeof x);
    numbers.push_back(static_cast<double>(x));
  }
  return numbers;
}

/// The columns of a figure's series in their places; what is not finite is null.
inline void put_columns(nlohmann::json& figure, const nlohmann::json& columns) {
  if (figure.contains("panels"))
    for (nlohmann::json& panel : figure["panels"]) put_columns(panel, columns);
  if (!figure.contains("series")) return;
  for (nlohmann::json& series : figure["series"])
    for (const char* axis : {"x", "y"}) {
      nlohmann::json numbers = nlohmann::json::array();
      for (const double v : base64_numbers<double>(columns.at(series[axis].get<std::size_t>()).get<std::string>()))
        numbers.push_back(std::isfinite(v) ? nlohmann::json(v) : nlohmann::json());
      series[axis] = numbers;
    }
}

/// The data block of a page, its columns in their places.
inline nlohmann::json page_data(const std::string& page) {
  const std::string opening = "<script type='application/json' id='data'>";
  const std::size_t begin = page.find(opening);
  if (begin == std::string::npos) throw std::runtime_error("the page has no data");
  const std::size_t from = begin + opening.size();
  nlohmann::json data = nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
  for (nlohmann::json& entry : data["figures"]) put_columns(entry["figure"], data["columns"]);
  return data;
}

}  // namespace pages

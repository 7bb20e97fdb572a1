// Lists of numbers on the command line. An entry is a number, a formula without variable (pi/2, -2*pi/3, 1/3), or an angle
// with its unit (90deg).
#include <fmt/format.h>

#include <numbers>

#include "cli/options.hpp"
#include "torsor/text/number.hpp"
#include "torsor/files/time_expression.hpp"

namespace torsor {
namespace {

struct ListEntry {
  double value = 0;
  bool in_degrees = false, has_pi = false;
};

Result<ListEntry> parse_entry(std::string_view word, const std::string& offender) {
  for (const std::string_view unit : {"deg", "\u00b0"})
    if (const ParsedNumber number = parse_number(word.substr(0, word.size() - std::min(word.size(), unit.size())));
        word.ends_with(unit) && number)
      return ListEntry{number.value, true, false};
  const ParsedNumber number = parse_number(word);
  if (number) return ListEntry{number.value, false, false};
  const bool has_pi = word.find("pi") != std::string_view::npos;
  if (!has_pi && word.find_first_of("*/(") == std::string_view::npos)
    return number_error(number.fault, word, {}, offender);
  // pi is what the formula may vary with, and so the only name beside the functions
  const auto formula = read_time_expression(word, "pi");
  if (!formula) {
    Faults errors = formula.faults();
    for (Fault& error : errors) error.offender = fmt::format("{}, \"{}\"", offender, word);
    return errors;
  }
  const double value = (*formula)(std::numbers::pi).f;
  if (!std::isfinite(value))
    return Fault{
        {}, fmt::format("{}, \"{}\"", offender, word), "number", "is not finite", "write a formula that is a number"};
  return ListEntry{value, false, has_pi};
}

// where one of these characters comes first, outside of parentheses
std::size_t find_outside(std::string_view text, std::string_view wanted) {
  int depth = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (depth <= 0 && wanted.find(text[k]) != std::string_view::npos) return k;
    depth += (text[k] == '(') - (text[k] == ')');
  }
  return std::string_view::npos;
}

Result<std::vector<ListEntry>> parse_entries(std::string_view text, const std::string& offender) {
  constexpr std::string_view blanks = " \t\r\n";
  std::vector<ListEntry> entries;
  Faults errors;
  std::size_t count = 0;
  const auto take = [&](std::string_view word) {
    const auto entry = parse_entry(word, fmt::format("{}, entry {}", offender, ++count));
    if (entry)
      entries.push_back(*entry);
    else
      errors.insert(errors.end(), entry.faults().begin(), entry.faults().end());
  };
  // between two commas there is one entry, or several apart by blanks; an empty one is a slip
  for (bool more = true; more;) {
    const std::size_t comma = find_outside(text, ",");
    std::string_view piece = text.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
    std::size_t first = piece.find_first_not_of(blanks);
    if (first == std::string_view::npos) take("");
    while (first != std::string_view::npos) {
      std::size_t end = find_outside(piece.substr(first), blanks);
      if (end != std::string_view::npos) end += first;
      take(piece.substr(first, end - first));
      first = end == std::string_view::npos ? end : piece.find_first_not_of(blanks, end);
    }
  }
  if (!errors.empty()) return errors;
  return entries;
}

}  // namespace

Result<std::vector<double>> parse_angles(std::string_view text, const std::string& offender, bool degrees,
                                         const std::function<bool(std::size_t k, std::size_t count)>& is_angle) {
  const auto entries = parse_entries(text, offender);
  if (!entries) return entries.faults();
  std::vector<double> numbers;
  Faults errors;
  for (std::size_t k = 0; k < entries->size(); ++k) {
    const ListEntry& entry = (*entries)[k];
    const bool angle = is_angle(k, entries->size());
    const auto fault = [&](std::string what, std::string remedy) {
      errors.push_back(
          {{}, fmt::format("{}, entry {}", offender, k + 1), "number", std::move(what), std::move(remedy)});
    };
    if (entry.in_degrees && !angle) fault("is an angle, where none belongs", "write the bare number");
    if (entry.has_pi && angle && degrees) fault("has pi, beside --degrees", "write degrees, or leave out --degrees");
    numbers.push_back(entry.in_degrees && !degrees ? entry.value / 180 * std::numbers::pi : entry.value);
  }
  if (!errors.empty()) return errors;
  return numbers;
}

Result<std::vector<double>> parse_numbers(std::string_view text, const std::string& offender) {
  return parse_angles(text, offender, false, [](std::size_t, std::size_t) { return false; });
}

}  // namespace torsor

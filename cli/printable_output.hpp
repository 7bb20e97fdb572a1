// Standard output that cannot command the terminal: control characters of whatever a file or an argument holds, and bytes
// that are no text, come out by their codes (\x1b), except new lines and tabs. One place for all verbs, CSV and JSON included;
// arrays never go to standard output. Numbers hold no such characters: rows of them go past it.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace torsor {

class PrintableBuffer final : public std::streambuf {
 public:
  explicit PrintableBuffer(std::streambuf& to) : to_(to) {}

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

 private:
  bool put(std::string_view text);

  std::streambuf& to_;
  std::string begun_;  // a character of several bytes, of which the last are to come
};

/// From here on std::cout is such an output.
void make_standard_output_printable();

/// What std::cout writes to, past that: for rows of numbers whose column names are printable.
std::ostream& standard_output_of_numbers();

}  // namespace torsor

#include "torsor/text/csv_writer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "torsor/text/number.hpp"
#include "torsor/text/write_piece.hpp"

namespace torsor {
namespace {

constexpr std::size_t piece = std::size_t{1} << 16;

// quoted only where a reader would stumble otherwise
std::string csv_name(const std::string& name) {
  if (name.find_first_of(",;\t\"\r\n#") == std::string::npos && name.find_first_not_of(' ') == 0 && name.back() != ' ')
    return name;
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

}  // namespace

CsvWriter::CsvWriter(std::ostream& out, std::string file, std::vector<std::string> header)
    : out_(&out), file_(std::move(file)), header_(std::move(header)) {
  text_.reserve(2 * piece);
  for (const std::string& name : header_) {
    if (&name != &header_.front()) text_ += ',';
    text_ += csv_name(name);
  }
  text_ += '\n';
}

bool CsvWriter::row(std::span<const double> numbers, Gaps gaps) {
  TORSOR_EXPECT(numbers.size() == header_.size());
  ++line_;
  ++rows_;
  // room for the longest row, used as far as its numbers need it
  std::size_t used = text_.size();
  text_.resize(used + (number_room + 1) * numbers.size() + 1);
  char* to = text_.data() + used;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) *to++ = ',';
    to = put_number(to, numbers[i]);
    // the first such row is enough: what comes after it usually follows from it
    if (!std::isfinite(numbers[i]) && !(gaps == Gaps::no_value && std::isnan(numbers[i])) && faults_.empty())
      fault(line_, fmt::format("column \"{}\"", header_[i]), "csv-finite",
            fmt::format("the result is {}", print_number(numbers[i])), "check the input that leads to it");
  }
  *to++ = '\n';
  text_.resize(static_cast<std::size_t>(to - text_.data()));
  if (text_.size() >= piece) write();
  return faults_.empty();
}

bool CsvWriter::flush() {
  write();
  return faults_.empty();
}

bool CsvWriter::finish() { return flush(); }

void CsvWriter::write() {
  if (failed_) return text_.clear();
  auto error = write_piece(*out_, text_, file_, "csv-write");
  text_.clear();
  failed_ = error.has_value();
  if (!failed_) written_rows_ = rows_;
  if (error) faults_.push_back(*std::move(error));
}

void CsvWriter::fault(int line, std::string offender, std::string rule, std::string what, std::string remedy) {
  faults_.push_back({{file_, line}, std::move(offender), std::move(rule), std::move(what), std::move(remedy)});
}

}  // namespace torsor

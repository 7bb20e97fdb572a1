#include "torsor/text/npy_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "torsor/text/utf8.hpp"

namespace torsor {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t longest_text = std::size_t{1} << 20;
constexpr std::int64_t most_columns = 1'000'000;

// what the dictionary says; a list, in a structured type, is kept as it stands
struct Entries {
  std::optional<std::string> descr;
  std::optional<bool> fortran;
  std::optional<std::vector<std::int64_t>> shape;
};

// the few literals that such a dictionary has; false at the first thing that is none
class DictionaryText {
 public:
  explicit DictionaryText(std::string_view text) : rest_(text) {}

  bool parse(Entries& to) {
    if (!take('{')) return false;
    while (!take('}')) {
      std::string key;
      if (!quoted(key) || !take(':') || !value(key, to)) return false;
      if (!take(',') && (skip_blanks(), !rest_.starts_with('}'))) return false;
    }
    skip_blanks();
    return rest_.empty();
  }

 private:
  bool value(const std::string& key, Entries& to) {
    if (key == "descr" && !to.descr) return description(to.descr.emplace());
    if (key == "fortran_order" && !to.fortran) return truth(to.fortran.emplace());
    if (key == "shape" && !to.shape) return shape(to.shape.emplace());
    return false;
  }

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }

  bool take(std::string_view word) {
    skip_blanks();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  bool take(char c) { return take(std::string_view(&c, 1)); }

  bool quoted(std::string& to) {
    skip_blanks();
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) return false;
    const std::size_t end = rest_.find(rest_.front(), 1);
    if (end == std::string_view::npos) return false;
    to = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return true;
  }

  bool description(std::string& to) {
    skip_blanks();
    if (!rest_.starts_with('[')) return quoted(to);
    const std::size_t end = rest_.find(']');
    if (end == std::string_view::npos) return false;
    to = rest_.substr(0, end + 1);
    rest_.remove_prefix(end + 1);
    return true;
  }

  bool truth(bool& to) {
    to = take("True");
    return to || take("False");
  }

  bool shape(std::vector<std::int64_t>& to) {
    if (!take('(')) return false;
    while (!take(')')) {
      skip_blanks();
      std::int64_t number = 0;
      const auto [stop, status] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
      if (status != std::errc{}) return false;
      rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
      take('L');  // Python 2 wrote long numbers so
      to.push_back(number);
      if (!take(',') && (skip_blanks(), !rest_.starts_with(')'))) return false;
    }
    return true;
  }

  std::string_view rest_;
};

// the text between version and data, or why there is none
Result<std::string> header_text(std::istream& in, const std::string& file) {
  const auto fault = [&file](std::string offender, std::string rule, std::string what, std::string remedy) {
    return Fault{{file, 0}, std::move(offender), std::move(rule), std::move(what), std::move(remedy)};
  };
  std::array<char, 8> start{};
  in.read(start.data(), start.size());
  const std::string_view bytes(start.data(), static_cast<std::size_t>(in.gcount()));
  if (in.bad())
    return fault("", "npy-read", "the file could not be read", "check that it is a file and the disk is sound");
  if (bytes.empty()) return fault("", "npy-magic", "the file is empty", "save an array with numpy.save");
  if (!bytes.starts_with(magic))
    return fault("", "npy-magic", "this is no NPY file: it does not begin with \\x93NUMPY",
                 "save the array with numpy.save, or name a CSV file .csv");
  const auto truncated = [&fault] {
    return fault("header", "npy-header", "the file ends inside its header", "save the array again");
  };
  if (bytes.size() < start.size()) return truncated();
  const int version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3)
    return fault("version", "npy-version",
                 fmt::format("{}.{} is not known", version, static_cast<unsigned char>(start[7])),
                 "save the array with numpy.save, which writes 1.0 to 3.0");

  // little-endian, two bytes or four
  std::array<char, 4> length_bytes{};
  const std::streamsize length_size = version == 1 ? 2 : 4;
  in.read(length_bytes.data(), length_size);
  if (in.gcount() < length_size) return truncated();
  std::size_t length = 0;
  for (std::size_t k = length_bytes.size(); k-- > 0;)
    length = length << 8 | static_cast<unsigned char>(length_bytes[k]);
  if (length > longest_text)
    return fault("header", "npy-header", fmt::format("is {} bytes long", length), "save the array again");
  std::string text(length, ' ');
  in.read(text.data(), static_cast<std::streamsize>(length));
  if (static_cast<std::size_t>(in.gcount()) < length) return truncated();
  return text;
}

}  // namespace

Result<NpyHeader> read_npy_header(std::istream& in, const std::string& file) {
  const auto text = header_text(in, file);
  if (!text) return text.faults();
  Faults errors;
  const auto fault = [&](std::string offender, std::string rule, std::string what, std::string remedy) {
    errors.push_back({{file, 0}, std::move(offender), std::move(rule), std::move(what), std::move(remedy)});
  };
  Entries entries;
  if (!DictionaryText(*text).parse(entries) || !entries.descr || !entries.fortran || !entries.shape) {
    fault("header", "npy-header", fmt::format("\"{}\" is not what NumPy writes", excerpt(*text)),
          "it has descr, fortran_order and shape, each once: save the array with numpy.save");
    return errors;
  }

  NpyHeader header;
  const std::string &type = *entries.descr, offender = fmt::format("dtype \"{}\"", excerpt(type));
  if (type == "<f4")
    header.bytes = 4;
  else if (type == ">f8" || type == ">f4")
    fault(offender, "npy-dtype", "the numbers are big-endian", "save array.astype('<f8')");
  else if (type.starts_with('['))
    fault(offender, "npy-dtype", "the array has named fields",
          "save one plain array: numpy.column_stack of the fields");
  else if (type != "<f8")
    fault(offender, "npy-dtype", "is not taken", "save doubles ('<f8') or floats ('<f4'): array.astype(float)");
  if (*entries.fortran)
    fault("fortran_order", "npy-order", "the numbers stand column by column",
          "save numpy.ascontiguousarray(array): a row is one state");

  const std::vector<std::int64_t>& shape = *entries.shape;
  const std::string shown = fmt::format("shape ({})", fmt::join(shape, ", "));
  if (shape.empty() || shape.size() > 2) {
    fault(excerpt(shown), "npy-shape", fmt::format("the array has {} dimensions", shape.size()),
          "give two: a row for each state, a column for each coordinate");
    return errors;
  }
  if (std::ranges::any_of(shape, [](std::int64_t size) { return size < 0; })) {
    fault(shown, "npy-shape", "a size is negative", "the header was not written by numpy.save: save the array again");
    return errors;
  }
  header.rows = shape.size() == 2 ? shape[0] : 1;
  header.columns = shape.back();
  if (header.columns == 0)
    fault(shown, "npy-shape", "the array has no columns", "give a column for each coordinate");
  else if (header.columns > most_columns)
    fault(shown, "npy-shape", fmt::format("the array has more than {} columns", most_columns),
          "a row is one state: transpose the array");
  else if (header.rows > std::numeric_limits<std::int64_t>::max() / (8 * header.columns))
    fault(shown, "npy-shape", "no file is that large", "save the array again");
  if (!errors.empty()) return errors;
  return header;
}

std::string npy_header(std::int64_t rows, std::int64_t columns) {
  // data begin at a multiple of 64, as NumPy has it; 128 bytes hold the largest numbers
  constexpr std::size_t size = 128, prefix = 10;
  std::string text = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", rows, columns);
  TORSOR_EXPECT(text.size() < size - prefix);
  text.resize(size - prefix - 1, ' ');
  text += '\n';
  std::string header(magic);
  header += {'\x01', '\x00', static_cast<char>(text.size()), '\x00'};
  return header + text;
}

}  // namespace torsor

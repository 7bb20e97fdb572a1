#include "torsor/text/json_reader.hpp"

#include <unordered_set>

#include "torsor/text/number.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {
namespace {

constexpr int deepest_json = 64;

class JsonParser {
 public:
  JsonParser(std::string_view given, const std::string& name) : text(given), file(name) {}

  Result<JsonValue> run() {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    JsonValue root;
    if (!value(root, 0)) return fault;
    skip_blanks();
    if (at < text.size()) return refuse("there is text after the end"), fault;
    return root;
  }

 private:
  std::string_view text;
  const std::string& file;
  std::size_t at = 0;
  int line = 1;
  Fault fault;

  bool refuse(std::string what) {
    fault = {{file, line}, "", "json", std::move(what), "give JSON: objects, lists, texts and numbers"};
    return false;
  }
  void skip_blanks() {
    for (; at < text.size(); ++at) {
      const char c = text[at];
      if (c == '\n') ++line;
      if (c != ' ' && c != '\t' && c != '\r' && c != '\n') return;
    }
  }
  /// The next sign that is no blank, taken if it is this one.
  bool took(char c) {
    skip_blanks();
    if (at >= text.size() || text[at] != c) return false;
    ++at;
    return true;
  }

  bool value(JsonValue& out, int depth) {
    using Kind = JsonValue::Kind;
    if (depth > deepest_json) return refuse("values lie too deep in each other");
    skip_blanks();
    out.line = line;
    if (at >= text.size()) return refuse("it ends too early");
    const char c = text[at];
    if (c == '{') return out.kind = Kind::object, object(out, depth);
    if (c == '[') return out.kind = Kind::list, list(out, depth);
    if (c == '"') return out.kind = Kind::text, string(out.text);
    for (const auto& [word, kind, truth] : {std::tuple{std::string_view("true"), Kind::truth, true},
                                            {std::string_view("false"), Kind::truth, false},
                                            {std::string_view("null"), Kind::null, false}})
      if (text.substr(at).starts_with(word)) {
        at += word.size();
        out.kind = kind;
        out.truth = truth;
        return true;
      }
    out.kind = Kind::number;
    return number(out.number);
  }

  bool number(double& out) {
    const std::size_t end = std::min(text.find_first_not_of("+-.0123456789eE", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    // a digit or a minus first, no zero before other digits: 01 and +1 are no numbers of JSON
    const std::string_view digits = word.substr(word.starts_with('-') ? 1 : 0);
    const bool plain = !digits.empty() && digits[0] >= '0' && digits[0] <= '9' &&
                       !(digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9');
    const std::size_t point = word.find('.');
    const bool digit_after = point == std::string_view::npos ||
                             (point + 1 < word.size() && word[point + 1] >= '0' && word[point + 1] <= '9');
    const ParsedNumber parsed = parse_number(word);
    if (!plain || !digit_after || !parsed)
      return refuse("\"" + excerpt(word.empty() ? text.substr(at, 1) : word) + "\" is no value of JSON");
    at = end;
    out = parsed.value;
    return true;
  }

  bool list(JsonValue& out, int depth) {
    ++at;
    if (took(']')) return true;
    for (;;) {
      if (!value(out.items.emplace_back(), depth + 1)) return false;
      if (took(']')) return true;
      if (!took(',')) return refuse("a list goes on with a comma or ends with ]");
    }
  }

  bool object(JsonValue& out, int depth) {
    ++at;
    std::unordered_set<std::string> known;
    if (took('}')) return true;
    for (;;) {
      skip_blanks();
      if (at >= text.size() || text[at] != '"') return refuse("a member of an object begins with its name in quotes");
      auto& [name, member] = out.members.emplace_back();
      if (!string(name)) return false;
      if (!known.insert(name).second) return refuse("there are two members \"" + excerpt(name) + "\"");
      if (!took(':')) return refuse("a colon is missing after \"" + excerpt(name) + "\"");
      if (!value(member, depth + 1)) return false;
      if (took('}')) return true;
      if (!took(',')) return refuse("an object goes on with a comma or ends with }");
    }
  }

  bool hexadecimal(unsigned& out) {
    if (text.size() - at < 4) return refuse("\\u has four hexadecimal digits");
    out = 0;
    for (int k = 0; k < 4; ++k) {
      const char c = text[at++];
      const int digit = c >= '0' && c <= '9'                     ? c - '0'
                        : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                                 : -1;
      if (digit < 0) return refuse("\\u has four hexadecimal digits");
      out = out * 16 + static_cast<unsigned>(digit);
    }
    return true;
  }

  static void append_utf8(std::string& out, unsigned u) {
    const auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
    if (u < 0x80) return put(u);
    if (u < 0x800) return put(0xC0U | u >> 6U), put(0x80U | (u & 0x3FU));
    if (u < 0x10000) return put(0xE0U | u >> 12U), put(0x80U | (u >> 6U & 0x3FU)), put(0x80U | (u & 0x3FU));
    put(0xF0U | u >> 18U), put(0x80U | (u >> 12U & 0x3FU)), put(0x80U | (u >> 6U & 0x3FU)), put(0x80U | (u & 0x3FU));
  }

  bool escape(std::string& out) {
    const char c = text[at++];
    constexpr std::string_view names = "\"\\/bfnrt", signs = "\"\\/\b\f\n\r\t";
    if (const std::size_t k = names.find(c); k != std::string_view::npos) return out += signs[k], true;
    if (c != 'u') return refuse("there is no such escape in JSON");
    unsigned u = 0, low = 0;
    if (!hexadecimal(u)) return false;
    if (u >= 0xD800 && u < 0xDC00) {
      if (!text.substr(at).starts_with("\\u")) return refuse("half of a surrogate pair stands alone");
      at += 2;
      if (!hexadecimal(low)) return false;
      if (low < 0xDC00 || low > 0xDFFF) return refuse("half of a surrogate pair stands alone");
      u = 0x10000 + ((u - 0xD800) << 10U) + (low - 0xDC00);
    } else if (u >= 0xDC00 && u < 0xE000) {
      return refuse("half of a surrogate pair stands alone");
    }
    append_utf8(out, u);
    return true;
  }

  bool string(std::string& out) {
    for (++at; at < text.size();) {
      const char c = text[at];
      if (c == '"') return ++at, true;
      if (static_cast<unsigned char>(c) < 0x20) return refuse("a text holds a control character");
      if (c != '\\') {
        const std::size_t end = std::min(text.find_first_of("\"\\\n\r\t", at + 1), text.size());
        out += text.substr(at, end - at);
        at = end;
        continue;
      }
      if (++at >= text.size()) break;
      if (!escape(out)) return false;
    }
    return refuse("a text does not end");
  }
};

}  // namespace

Result<JsonValue> parse_json(std::string_view text, const std::string& file) { return JsonParser(text, file).run(); }

}  // namespace torsor

// Python's grammar of expressions, by recursive descent; without lambda, assignments, sets, f-strings and bytes.
#include "torsor/files/xacro_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "torsor/text/utf8.hpp"

namespace torsor::detail {
namespace {

struct XacroToken {
  enum Kind { end, name, number, text, sign };
  Kind kind = end;
  std::string word;
  XacroValue value = {};
};

bool name_begins(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) { return '0' <= c && c <= '9'; }

/// The text cut into words, numbers, texts and signs.
class XacroTokens {
 public:
  explicit XacroTokens(std::string_view text) : text_(text) {
    while (true) {
      at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
      if (at_ == text_.size()) break;
      all_.push_back(next());
    }
    all_.emplace_back();
  }
  std::vector<XacroToken> take() { return std::move(all_); }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<XacroToken> all_;

  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  XacroToken next() {
    const char c = peek();
    if (c == '\'' || c == '"') return quoted(false);
    if ((c == 'r' || c == 'R') && (peek(1) == '\'' || peek(1) == '"')) return ++at_, quoted(true);
    if ((c == 'u' || c == 'U') && (peek(1) == '\'' || peek(1) == '"')) return ++at_, quoted(false);
    if (name_begins(c)) {
      const std::size_t first = at_;
      while (name_begins(peek()) || is_digit(peek())) ++at_;
      return {XacroToken::name, std::string(text_.substr(first, at_ - first))};
    }
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    for (const std::string_view sign : {"**", "//", "<<", ">>", "<=", ">=", "==", "!="})
      if (text_.substr(at_).starts_with(sign)) return at_ += 2, XacroToken{XacroToken::sign, std::string(sign)};
    if (std::string_view("+-*/%()[]{},:.<>=|&^~").find(c) == std::string_view::npos)
      throw XacroError(fmt::format("\"{}\" has no meaning here", excerpt(text_.substr(at_, 1))));
    return ++at_, XacroToken{XacroToken::sign, std::string(1, c)};
  }

  XacroToken number() {
    const std::size_t first = at_;
    if (peek() == '0' &&
        (peek(1) == 'x' || peek(1) == 'X' || peek(1) == 'b' || peek(1) == 'B' || peek(1) == 'o' || peek(1) == 'O')) {
      const int base = (peek(1) | 0x20) == 'x' ? 16 : (peek(1) | 0x20) == 'b' ? 2 : 8;
      at_ += 2;
      std::int64_t value = 0;
      const auto [end, fault] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value, base);
      at_ = static_cast<std::size_t>(end - text_.data());
      if (fault != std::errc() || name_begins(peek()) || is_digit(peek()))
        throw XacroError("a number is not well written");
      return {XacroToken::number, "", value};
    }
    const auto digits = [&] {
      while (is_digit(peek()) || (peek() == '_' && is_digit(peek(1)))) ++at_;
    };
    digits();
    bool decimal = false;
    if (peek() == '.') decimal = true, ++at_, digits();
    if ((peek() == 'e' || peek() == 'E') &&
        (is_digit(peek(1)) || ((peek(1) == '+' || peek(1) == '-') && is_digit(peek(2)))))
      decimal = true, at_ += 2, digits();
    std::string word(text_.substr(first, at_ - first));
    std::erase(word, '_');
    if (name_begins(peek())) {
      // 1if x else 2 is Python; 5mm is a unit that is not there
      const std::string_view rest = text_.substr(at_);
      if (!rest.starts_with("if") && !rest.starts_with("else") && !rest.starts_with("and") && !rest.starts_with("or") &&
          !rest.starts_with("in"))
        throw XacroError(fmt::format("\"{}\" is no number", excerpt(text_.substr(first, 12))));
    }
    if (decimal) {
      double x = 0;
      if (!parse_python_float(word, x)) throw XacroError(fmt::format("\"{}\" is no number", excerpt(word)));
      return {XacroToken::number, "", x};
    }
    if (word.size() > 1 && word[0] == '0' && word.find_first_not_of('0') != std::string::npos)
      throw XacroError(fmt::format("\"{}\": whole numbers do not begin with 0", excerpt(word)));
    std::int64_t i = 0;
    if (!parse_python_int(word, i))
      throw XacroError(fmt::format("the whole number {} is too large", excerpt(word)), "write it with a decimal point");
    return {XacroToken::number, "", i};
  }

  XacroToken quoted(bool raw) {
    const char quote = peek();
    const std::string_view triple = quote == '"' ? "\"\"\"" : "'''";
    const bool thrice = text_.substr(at_).starts_with(triple);
    at_ += thrice ? 3 : 1;
    std::string out;
    while (true) {
      if (at_ >= text_.size()) throw XacroError("a text is not closed", fmt::format("end it with {}", quote));
      if (thrice ? text_.substr(at_).starts_with(triple) : peek() == quote) break;
      if (peek() == '\\' && at_ + 1 < text_.size()) {
        const char c = peek(1);
        at_ += 2;
        const std::size_t known = std::string_view("nrt\\'\"0").find(c);
        if (raw || known == std::string_view::npos) out += '\\', out += c;
        else out += "\n\r\t\\'\"\0"[known];
        continue;
      }
      out += text_[at_++];
    }
    at_ += thrice ? 3 : 1;
    return {XacroToken::text, "", std::move(out)};
  }
};

using XacroTree = std::unique_ptr<XacroNode>;
using NodeKind = XacroNode::Kind;

class XacroParser {
 public:
  explicit XacroParser(std::string_view text) : tokens_(XacroTokens(text).take()) {}

  XacroTree run() {
    if (peek().kind == XacroToken::end) throw XacroError("the expression is empty", "write a value between the braces");
    XacroTree tree = tuple_or_one();
    if (peek().kind != XacroToken::end) unexpected();
    return tree;
  }

 private:
  std::vector<XacroToken> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;

  const XacroToken& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  bool is_sign(std::string_view sign) const { return peek().kind == XacroToken::sign && peek().word == sign; }
  bool is_word(std::string_view word) const { return peek().kind == XacroToken::name && peek().word == word; }
  bool take_sign(std::string_view sign) { return is_sign(sign) && (++at_, true); }
  bool take_word(std::string_view word) { return is_word(word) && (++at_, true); }
  void want(std::string_view sign) {
    if (!take_sign(sign)) throw XacroError(fmt::format("\"{}\" is missing before {}", sign, where()));
  }
  std::string where() const {
    const XacroToken& t = peek();
    if (t.kind == XacroToken::end) return "the end";
    return t.word.empty() ? fmt::format("\"{}\"", excerpt(to_text(t.value))) : fmt::format("\"{}\"", excerpt(t.word));
  }
  [[noreturn]] void unexpected() const { throw XacroError(fmt::format("{} stands where it cannot", where())); }

  static XacroTree node(NodeKind kind, std::string text = "") {
    auto n = std::make_unique<XacroNode>();
    n->kind = kind;
    n->text = std::move(text);
    return n;
  }
  template <class... Parts>
  static XacroTree node(NodeKind kind, std::string text, Parts... parts) {
    XacroTree n = node(kind, std::move(text));
    (n->parts.push_back(std::move(parts)), ...);
    return n;
  }

  XacroTree tuple_or_one() {
    XacroTree first = expression();
    if (!is_sign(",")) return first;
    XacroTree tuple = node(NodeKind::tuple, "", std::move(first));
    while (take_sign(",")) {
      if (peek().kind == XacroToken::end || is_sign(")")) break;
      tuple->parts.push_back(expression());
    }
    return tuple;
  }

  // a if c else b
  XacroTree expression() {
    if (++depth_ > 100) throw XacroError("brackets lie too deep in each other");
    if (is_word("lambda")) throw XacroError("lambda is not read", "write the expression itself");
    XacroTree value = either();
    if (take_word("if")) {
      XacroTree test = either();
      if (!take_word("else")) throw XacroError("\"if\" has no \"else\"", "write: A if CONDITION else B");
      value = node(NodeKind::choice, "", std::move(test), std::move(value), expression());
    }
    --depth_;
    return value;
  }

  XacroTree either() {
    XacroTree left = both();
    while (take_word("or")) left = node(NodeKind::either, "", std::move(left), both());
    return left;
  }
  XacroTree both() {
    XacroTree left = negation();
    while (take_word("and")) left = node(NodeKind::both, "", std::move(left), negation());
    return left;
  }
  XacroTree negation() {
    int times = 0;
    while (take_word("not")) ++times;
    XacroTree value = comparison();
    if (times > 0) value = node(NodeKind::unary, "not", std::move(value));
    if (times > 1 && times % 2 == 0) value = node(NodeKind::unary, "not", std::move(value));
    return value;
  }

  std::string comparison_sign() {
    for (const std::string_view sign : {"<", ">", "<=", ">=", "==", "!="})
      if (take_sign(sign)) return std::string(sign);
    if (take_word("in")) return "in";
    if (take_word("is")) return take_word("not") ? "is not" : "is";
    if (is_word("not") && peek(1).kind == XacroToken::name && peek(1).word == "in") return at_ += 2, "not in";
    return "";
  }
  XacroTree comparison() {
    XacroTree left = binary_level(0);
    XacroTree chain;
    for (std::string sign = comparison_sign(); !sign.empty(); sign = comparison_sign()) {
      if (!chain) chain = node(NodeKind::compare, "", std::move(left));
      chain->names.push_back(std::move(sign));
      chain->parts.push_back(binary_level(0));
    }
    return chain ? std::move(chain) : std::move(left);
  }

  XacroTree binary_level(std::size_t level) {
    static const std::vector<std::vector<std::string_view>> levels{{"|"},        {"^"},      {"&"},
                                                                   {"<<", ">>"}, {"+", "-"}, {"*", "/", "//", "%"}};
    if (level == levels.size()) return unary();
    XacroTree left = binary_level(level + 1);
    while (true) {
      const auto sign = std::ranges::find_if(levels[level], [&](std::string_view s) { return is_sign(s); });
      if (sign == levels[level].end()) return left;
      ++at_;
      left = node(NodeKind::binary, std::string(*sign), std::move(left), binary_level(level + 1));
    }
  }

  XacroTree unary() {
    if (++depth_ > 400) throw XacroError("too many signs in a row");
    XacroTree value;
    for (const std::string_view sign : {"-", "+", "~"})
      if (!value && take_sign(sign)) value = node(NodeKind::unary, std::string(sign), unary());
    if (!value) value = power();
    --depth_;
    return value;
  }
  XacroTree power() {
    XacroTree base = primary();
    if (take_sign("**")) return node(NodeKind::binary, "**", std::move(base), unary());
    return base;
  }

  XacroTree primary() {
    XacroTree value = atom();
    while (true) {
      if (take_sign(".")) {
        if (peek().kind != XacroToken::name) unexpected();
        value = node(NodeKind::attribute, peek().word, std::move(value));
        if (value->text.starts_with("__"))
          throw XacroError(fmt::format("the name \"{}\" is not allowed", excerpt(value->text)));
        ++at_;
      } else if (take_sign("[")) {
        value = index(std::move(value));
      } else if (take_sign("(")) {
        value = call(std::move(value));
      } else {
        return value;
      }
    }
  }

  XacroTree index(XacroTree object) {
    XacroTree bounds[3];
    int colons = 0;
    while (!is_sign("]")) {
      if (take_sign(":")) {
        if (++colons > 2) unexpected();
      } else {
        if (bounds[colons]) unexpected();
        bounds[colons] = colons == 0 ? tuple_or_one() : expression();
      }
    }
    want("]");
    if (colons > 0)
      return node(NodeKind::slice, "", std::move(object), std::move(bounds[0]), std::move(bounds[1]),
                  std::move(bounds[2]));
    if (!bounds[0]) unexpected();
    return node(NodeKind::index, "", std::move(object), std::move(bounds[0]));
  }

  XacroTree call(XacroTree function) {
    XacroTree out = node(NodeKind::call, "", std::move(function));
    while (!is_sign(")")) {
      if (is_sign("*") || is_sign("**")) throw XacroError("arguments by * are not read", "give them one by one");
      std::string keyword;
      if (peek().kind == XacroToken::name && peek(1).kind == XacroToken::sign && peek(1).word == "=") {
        keyword = peek().word;
        at_ += 2;
      }
      XacroTree argument = expression();
      if (is_word("for")) argument = comprehension(std::move(argument));
      out->parts.push_back(std::move(argument));
      out->names.push_back(std::move(keyword));
      if (!take_sign(",")) break;
    }
    want(")");
    return out;
  }

  // x for x in items if condition: parts are the element, the items, the condition or null
  XacroTree comprehension(XacroTree element) {
    XacroTree out = node(NodeKind::comprehension, "", std::move(element));
    if (!take_word("for")) unexpected();
    const bool bracket = take_sign("(");
    do {
      if (peek().kind != XacroToken::name) unexpected();
      out->names.push_back(peek().word);
      ++at_;
    } while (take_sign(","));
    if (bracket) want(")");
    if (!take_word("in")) throw XacroError("\"for\" has no \"in\"");
    out->parts.push_back(either());
    out->parts.push_back(take_word("if") ? either() : nullptr);
    if (is_word("for") || is_word("if"))
      throw XacroError("several \"for\" or \"if\" in one list are not read", "make two lists of it");
    return out;
  }

  XacroTree atom() {
    const XacroToken token = peek();
    XacroTree out = node(NodeKind::constant);
    switch (token.kind) {
      case XacroToken::number: ++at_, out->value = token.value; return out;
      case XacroToken::text: {
        std::string text;
        for (; peek().kind == XacroToken::text; ++at_) text += *peek().value.as<std::string>();
        out->value = std::move(text);
        return out;
      }
      case XacroToken::name: {
        ++at_;
        for (const std::string_view word :
             {"and", "or", "not", "if", "else", "in", "is", "for", "lambda", "import", "yield", "await"})
          if (token.word == word) --at_, unexpected();
        if (token.word.starts_with("__"))
          throw XacroError(fmt::format("the name \"{}\" is not allowed", excerpt(token.word)));
        if (token.word == "None") return out;
        if (token.word == "True" || token.word == "False") {
          out->value = token.word == "True";
          return out;
        }
        return node(NodeKind::name, token.word);
      }
      case XacroToken::sign:
        ++at_;
        if (token.word == "(") return bracketed();
        if (token.word == "[") return list();
        if (token.word == "{") return dict();
        --at_;
        [[fallthrough]];
      case XacroToken::end: unexpected();
    }
    unexpected();
  }

  XacroTree bracketed() {
    if (take_sign(")")) return node(NodeKind::tuple);
    XacroTree value = tuple_or_one();
    if (is_word("for")) value = comprehension(std::move(value));
    want(")");
    return value;
  }

  XacroTree list() {
    XacroTree out = node(NodeKind::list);
    while (!is_sign("]")) {
      XacroTree item = expression();
      if (is_word("for")) {
        if (!out->parts.empty()) unexpected();
        item = comprehension(std::move(item));
        want("]");
        return item;
      }
      out->parts.push_back(std::move(item));
      if (!take_sign(",")) break;
    }
    want("]");
    return out;
  }

  XacroTree dict() {
    XacroTree out = node(NodeKind::dict);
    while (!is_sign("}")) {
      out->parts.push_back(expression());
      want(":");
      out->parts.push_back(expression());
      if (!take_sign(",")) break;
    }
    want("}");
    return out;
  }
};

}  // namespace

std::unique_ptr<XacroNode> parse_expression(std::string_view text) {
  if (text.size() > 10'000) throw XacroError("the expression is too long");
  return XacroParser(text).run();
}

}  // namespace torsor::detail

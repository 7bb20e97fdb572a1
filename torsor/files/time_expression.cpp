#include "torsor/files/time_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "torsor/files/time_expression_code.hpp"
#include "torsor/text/number.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {
namespace detail {
namespace {

constexpr std::size_t longest_expression = 4000;

/// A formula, its corners where what stands in abs, min or max passes zero, and its bounds.
class FormulaShape final : public TimeShape {
 public:
  explicit FormulaShape(ExpressionCode code) : code_(std::move(code)), shallow_(stack_depth(code_) <= few) {
    at(TimeValue{0, 1, 0}, [this](const TimeValue&) { ++bends_; });
  }

  template <class T>
  T at(const T& variable) const {
    return at(variable, [](const T&) {});
  }

  TimeBounds bounds(double a, double b) const override { return at(TimeBounds{{a, b}, 1.0}); }

  std::optional<double> corner(double a, double b) const override {
    std::optional<double> first;
    for (int k = 0; k < bends_; ++k) {
      int looks = most_looks;
      if (const auto zero = first_zero(k, a, first.value_or(b), bend(k, a), deepest, looks)) first = zero;
    }
    // abs(x)/x is no number upon the corner itself
    for (int tries = 4; first && tries > 0 && !std::isfinite(at(TimeValue{*first, 1, 0}).f); --tries)
      first = std::nextafter(*first, infinity);
    return first;
  }

 private:
  // an operand waits at most once per level of nesting for each of sum, product, power and comma
  static constexpr std::size_t few = 8, most = 8 * deepest_expression;
  static constexpr int deepest = 14, most_looks = 4000;
  ExpressionCode code_;
  bool shallow_;
  int bends_ = 0;

  template <class T, class AtBend>
  T at(const T& variable, const AtBend& at_bend) const {
    const auto time = [&](int) -> const T& { return variable; };
    return shallow_ ? run_expression<few>(code_, time, at_bend) : run_expression<most>(code_, time, at_bend);
  }

  /// What is zero at the k-th bend.
  template <class T>
  T bend_at(int k, const T& variable) const {
    T found{};
    int here = 0;
    at(variable, [&](const T& x) {
      if (here++ == k) found = x;
    });
    return found;
  }
  double bend(int k, double t) const { return bend_at(k, TimeValue{t, 1, 0}).f; }

  /// The first t in (a, b] where it is of another sign than a little before: halved as long as its bounds hold zero.
  std::optional<double> first_zero(int k, double a, double b, double at_a, int halvings, int& looks) const {
    if (!(a < b) || !holds_zero(bend_at(k, TimeBounds{{a, b}, 1.0}).f)) return std::nullopt;
    if (halvings == 0 || --looks < 0)
      return (at_a < 0) != (bend(k, b) < 0) ? std::optional(sign_change(k, a, b, at_a)) : std::nullopt;
    const double middle = a + (b - a) / 2;
    if (const auto zero = first_zero(k, a, middle, at_a, halvings - 1, looks)) return zero;
    return first_zero(k, middle, b, bend(k, middle), halvings - 1, looks);
  }

  double sign_change(int k, double a, double b, double at_a) const {
    for (;;) {
      const double middle = a + (b - a) / 2;
      if (!(middle > a && middle < b)) return b;
      ((bend(k, middle) < 0) == (at_a < 0) ? a : b) = middle;
    }
  }
};

class ExpressionParser {
 public:
  using Variables = std::function<Result<int>(std::string_view)>;
  ExpressionParser(std::string_view text, std::string_view variable) : text_(text), variable_(variable) {}
  ExpressionParser(std::string_view text, const Variables& variables)
      : text_(text), variable_("x"), variables_(&variables) {}

  Result<TimeFunction> read() {
    if (Result<ExpressionCode> code = read_code(); !code)
      return code.faults();
    else {
      const auto formula = std::make_shared<const FormulaShape>(*std::move(code));
      return TimeFunction([formula](double t) { return formula->at(TimeValue{t, 1, 0}); }, formula);
    }
  }

  Result<StateFormula> read_state() {
    Result<ExpressionCode> read = read_code();
    if (!read) return read.faults();
    constexpr std::size_t most = 8 * deepest_expression;
    const auto code = std::make_shared<const ExpressionCode>(*std::move(read));
    const auto run = [code](std::span<const double> x, const auto& at_bend) {
      const auto variable = [&](int k) { return TimeValue{x[static_cast<std::size_t>(k)], 0, 0}; };
      constexpr std::size_t few = 16;
      return stack_depth(*code) <= few ? run_expression<few>(*code, variable, at_bend).f
                                       : run_expression<most>(*code, variable, at_bend).f;
    };
    StateFormula out;
    out.value = [run](std::span<const double> x) { return run(x, [](const TimeValue&) {}); };
    out.bends = [run](std::span<const double> x, std::span<double> bends) {
      std::size_t k = 0;
      run(x, [&](const TimeValue& at) { bends[k++] = at.f; });
    };
    for (const ExpressionStep& step : *code)
      out.bend_count += step.kind == ExpressionStep::Kind::word   ? expression_words[step.row].bends
                        : step.kind == ExpressionStep::Kind::pair ? expression_pairs[step.row].bends
                                                                  : 0;
    return out;
  }

 private:
  Result<ExpressionCode> read_code() {
    if (text_.size() > longest_expression)
      fail(0, fmt::format("the formula has {} characters", text_.size()), "write at most 4000, or give a table");
    else if (skip_blanks(), at_ == text_.size())
      fail(0, "the formula is empty", "write one such as 0.4 + 3*t");
    else if (sum() && (skip_blanks(), at_ < text_.size()))
      unexpected_end_of_term();
    if (error_) return *std::move(error_);
    // an operand waits at most once per level of nesting for each of sum, product, power and comma
    return std::move(code_);
  }

  void fail(std::size_t at, std::string what, std::string remedy) {
    if (error_) return;
    // columns count characters as an editor does, from one
    const std::size_t column = text_width(text_.substr(0, at)) + 1;
    error_ = Fault{{}, "", "expression", fmt::format("column {}: {}", column, what), std::move(remedy)};
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

  std::string found_here() const {
    return at_ == text_.size() ? "the end" : fmt::format("\"{}\"", excerpt(text_.substr(at_), 12));
  }

  void unexpected_end_of_term() {
    const char c = text_[at_];
    if (is_digit(c) || is_letter(c) || c == '(')
      fail(at_, fmt::format("{} stands where an operator belongs", found_here()),
           fmt::format("write a product with its sign: 2*{}", variable_));
    else if (c == ')')
      fail(at_, "this bracket was never opened", "leave it out, or open it");
    else
      fail(at_, fmt::format("{} is no operator", found_here()), "write +, -, *, /, ^ or a bracket");
  }

  void emit_pair(std::string_view name) {
    const auto row = std::ranges::find(expression_pairs, name, &ExpressionPair::name);
    code_.push_back({ExpressionStep::Kind::pair, 0, static_cast<int>(row - std::begin(expression_pairs))});
  }

  /// One level deeper for as long as it lives.
  struct Level {
    explicit Level(ExpressionParser& p) : parser(p) {
      if (++parser.depth_ > deepest_expression)
        parser.fail(parser.at_, "it is nested over 50 deep", "write it flatter, or give a table");
    }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --parser.depth_; }
    ExpressionParser& parser;
  };

  bool sum() {
    if (!product()) return false;
    for (;;) {
      const char sign = take('+') ? '+' : take('-') ? '-' : '\0';
      if (sign == '\0') return true;
      if (!product()) return false;
      emit_pair({&sign, 1});
    }
  }

  bool product() {
    if (!signed_power()) return false;
    for (;;) {
      const char sign = take('*') ? '*' : take('/') ? '/' : '\0';
      if (sign == '\0') return true;
      if (sign == '*' && at_ < text_.size() && text_[at_] == '*') {
        fail(at_ - 1, "** is no operator", "write ^ for a power");
        return false;
      }
      if (!signed_power()) return false;
      emit_pair({&sign, 1});
    }
  }

  bool signed_power() {
    bool negative = false;
    for (;;) {
      if (take('-'))
        negative = !negative;
      else if (!take('+'))
        break;
    }
    if (!power()) return false;
    if (negative) code_.push_back({ExpressionStep::Kind::negate, 0, 0});
    return true;
  }

  bool power() {
    if (!atom()) return false;
    if (!take('^')) return true;
    const Level level(*this);
    if (error_ || !signed_power()) return false;
    emit_pair("^");
    return true;
  }

  bool atom() {
    skip_blanks();
    if (at_ == text_.size()) {
      fail(at_, "it ends where a number or a word belongs", fmt::format("write a number, {} or a bracket", variable_));
      return false;
    }
    const char c = text_[at_];
    if (is_digit(c) || c == '.') return number();
    if (variables_ && c == '[') {
      const std::size_t from = at_ + 1, to = text_.find(']', from);
      if (to == std::string_view::npos)
        return fail(at_, "this bracket is never closed", "write ] behind the name"), false;
      at_ = to + 1;
      return state_variable(from, text_.substr(from, to - from));
    }
    if (is_letter(c)) return word();
    if (!take('(')) {
      fail(at_, fmt::format("{} stands where a number or a word belongs", found_here()),
           fmt::format("write a number, {} or a bracket", variable_));
      return false;
    }
    return bracket(at_ - 1, 1);
  }

  bool number() {
    const std::size_t start = at_;
    const auto digits = [&] {
      while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
    };
    digits();
    // 2e-3, but not 2*exp(t) written as 2exp
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      const std::size_t sign = at_ + 1 < text_.size() && (text_[at_ + 1] == '-' || text_[at_ + 1] == '+') ? 2 : 1;
      if (at_ + sign < text_.size() && is_digit(text_[at_ + sign])) {
        at_ += sign;
        digits();
      }
    }
    const std::string_view token = text_.substr(start, at_ - start);
    const ParsedNumber parsed = parse_number(token);
    if (!parsed) {
      const Fault why = number_error(parsed.fault, token, {}, "");
      fail(start, why.what, why.remedy);
      return false;
    }
    code_.push_back({ExpressionStep::Kind::number, parsed.value, 0});
    return true;
  }

  /// What follows an opened bracket: one or two sums and the closing one.
  bool bracket(std::size_t opened, int sums) {
    const Level level(*this);
    for (int k = 0; k < sums; ++k) {
      if (k > 0 && !take(',')) {
        fail(at_, fmt::format("{} stands where a comma belongs", found_here()), "give it two values: atan2(y, x)");
        return false;
      }
      if (error_ || !sum()) return false;
    }
    if (take(')')) return true;
    skip_blanks();
    if (at_ < text_.size() && text_[at_] != ',')
      unexpected_end_of_term();
    else if (at_ < text_.size())
      fail(at_, "there is a comma too many", "give it one value less");
    else
      fail(opened, "this bracket is never closed", "close it");
    return false;
  }

  bool state_variable(std::size_t at, std::string_view name) {
    const Result<int> row = (*variables_)(name);
    if (!row) return fail(at, row.faults().front().what, row.faults().front().remedy), false;
    code_.push_back({ExpressionStep::Kind::variable, 0, *row});
    return true;
  }

  bool word() {
    const std::size_t start = at_;
    const auto belongs = [&](char c) { return is_letter(c) || is_digit(c) || (variables_ && c == '.'); };
    while (at_ < text_.size() && belongs(text_[at_])) ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    const bool known = name == "pi" || name == "e" ||
                       std::ranges::find(expression_words, name, &ExpressionWord::name) != std::end(expression_words) ||
                       std::ranges::find(expression_pairs, name, &ExpressionPair::name) != std::end(expression_pairs);
    if (variables_ && !known) return state_variable(start, name);
    if (!variables_ && name == variable_) {
      code_.push_back({ExpressionStep::Kind::variable, 0, 0});
      return true;
    }
    if (name == "pi" || name == "e") {
      code_.push_back({ExpressionStep::Kind::number, name == "e" ? std::numbers::e : std::numbers::pi, 0});
      return true;
    }
    const auto one = std::ranges::find(expression_words, name, &ExpressionWord::name);
    const auto two = std::ranges::find(expression_pairs, name, &ExpressionPair::name);
    if (one == std::end(expression_words) && two == std::end(expression_pairs)) {
      unknown_word(start, name);
      return false;
    }
    if (!take('(')) {
      fail(at_, fmt::format("{} is a function, and {} stands where its bracket belongs", name, found_here()),
           fmt::format("write {}({})", name, one != std::end(expression_words) ? "..." : "..., ..."));
      return false;
    }
    if (!bracket(at_ - 1, one != std::end(expression_words) ? 1 : 2)) return false;
    if (one != std::end(expression_words))
      code_.push_back({ExpressionStep::Kind::word, 0, static_cast<int>(one - std::begin(expression_words))});
    else
      emit_pair(name);
    return true;
  }

  void unknown_word(std::size_t start, std::string_view name) {
    std::vector<std::string_view> known{variable_, "pi", "e"};
    if (variable_ == "pi") known.erase(known.begin());
    for (const ExpressionWord& row : expression_words) known.push_back(row.name);
    for (const ExpressionPair& row : expression_pairs)
      if (is_letter(row.name.front())) known.push_back(row.name);
    std::string remedy = did_you_mean(name, known);
    remedy += remedy.empty() ? "known here:" : " known here:";
    for (const std::string_view w : known) remedy += fmt::format(" {}", w);
    fail(start, fmt::format("there is no \"{}\"", excerpt(name)), std::move(remedy));
  }

  std::string_view text_, variable_;
  const Variables* variables_ = nullptr;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  ExpressionCode code_;
  std::optional<Fault> error_;
};

}  // namespace
}  // namespace detail

Result<TimeFunction> read_time_expression(std::string_view text, std::string_view variable) {
  return detail::ExpressionParser(text, variable).read();
}

Result<StateFormula> read_state_expression(std::string_view text,
                                           const std::function<Result<int>(std::string_view name)>& variable) {
  return detail::ExpressionParser(text, variable).read_state();
}

}  // namespace torsor

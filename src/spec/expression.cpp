#include "spec/expression.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

#include "base/result.h"

namespace diffram::spec {

namespace {

using Value = tl::expected<std::int64_t, std::string>;

constexpr int kDeepest = 64;  // of nested parentheses; a user's file must not exhaust the stack

Value combine(char operation, std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  bool overflow = false;
  switch (operation) {
    case '+':
      overflow = __builtin_add_overflow(a, b, &out);
      break;
    case '-':
      overflow = __builtin_sub_overflow(a, b, &out);
      break;
    case '*':
      overflow = __builtin_mul_overflow(a, b, &out);
      break;
    default:
      if (b == 0) return tl::unexpected<std::string>("division by zero");
      overflow = b == -1 && __builtin_sub_overflow(std::int64_t{0}, a, &out);
      if (b != -1) out = a / b;
  }
  if (overflow) return tl::unexpected<std::string>("the value is too large");
  return out;
}

class Parser {
 public:
  Parser(std::string_view text, const Names& names) : text_(text), names_(names) {}

  Value whole() {
    auto value = sum();
    if (value && peek() != '\0') return unexpected_text();
    return value;
  }

 private:
  Value sum() {
    auto left = product();
    while (left && (peek() == '+' || peek() == '-')) {
      const char operation = take();
      const auto right = product();
      if (!right) return right;
      left = combine(operation, *left, *right);
    }
    return left;
  }

  Value product() {
    auto left = atom();
    while (left && (peek() == '*' || peek() == '/')) {
      const char operation = take();
      const auto right = atom();
      if (!right) return right;
      left = combine(operation, *left, *right);
    }
    return left;
  }

  Value atom() {
    if (++depth_ > kDeepest) return tl::unexpected<std::string>("nested too deeply");
    auto value = atom_within_depth();
    --depth_;
    return value;
  }

  Value atom_within_depth() {
    const char next = peek();
    if (next == '-') {
      take();
      const auto value = atom();
      return value ? combine('-', 0, *value) : value;
    }
    if (next == '(') {
      take();
      auto value = sum();
      if (!value) return value;
      if (peek() != ')') return tl::unexpected<std::string>("a closing parenthesis is missing");
      take();
      return value;
    }
    if (std::isdigit(static_cast<unsigned char>(next))) return number();
    if (std::isalpha(static_cast<unsigned char>(next))) return name_or_function();
    return unexpected_text();
  }

  Value number() {
    std::int64_t value = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) return tl::unexpected<std::string>("the number is too large");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  Value name_or_function() {
    const auto start = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) {
      ++at_;
    }
    const std::string name(text_.substr(start, at_ - start));
    if ((name == "max" || name == "min") && peek() == '(') return extreme(name == "max");
    const auto found = names_.find(name);
    if (found != names_.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& entry : names_) known.push_back(entry.first);
    const auto near = base::nearest(name, known);
    return tl::unexpected<std::string>("unknown name '" + name + "'" +
                                       (near.empty() ? "" : ", did you mean '" + near + "'?"));
  }

  Value extreme(bool largest) {
    take();
    auto best = sum();
    while (best && peek() == ',') {
      take();
      const auto next = sum();
      if (!next) return next;
      best = largest ? std::max(*best, *next) : std::min(*best, *next);
    }
    if (!best) return best;
    if (peek() != ')') return tl::unexpected<std::string>("a closing parenthesis is missing");
    take();
    return best;
  }

  Value unexpected_text() {
    if (peek() == '\0') return tl::unexpected<std::string>("the expression ends too early");
    return tl::unexpected<std::string>("cannot read '" + std::string(text_.substr(at_, 12)) + "'");
  }

  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  char take() {
    const char next = peek();
    ++at_;
    return next;
  }

  std::string_view text_;
  const Names& names_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

tl::expected<std::int64_t, std::string> evaluate(std::string_view text, const Names& names) {
  return Parser(text, names).whole();
}

}  // namespace diffram::spec

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>

#include <graze/core/error.hpp>
#include <graze/shape/shape.hpp>

#include "core/portability.hpp"

namespace graze::shape {

namespace {

struct Form {
  std::string_view name, numbers;  ///< what the numbers mean, for messages
  std::size_t count;
};
constexpr Form forms[] = {
    {"sphere", "R", 1}, {"capsule", "R,L", 2},     {"box", "X,Y,Z", 3},  {"cylinder", "R,H", 2},
    {"cone", "R,H", 2}, {"ellipsoid", "X,Y,Z", 3}, {"halfspace", "", 0},
};

const Form* form_of(std::string_view text) {
  const std::string_view name = text.substr(0, text.find_first_of(":+"));
  const auto* it = std::find_if(std::begin(forms), std::end(forms), [&](const Form& f) { return f.name == name; });
  return it == std::end(forms) ? nullptr : it;
}

std::string usage(const Form& form) {
  return std::string(form.name) + (form.count > 0 ? ":" + std::string(form.numbers) : "");
}

[[noreturn]] void invalid(std::string_view text, const std::string& why) {
  throw Error({.code = ErrorCode::bad_option,
               .message = "\"" + std::string(text) + "\" is no shape: " + why,
               .element = "shape",
               .id = ErrorDetail::none,
               .file = {},
               .line = ErrorDetail::none});
}

std::optional<double> number_in(std::string_view word) {
  double value = 0;
  const auto [end, error] = core::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::string shortest_text(double x) {
  char text[32];
  return {text, core::to_chars(text, text + sizeof text, x).ptr};
}

/// The numbers of a list with commas.
std::vector<double> numbers_of(std::string_view list, std::string_view text) {
  std::vector<double> numbers;
  while (true) {
    const std::size_t comma = list.find(',');
    const std::string_view word = list.substr(0, comma);
    const std::optional<double> number = number_in(word);
    if (!number) invalid(text, "\"" + std::string(word) + "\" is no number");
    numbers.push_back(*number);
    if (comma == std::string_view::npos) return numbers;
    list.remove_prefix(comma + 1);
  }
}

Kind kind_from(const Form& form, const std::vector<double>& x) {
  if (form.name == "sphere") return Sphere{x[0]};
  if (form.name == "capsule") return Capsule{x[0], x[1]};
  if (form.name == "box") return Box{{x[0], x[1], x[2]}};
  if (form.name == "cylinder") return Cylinder{x[0], x[1]};
  if (form.name == "cone") return Cone{x[0], x[1]};
  if (form.name == "ellipsoid") return Ellipsoid{{x[0], x[1], x[2]}};
  return HalfSpace{};
}

struct Numbers {
  std::vector<double> operator()(const Sphere& s) const { return {s.radius}; }
  std::vector<double> operator()(const Capsule& c) const { return {c.radius, c.length}; }
  std::vector<double> operator()(const Box& b) const { return {b.sides.x, b.sides.y, b.sides.z}; }
  std::vector<double> operator()(const Cylinder& c) const { return {c.radius, c.height}; }
  std::vector<double> operator()(const Cone& c) const { return {c.radius, c.height}; }
  std::vector<double> operator()(const Ellipsoid& e) const { return {e.half_axes.x, e.half_axes.y, e.half_axes.z}; }
  std::vector<double> operator()(const HalfSpace&) const { return {}; }
  std::vector<double> operator()(const Hull&) const { return {}; }
};

/// Where a rounding begins: a plus right after the name, or one that is not part of a number such as 1e+3.
std::size_t rounding_at(std::string_view text, std::size_t name_size) {
  if (name_size < text.size() && text[name_size] == '+') return name_size;
  for (std::size_t i = 1; i < text.size(); ++i)
    if (text[i] == '+' && text[i - 1] != 'e' && text[i - 1] != 'E' && text[i - 1] != ',' && text[i - 1] != ':')
      return i;
  return std::string_view::npos;
}

}  // namespace

bool is_shape_text(std::string_view text) {
  const Form* form = form_of(text);
  return form && text.size() >= form->name.size() && (text.size() == form->name.size() ? form->count == 0 : true);
}

Shape from_text(std::string_view text) {
  const Form* form = form_of(text);
  if (!form) invalid(text, "it begins with none of sphere, capsule, box, cylinder, cone, ellipsoid, halfspace");
  const std::size_t plus = rounding_at(text, form->name.size());
  const std::string_view body = text.substr(0, plus);
  std::vector<double> numbers;
  if (body.size() > form->name.size() + 1) numbers = numbers_of(body.substr(form->name.size() + 1), text);
  if (numbers.size() != form->count || (form->count == 0 && body.size() != form->name.size()))
    invalid(text, "write " + usage(*form) + ", or " + usage(*form) + "+R to round it");
  double rounding = 0;
  if (plus != std::string_view::npos) {
    const std::vector<double> r = numbers_of(text.substr(plus + 1), text);
    if (r.size() != 1) invalid(text, "one radius follows the plus");
    rounding = r[0];
  }
  Shape shape(kind_from(*form, numbers), rounding);
  check(shape);
  return shape;
}

std::string to_text(const Shape& shape) {
  if (std::holds_alternative<Hull>(shape.kind))
    throw Error({.code = ErrorCode::unsupported,
                 .message = "a hull is given by its points and cannot be written as one word",
                 .element = "shape",
                 .id = ErrorDetail::none,
                 .file = {},
                 .line = ErrorDetail::none});
  std::string text(kind_name(shape));
  char separator = ':';
  for (const double x : std::visit(Numbers{}, shape.kind)) {
    text += separator + shortest_text(x);
    separator = ',';
  }
  if (shape.rounding != 0) text += "+" + shortest_text(shape.rounding);
  return text;
}

}  // namespace graze::shape

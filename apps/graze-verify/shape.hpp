// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mesh.hpp"
#include "motion.hpp"

namespace verify {

/// A convex solid, centred at its origin, with its axis along z (docs/shapes.md): its kind and numbers, and the radius
/// by which it is rounded. A hull has points instead of numbers.
struct Shape {
  std::string kind;
  std::vector<double> numbers;
  std::vector<Point> points;
  double rounding = 0;
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// The kinds whose numbers are written out, and how many there are.
inline const std::map<std::string_view, std::size_t> shape_kinds{
    {"sphere", 1}, {"capsule", 2}, {"box", 3}, {"cylinder", 2}, {"cone", 2}, {"ellipsoid", 3}, {"halfspace", 0}};

/// Lengths that are neither negative nor, on machines whose `long double` has the range of a double, so small that half
/// of them may be rounded.
inline bool valid_lengths(const Shape& shape) {
  const auto valid = [](double x) { return x == 0 || (x > 0 && (Limits::max_exponent >= 16384 || x >= 0x1p-100)); };
  for (const double x : shape.numbers)
    if (!valid(x)) return false;
  return valid(shape.rounding) && (shape.kind != "hull" || !shape.points.empty());
}

inline bool is_shape_text(std::string_view text) {
  return shape_kinds.contains(text.substr(0, text.find_first_of(":+")));
}

/// "box:1,2,3+0.1", as the command `graze` takes it. Throws `Unreadable`.
inline Shape shape_from_text(const std::string& text) {
  Shape shape;
  shape.kind = text.substr(0, text.find_first_of(":+"));
  std::size_t plus = text.npos;  // where a rounding begins, and not the exponent of a number
  for (std::size_t i = shape.kind.size(); i < text.size() && plus == text.npos; ++i)
    if (text[i] == '+' &&
        (i == shape.kind.size() || std::string_view("eE,:").find(text[i - 1]) == std::string_view::npos))
      plus = i;
  const std::string list = text.substr(0, plus).substr(std::min(shape.kind.size() + 1, text.substr(0, plus).size()));
  Words words(list, ",");
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    double x = 0;
    if (!read_number(std::string(word), x)) throw Unreadable(text + ": a shape needs finite numbers");
    shape.numbers.push_back(x);
  }
  if (plus != text.npos && !read_number(text.substr(plus + 1), shape.rounding))
    throw Unreadable(text + ": a finite radius follows the plus");
  if (shape.numbers.size() != shape_kinds.find(shape.kind)->second || !valid_lengths(shape))
    throw Unreadable(text + ": this is no shape");
  return shape;
}

inline Interval magnitude_of(const Interval& x) {
  return {x.lo > 0 ? x.lo : x.hi < 0 ? -x.hi : Real(0), x.magnitude()};
}

/// What a shape is made of: all points within `radius` of the hull of `corners`; or, if `bulges`, of a cylinder, a
/// cone, an ellipsoid or a half-space, which the hull of `corners` contains (of a half-space: only its origin).
class Core {
 public:
  std::vector<Vec> corners;
  Real radius = 0;
  bool bulges = false;

  explicit Core(const Shape& shape) : kind_(shape.kind) {
    const std::vector<double>& x = shape.numbers;
    Interval sum(shape.rounding);
    if (kind_ == "sphere" || kind_ == "capsule") sum = sum + x[0];
    radius = sum.hi;
    if (kind_ == "capsule") half_ = {0, 0, Real(x[1]) / 2};
    if (kind_ == "box") half_ = {Real(x[0]) / 2, Real(x[1]) / 2, Real(x[2]) / 2};
    if (kind_ == "cylinder" || kind_ == "cone") half_ = {x[0], x[0], Real(x[1]) / 2};
    if (kind_ == "ellipsoid") half_ = {x[0], x[1], x[2]};
    bulges = kind_ == "cylinder" || kind_ == "cone" || kind_ == "ellipsoid" || kind_ == "halfspace";
    for (const Point& p : shape.points) corners.push_back(vec(p.data()));
    if (kind_ == "hull") return;
    for (unsigned i = 0; i < 8; ++i) {
      Vec corner;
      bool again = false;
      for (std::size_t k = 0; k < 3; ++k) {
        const bool low = (i >> k & 1) != 0;
        again |= low && half_[k] == 0;
        corner[k] = Interval(low ? -half_[k] : half_[k]);
      }
      if (!again) corners.push_back(corner);
    }
  }

  /// A half-space.
  bool endless() const { return kind_ == "halfspace"; }

  /// An upper bound of d . x over the core, if it bulges: the support function. A circle of radius r about the z axis
  /// reaches r |(dx, dy)|; the image of the unit ball under the half axes reaches |(a dx, b dy, c dz)|; a half-space
  /// z <= 0 reaches 0 along z, and infinitely far along every other direction.
  Real support(const Vec& d) const {
    const Interval ring = Interval(half_[0]) * root(d[0] * d[0] + d[1] * d[1]), height(half_[2]);
    if (kind_ == "cylinder") return (ring + height * magnitude_of(d[2])).hi;
    if (kind_ == "cone") return std::max((ring - height * d[2]).hi, (height * d[2]).hi);
    if (kind_ == "ellipsoid") return length({half_[0] * d[0], half_[1] * d[1], half_[2] * d[2]}).hi;
    const bool along_axis = d[0].magnitude() == 0 && d[1].magnitude() == 0 && d[2].lo >= 0;
    return along_axis ? 0 : Limits::infinity();
  }

 private:
  std::string kind_;
  std::array<Real, 3> half_{};
};

}  // namespace verify

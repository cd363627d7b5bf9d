// SPDX-License-Identifier: MIT
#include "engine/proof/step_text.hpp"

#include <algorithm>
#include <string_view>

#include "core/portability.hpp"

namespace graze::engine::proof {
namespace {

constexpr std::string_view first_line = "graze-step-certificate 1";

}  // namespace

void StepText::begin(const char* pairs, std::span<const std::uint32_t> bodies, double separation, double until) {
  text_ = std::string(first_line) + "\npairs " + pairs + '\n';
  for (const std::uint32_t body : bodies) text_ += std::to_string(body) + '\n';
  if (separation > 0) {
    text_ += "separation";
    add(separation);
    text_ += '\n';
  }
  until_ = until;
  if (!(until < 1)) return;
  text_ += "until";
  add(until);
  text_ += '\n';
  version_ = '3';
}

void StepText::triangles(const Mesh& mesh, std::span<const std::uint32_t> order) {
  text_ += "triangles " + std::to_string(order.size()) + '\n';
  for (const std::uint32_t t : order) {
    text_ += std::to_string(index(mesh.polygon_of(TriangleId{t})));
    for (const std::uint32_t v : mesh.triangles()[t]) text_ += ' ' + std::to_string(v);
    text_ += '\n';
  }
  text_ += "proof\n";
}

void StepText::add(double x) {
  char digits[32];
  const auto [end, error] = core::to_chars(digits, digits + sizeof digits, x);
  (void)error;  // 32 characters are enough for every double
  text_ += ' ';
  text_.append(digits, end);
}

void StepText::add(const Vec3& n) {
  for (int k = 0; k < 3; ++k) add(n[k]);
}

void StepText::apart(const Vec3& n) {
  text_ += 'S';
  add(n);
  text_ += '\n';
}

void StepText::patch(const Vec3& along) {
  text_ += 'M';
  add(along);
  text_ += '\n';
  version_ = '3';
}

void StepText::cut(char which, std::size_t left, std::size_t right) {
  text_ += which;
  text_ += " 2 " + std::to_string(left) + ' ' + std::to_string(right) + '\n';
}

void StepText::feature(const FeatureKey& key, std::span<const elementary::ElementaryProofStep> steps) {
  using Kind = elementary::ElementaryProofStep::Kind;
  text_ += key[0] == 0 ? 'V' : 'E';
  for (std::size_t i = 1; i < 5; ++i) text_ += ' ' + std::to_string(key[i]);
  for (const elementary::ElementaryProofStep& step : steps) {
    switch (step.kind) {
      case Kind::direction:
        text_ += " D";
        add(step.n0);
        break;
      case Kind::turning:
        text_ += " T";
        add(step.n0);
        add(step.n1);
        break;
      case Kind::plane: text_ += " C"; break;
      case Kind::kept:
        text_ += " N " + std::to_string(step.parts);
        version_ = std::max(version_, '2');
        break;
    }
    add(step.until);
    if (step.until >= until_) break;
  }
  text_ += '\n';
}

std::string StepText::end() && {
  text_[first_line.size() - 1] = version_;
  return std::move(text_ += "end\n");
}

void StepText::end_features(std::size_t count) {
  before_.swap(text_);
  text_ += "F " + std::to_string(count) + '\n' + before_;
  before_.clear();
}

}  // namespace graze::engine::proof

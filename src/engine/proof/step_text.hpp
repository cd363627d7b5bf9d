// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include <graze/math/vec3.hpp>
#include <graze/mesh/mesh.hpp>

#include "engine/elementary/advancement.hpp"

namespace graze::engine::proof {

/// Kind (0: vertex and face, 1: two edges) and vertices of a pair of features, in canonical order.
using FeatureKey = std::array<std::uint32_t, 5>;

/// The certificate of a step, as docs/certificates.md describes it.
class StepText {
 public:
  /// `pairs`: which are proved. `bodies`: with `pairs` "bodies", the body of each polygon. `until`: the end of the
  /// time.
  void begin(const char* pairs, std::span<const std::uint32_t> bodies, double separation, double until);
  void triangles(const Mesh& mesh, std::span<const std::uint32_t> order);

  void one_body() { text_ += "O\n"; }
  void apart(const Vec3& n);
  void patch(const Vec3& along);
  /// `which`: P, A or B.
  void cut(char which, std::size_t left, std::size_t right);
  void feature(const FeatureKey& key, std::span<const elementary::ElementaryProofStep> steps);
  /// What follows until `end_features` is preceded by the number of features.
  void begin_features() { before_.swap(text_); }
  void end_features(std::size_t count);

  std::string end() &&;

 private:
  void add(double x);
  void add(const Vec3& n);

  std::string text_, before_;
  double until_ = 1;
  char version_ = '1';  ///< the first that has all that is in the text
};

}  // namespace graze::engine::proof

// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "proof.hpp"
#include "step.hpp"

namespace verify {

/// The question that the caller expects, as far as it was specified. A certificate states its own question; a
/// certificate with a modified question proves something else.
struct Expected {
  std::optional<std::string> pairs;                   ///< of a step: all, pieces, files, bodies=LIST, bodies=FILE
  std::optional<double> separation;                   ///< minimum separation, at least
  std::array<std::optional<std::string>, 2> motions;  ///< of moving bodies, as certificates write them
  std::optional<double> until;                        ///< end of the proved time, at least

  bool solid = false;  ///< of moving bodies: treat them as solids
  /// Not a part of the question: the work that the checker may do for moving bodies.
  std::optional<std::size_t> most_instants;

  bool of_step() const { return pairs.has_value(); }
  bool of_motion() const { return motions[0] || motions[1] || solid; }
  /// The names of the expectations that are compared.
  std::vector<std::string> compared() const {
    std::vector<std::string> names;
    if (pairs) names.push_back("pairs");
    if (separation) names.push_back("separation");
    if (motions[0]) names.push_back("motion a");
    if (motions[1]) names.push_back("motion b");
    if (until) names.push_back("until");
    if (solid) names.push_back("solid");
    return names;
  }
};

/// "0,1200": the first polygon of each body.
inline std::optional<std::vector<std::uint32_t>> bodies_from_list(const std::string& text, std::size_t polygons) {
  if (text.empty() || text.find_first_not_of("0123456789,") != text.npos) return {};
  std::vector<std::uint32_t> out(polygons);
  long long last = -1;
  std::size_t count = 0;
  Words words(text, ",");
  for (std::string_view word = words.next(); !word.empty(); word = words.next(), ++count) {
    long long first = 0;
    if (!read_whole(word, first) || first <= last || (count == 0 && first != 0) ||
        static_cast<std::size_t>(first) >= polygons)
      throw Unreadable("--expect bodies=" + text + ": the first polygon of each body, ascending from 0");
    last = first;
    for (std::size_t p = static_cast<std::size_t>(first); p < polygons; ++p) out[p] = static_cast<std::uint32_t>(count);
  }
  return out;
}

/// A number for each polygon.
inline std::vector<std::uint32_t> bodies_from_file(const std::string& name, std::size_t polygons) {
  const std::string text = read_bytes(name);
  std::vector<std::uint32_t> out;
  Words words(text);
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    long long body = 0;
    if (!read_whole(word, body) || body < 0 || body >= 0xffffffff) throw Unreadable(name + ": expected whole numbers");
    out.push_back(static_cast<std::uint32_t>(body));
  }
  if (out.size() != polygons)
    throw Unreadable(name + ": there are " + std::to_string(out.size()) + " numbers for " + std::to_string(polygons) +
                     " polygons");
  return out;
}

/// True if two lists define the same partition of the polygons, even if the numbers differ.
inline bool same_partition(const std::vector<std::uint32_t>& x, const std::vector<std::uint32_t>& y) {
  std::map<std::uint32_t, std::uint32_t> to, back;
  if (x.size() != y.size()) return false;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (to.emplace(x[i], y[i]).first->second != y[i] || back.emplace(y[i], x[i]).first->second != x[i]) return false;
  return true;
}

/// The bodies that the caller specified; empty for all and pieces. Throws `Unreadable`.
inline std::vector<std::uint32_t> expected_bodies(const std::string& pairs, const Mesh& mesh) {
  if (pairs == "all" || pairs == "pieces") return {};
  if (pairs == "files") {
    std::vector<std::uint32_t> out(mesh.polygons());
    for (std::size_t i = 0; i < mesh.files.size(); ++i)
      for (std::size_t p = mesh.files[i]; p < out.size(); ++p) out[p] = static_cast<std::uint32_t>(i);
    return out;
  }
  const std::string what = pairs.substr(std::string_view("bodies=").size());
  const auto list = bodies_from_list(what, mesh.polygons());
  return list ? *list : bodies_from_file(what, mesh.polygons());
}

/// Rejects a proof of another question. A proof of a stronger statement than expected also counts as another question,
/// except that a larger separation is accepted.
inline void check_question(const Expected& expected, const StepProof& proof, const Mesh& mesh) {
  if (expected.of_motion()) throw Rejected("another question: the certificate is about a step, not about two motions");
  if (expected.pairs) {
    const std::vector<std::uint32_t> bodies = expected_bodies(*expected.pairs, mesh);
    const std::string kind = bodies.empty() ? *expected.pairs : "bodies";
    if (proof.pairs != kind) throw Rejected("another question: pairs " + proof.pairs + ", not " + kind);
    if (!bodies.empty() && !same_partition(bodies, proof.bodies))
      throw Rejected("another question: the certificate puts other polygons together as bodies");
  }
  if (expected.separation && !(proof.separation >= *expected.separation))
    throw Rejected("another question: the separation is " + digits(proof.separation) + ", less than expected");
  // Who expects anything expects it of the whole step, unless another end is given.
  if ((expected.until || expected.pairs || expected.separation) && !(proof.until >= expected.until.value_or(1)))
    throw Rejected("another question: it ends at T=" + digits(proof.until) + ", before the end expected" +
                   (expected.until ? "" : ", which is that of the step; --expect-until states another one"));
}

/// Compares word by word, numbers by value.
inline bool same_words(const std::string& x, const std::string& y) {
  Words of_x(x), of_y(y);
  while (true) {
    const std::string_view a = of_x.next(), b = of_y.next();
    double p = 0, q = 0;
    if (a.empty() || b.empty()) return a.empty() && b.empty();
    const bool numbers = read_number(a, p) && read_number(b, q);
    if (numbers ? p != q : a != b) return false;
  }
}

inline void check_question(const Expected& expected, const Proof& proof) {
  if (expected.of_step()) throw Rejected("another question: the certificate is about two moving bodies, not a step");
  const std::array<const std::string*, 2> motions{&proof.motion_a, &proof.motion_b};
  for (std::size_t i = 0; i < 2; ++i)
    if (expected.motions[i] && !same_words(*expected.motions[i], *motions[i]))
      throw Rejected(std::string("another question: the motion of ") + "ab"[i] + " is not the one expected");
  if (expected.separation && !(proof.until > 0))
    throw Rejected("the certificate ends at t = 0, and proves nothing about any separation");
  if (expected.separation && !(proof.separation >= *expected.separation))
    throw Rejected("another question: the separation is " + digits(proof.separation) + ", less than expected");
  if (expected.until && !(proof.until >= *expected.until))
    throw Rejected("another question: it ends at T=" + digits(proof.until) + ", before the end expected");
}

/// The number of polygons that are not triangles. The certificate states how each is triangulated; for a non-planar
/// polygon this defines the surface.
inline std::size_t cut_polygons(const Mesh& mesh) {
  std::size_t count = 0;
  auto hole = mesh.holes.begin();
  for (std::size_t p = 0; p < mesh.polygons(); ++p) {
    const bool has_holes = hole != mesh.holes.end() && hole->polygon == p;
    count += has_holes || mesh.first[p + 1] - mesh.first[p] > 3;
    while (hole != mesh.holes.end() && hole->polygon == p) ++hole;
  }
  return count;
}
inline std::size_t cut_polygons(const Subject& subject) {
  std::size_t count = 0;
  for (const Piece& piece : subject.pieces) count += cut_polygons(piece.mesh);
  return count;
}

}  // namespace verify

// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <graze/mesh/mesh.hpp>

#include "harness/contest.hpp"
#include "scene/flights.hpp"
#include "scene/poses.hpp"

namespace graze::bench {

/// The question to a contestant; the answer is one number.
enum class Question {
  yes_no,           ///< do the surfaces meet: 0 or 1
  all_pairs,        ///< how many triangle pairs meet
  distance,         ///< least distance of the surfaces
  convex_yes_no,    ///< do the convex solids meet: 0 or 1
  convex_distance,  ///< least distance of the convex solids; queries are consecutive poses of flights
  build,            ///< rebuilds the tree of `a`: bytes it holds (0: not reported by the library)
};

struct Scene {
  Mesh a, b;
  std::vector<PosePair> poses;  ///< one pair per query
};

/// A library to compare with. Each has one small source file; one that is not installed has `enter == nullptr`.
struct Peer {
  std::string_view name;
  std::string_view package;  ///< the Debian package
  std::vector<Contestant> (*enter)(Question, const Scene&) = nullptr;
};

/// All peers, installed or not.
std::span<const Peer> peers();

/// graze, through its public API.
std::vector<Contestant> enter_graze(Question question, const Scene& scene);

// Defined in the files of the peers; each returns no contestant for a question it does not support.
std::vector<Contestant> enter_fcl_mesh(Question question, const Scene& scene);
std::vector<Contestant> enter_fcl_convex(Question question, const Scene& scene);
std::vector<Contestant> enter_libccd(Question question, const Scene& scene);
std::vector<Contestant> enter_ode(Question question, const Scene& scene);
std::vector<Contestant> enter_bullet(Question question, const Scene& scene);
std::vector<Contestant> enter_cgal(Question question, const Scene& scene);
std::vector<Contestant> enter_embree(Question question, const Scene& scene);

/// For finding poses: FCL if it is installed, else graze.
Meets meets(const Mesh& a, const Mesh& b);
Meets fcl_meets(const Mesh& a, const Mesh& b);
Meets graze_meets(const Mesh& a, const Mesh& b);

/// A peer's first contact: its time, none if it finds no contact. An empty function if the peer is not installed.
using PeerFirstContact = std::function<std::optional<double>(const Flight&)>;
PeerFirstContact fcl_first_contact(const Mesh& a, const Mesh& b, double tolerance);

/// Do two exactly placed triangles share a point? Computed with CGAL's rationals, independent of graze's code; nothing
/// without CGAL.
std::optional<bool> exactly_meet(const Scene& scene, std::size_t query, const IdPair& pair);

}  // namespace graze::bench

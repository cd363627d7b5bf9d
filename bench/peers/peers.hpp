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

/// What a contestant is asked; its answer as one number.
enum class Question {
  yes_no,           ///< do the surfaces meet: 0 or 1
  all_pairs,        ///< how many triangle pairs meet
  distance,         ///< least distance of the surfaces
  convex_yes_no,    ///< do the convex solids meet: 0 or 1
  convex_distance,  ///< least distance of the convex solids; queries follow each other in flights
  build,            ///< builds the tree of `a` anew: bytes it holds (0: the library does not say)
};

struct Scene {
  Mesh a, b;
  std::vector<PosePair> poses;  ///< one pair a query
};

/// A library to compare with. Each has one small file; one that is not installed has `enter == nullptr`.
struct Peer {
  std::string_view name;
  std::string_view package;  ///< Debian's
  std::vector<Contestant> (*enter)(Question, const Scene&) = nullptr;
};

/// All peers, installed or not.
std::span<const Peer> peers();

/// Ourselves, by the public API.
std::vector<Contestant> enter_graze(Question question, const Scene& scene);

// What the files of the peers define; each returns no contestant for a question it does not know.
std::vector<Contestant> enter_fcl_mesh(Question question, const Scene& scene);
std::vector<Contestant> enter_fcl_convex(Question question, const Scene& scene);
std::vector<Contestant> enter_libccd(Question question, const Scene& scene);
std::vector<Contestant> enter_ode(Question question, const Scene& scene);
std::vector<Contestant> enter_bullet(Question question, const Scene& scene);
std::vector<Contestant> enter_cgal(Question question, const Scene& scene);
std::vector<Contestant> enter_embree(Question question, const Scene& scene);

/// For finding poses: FCL where it is installed, else ourselves.
Meets meets(const Mesh& a, const Mesh& b);
Meets fcl_meets(const Mesh& a, const Mesh& b);
Meets graze_meets(const Mesh& a, const Mesh& b);

/// A peer's first contact: its time, none if it finds no contact. An empty function where the peer is not installed.
using PeerFirstContact = std::function<std::optional<double>(const Flight&)>;
PeerFirstContact fcl_first_contact(const Mesh& a, const Mesh& b, double tolerance);

/// Do two triangles, exactly placed, share a point? By CGAL's rationals, independent of our code; nothing without CGAL.
std::optional<bool> exactly_meet(const Scene& scene, std::size_t query, const IdPair& pair);

}  // namespace graze::bench

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <graze/gpu/deform.hpp>
#include <graze/math/vec3.hpp>

#include "gpu/buffer.hpp"
#include "gpu/deform/boxes.hpp"
#include "gpu/deform/frame.hpp"

namespace graze::gpu {

/// Two features whose boxes meet, by place: a vertex and a face, or two edges.
struct Candidate {
  std::uint32_t a, b;
};

/// Times of the part of the step that is asked about, from 0 to 1.
struct Window {
  float low, high;
};
/// What is left of a candidate: it is certified apart before and after the window.
struct NearPair {
  Candidate pair;
  Window window;
};

/// A pair of clusters.
struct ClusterPair {
  std::uint32_t a, b;
};

/// A contact as it is found: by names, with its kind as the highest bit of `a`.
struct FoundContact {
  std::uint32_t a, b;
  double safe, touch, gap;
  std::uint32_t at_start;
};
constexpr std::uint32_t edges_bit = 0x80000000u;

/// A pair that the device leaves to the host, and its points.
struct LeftPair {
  std::uint32_t a, b;  ///< as in FoundContact
  Vec3 points[8];
};

/// Boxes of features, of clusters of 32, of 32 clusters, and of 32 of those; by place.
struct BoxTree {
  BoxPair* level[4];
  std::uint32_t size[4];
};

/// The same of features and clusters in 15 bits; the clusters' are swapped.
struct PackedTree {
  PackedBox *features, *clusters;
};

struct Edge {
  std::uint32_t a, b;
};
struct Face {
  std::uint32_t a, b, c;
};

/// How a body meets itself and others, as `DeformBody`.
struct BodyRule {
  std::uint32_t self, group, mask;
};
/// Who may touch whom (`DeformFilter`), without the caller's predicate.
struct Rules {
  const std::uint32_t* piece;  ///< of each vertex; null: pairs within one piece count
  const std::uint32_t* body;   ///< null: there is no filter
  const BodyRule* settings;
  std::uint32_t settings_count;
  const Edge* off;  ///< pairs of bodies, the lower first, ascending
  std::uint32_t off_count;
  const std::uint8_t* fixed;
};

/// Counters of a step, in one piece of memory that is cleared before it.
struct StepCounts {
  std::uint64_t pairs[2];       ///< of clusters of vertices and faces, of edges
  std::uint64_t candidates[2];  ///< of vertices and faces, of edges
  std::uint64_t near[2];        ///< what the filter leaves of these
  std::uint64_t rest[2];        ///< what is no plain contact
  std::uint64_t hard[2];        ///< what is not decided quickly
  std::uint64_t contacts;
  std::uint64_t left;
  std::uint64_t unframed;  ///< 1: a vertex is outside of the frame
  // Of these the least is wanted: the greatest of their complements is kept.
  std::uint64_t not_finite;  ///< the first vertex with a position that is not
  std::uint64_t earliest_touch, earliest_safe, earliest_name;
};

/// The other feature of a contact, and which contact it is.
struct InBucket {
  std::uint32_t b, contact;
};

/// How contacts are put in order: one bucket for each vertex, then one for each edge, of those that come first in
/// pairs.
struct OrderView {
  std::uint32_t* filled;  ///< how many contacts a bucket has; later where its next one goes
  std::uint32_t* first;   ///< where it starts
  std::uint32_t* chunk;   ///< how many are in 1024 buckets
  std::uint32_t buckets;
  InBucket* in_buckets;
  StepContact* sorted;
};

/// All that the kernels of a step read and write.
struct StepView {
  // The mesh.
  const std::uint32_t* vertices;  ///< by place
  const Edge* edges;              ///< by place
  const Face* faces;              ///< by place
  const std::uint32_t* edge_at;   ///< names by place
  const std::uint32_t* face_at;
  const Edge* edges_by_name;
  const Face* faces_by_name;
  std::uint32_t vertex_names;  ///< how many vertices the mesh has, used or not
  Rules rules;
  // The step.
  const Vec3 *start, *end;
  double unit;    ///< a power of two that brings coordinates into the range of floats
  double margin;  ///< how near counts as contact: minimum separation and given tolerance; 0: by default
  double min_separation, tolerance;
  bool exact;
  std::uint32_t batches;  ///< of 32 candidates, that a warp of the sieve gets at least
  double until;           ///< only contacts until then are wanted: a power of two
  Frame frame;
  float framed_margin;  ///< `margin` in the frame, rounded up
  // Its work.
  const Edge* placed_edges;  ///< by place, of places of vertices
  const Face* placed_faces;
  FramedVertex* framed;  ///< by place
  PackedTree packed[3];  ///< of vertices, faces, edges
  BoxTree vertex_boxes, face_boxes, edge_boxes;
  StepCounts* counts;
  List<ClusterPair> pairs[2];
  List<Candidate> candidates[2];
  List<NearPair> near[2], rest[2], hard[2];
  List<FoundContact> contacts;
  List<LeftPair> left;
  // Its answer, in order.
  OrderView order;
};

/// The bucket of a contact, by its first feature.
GRAZE_DEVICE std::uint32_t bucket_of(const StepView& s, std::uint32_t a) {
  return (a & edges_bit) != 0 ? s.vertex_names + (a & ~edges_bit) : a;
}

}  // namespace graze::gpu

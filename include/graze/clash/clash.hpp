// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <graze/ask/collide.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/limits.hpp>
#include <graze/core/status.hpp>
#include <graze/math/box3.hpp>
#include <graze/math/pose.hpp>
#include <graze/math/vec3.hpp>
#include <graze/mesh/mesh.hpp>

/// Clash detection: all pairs of an assembly's parts that share a point, or that are closer than a clearance.
///
///   clash::Assembly assembly;
///   assembly.geometries = {clash::geometry(bolt), clash::geometry(plate)};
///   assembly.parts = {{.name = "bolt 1", .geometry = 0}, {.name = "plate", .geometry = 1}};
///   for (const clash::Clash& c : clash::check(assembly, {.clearance = 0.01}).clashes) ...
namespace graze::clash {

/// A mesh, and how to get it. Parts that are instances of one mesh share its geometry, and so its tree.
struct Geometry {
  /// Returns the mesh, always the same. Called when a pair first needs it, and again if it was given up since; at the
  /// same time for different geometries, if there are several threads. May throw `Error`: then its parts are unread.
  std::function<Mesh()> load;
  Box3 box;  ///< contains the mesh (`Mesh::box()`)
};
/// A geometry whose mesh stays in memory.
GRAZE_API Geometry geometry(Mesh mesh);

/// A geometry at a place.
struct Part {
  std::string name = {};
  std::uint32_t geometry = 0;  ///< index into `Assembly::geometries`
  Pose pose = {};
  std::string group = {};  ///< what the part belongs to: a file, a storey, a trade
  std::string guid = {};   ///< for exchange with other programs; not read here
  std::string file = {};   ///< where it came from; for reports
};

struct Assembly {
  std::vector<Geometry> geometries;
  std::vector<Part> parts;
};

/// Does the whole text match the pattern? '*' stands for any characters, also none; '?' for one character of UTF-8;
/// [abc], [a-z] and [!a] for one byte of a set, or not of it. A set that is not closed is a plain bracket.
GRAZE_API bool matches(std::string_view pattern, std::string_view text);

/// What holds for pairs of certain parts. A pattern is compared with the part's name and, if it holds no '/', also with
/// each of the components between the '/' of the name. After an '@' it is compared with the part's group instead.
struct Rule {
  std::string a = "*", b = "*";                          ///< one part must match `a`, the other `b`, in either order
  bool ignore = false;                                   ///< the pair is not asked
  std::optional<double> clearance = {}, tolerance = {};  ///< instead of those of the options
};

/// How two parts clash.
enum class Kind {
  crossing,   ///< the surfaces cross
  overlap,    ///< both are closed, the surfaces only touch, and the interiors share a point
  inside,     ///< the surfaces share no point, and one part (or a piece of it) is inside the other, which is closed
  duplicate,  ///< the same geometry at the same pose
  touching,   ///< the surfaces touch, and no more than that is known to be shared; or see `tolerance`
  near        ///< no common point, but at most the clearance apart
};
/// "crossing", "overlap", "inside", "duplicate", "touching", "near".
GRAZE_API const char* name(Kind kind);
GRAZE_API std::optional<Kind> kind_named(std::string_view name);

struct Clash {
  std::uint32_t a = 0, b = 0;  ///< indices of parts, a < b
  Kind kind = Kind::touching;
  Containment contained = Containment::none;  ///< of `inside`
  double distance = 0;                        ///< of `near`, with a relative error of at most 1e-9; else 0
  /// With `Options::depth`, unless `touching` or `near`: the length of a translation of B after which the parts share
  /// no inner point, certified (`PenetrationResult::upper`); it is the shortest for convex parts, and locally the
  /// shortest for others. Without `depth`, or if that is shorter: along an axis until the boxes part.
  double depth = 0;
  /// A point on A and one on B, in world coordinates, rounded; of `near` the closest ones.
  std::array<Vec3, 2> points{};
  Box3 overlap;  ///< the intersection of the parts' boxes in the world; empty: there is none
  double overlap_volume() const;
  friend bool operator==(const Clash&, const Clash&) = default;
};

/// Parts or pairs without an answer.
struct Unanswered {
  std::uint32_t a = 0;
  std::optional<std::uint32_t> b = {};  ///< none: part a could not be read, and no pair of it was asked
  ErrorDetail error;                    ///< why
};

struct Progress {
  std::uint64_t rows_done = 0, rows = 0;  ///< see `Checker`
  std::uint64_t pairs = 0, clashes = 0;   ///< so far
};

struct Options {
  double clearance = 0;  ///< above 0: pairs that are at most this far apart are `near`. Decided exactly (`within`)
  /// Above 0: a pair that shares more than surface points counts as `touching` if some translation by at most this is
  /// certified to part it. If none is found, it is reported as what it is: a tolerance hides no clash by mistake.
  double tolerance = 0;
  bool touching = true;          ///< report pairs that touch
  bool depth = false;            ///< compute depths from the surfaces, not only from the boxes
  bool within_groups = true;     ///< false: parts of one group are not compared with each other
  std::vector<Rule> rules = {};  ///< the first that fits a pair decides about it
  /// End after this many clashes; 0: no limit. Each takes about 130 bytes, and n parts in one place have n^2 / 2.
  std::size_t most = 0;
  /// Bytes of meshes and trees that may be kept for later pairs; 0: no limit. What no later pair needs is always freed.
  std::size_t memory = 0;
  int threads = 1;  ///< the answer is the same for any number
  /// Of each pair; a step is a test of two boxes or triangles. 0: no limit. See `CancelToken` for all three.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};  ///< of the whole run
  CancelToken cancel = {};
  std::function<void(const Progress&)> progress = {};  ///< called often, by the calling thread; may throw
};

struct Result {
  /// `contact`: there are clashes. `free`: certified, there are none. `undecided`: no clash was found, but `unanswered`
  /// is not empty, or a limit ended the run.
  Status status = Status::undecided;
  bool complete = false;               ///< all rows were done, and nothing is unanswered
  std::vector<Clash> clashes;          ///< sorted by (a, b)
  std::vector<Unanswered> unanswered;  ///< sorted by (a, b), parts before pairs
  std::uint64_t rows = 0;              ///< how many were done
  std::uint64_t near_pairs = 0;        ///< whose boxes are within the clearance, ignored ones not counted
  std::uint64_t ignored_pairs = 0;     ///< of these, by rules or groups
  std::uint64_t asked_pairs = 0;       ///< for which surfaces were compared
  std::uint64_t built = 0;             ///< trees built, those built again included
  std::size_t most_bytes = 0;          ///< the most bytes of meshes and trees that were kept at one time
  double seconds = 0;
};

/// A clash check that can be done in parts: by several processes, or a little at a time.
///
/// Parts are taken in the order in which a plane would meet their boxes as it moves along the longest axis of the
/// assembly. Row i asks the pairs of part i, in this order, with earlier parts. So every pair belongs to exactly one
/// row, rows that follow each other need nearly the same parts, and a tree is freed when the plane has passed all
/// instances of its geometry. Clashes and unanswered pairs of all rows, sorted, are those of one run over all of them.
class GRAZE_API Checker {
 public:
  /// Throws `Error`: bad_option, not_finite, index_out_of_range (a part's geometry), empty_mesh (a box).
  Checker(Assembly assembly, Options options = {});
  ~Checker();
  Checker(Checker&&) noexcept;
  Checker& operator=(Checker&&) noexcept;

  const Assembly& assembly() const;
  std::uint64_t rows() const;  ///< as many as parts
  /// The part of a row.
  std::uint32_t part_of(std::uint64_t row) const;
  /// The rows [first, last). One call at a time. Throws `Error` (bad_option) for rows that do not exist, and what
  /// `progress` throws.
  Result run(std::uint64_t first, std::uint64_t last);
  Result run() { return run(0, rows()); }
  /// Frees all meshes and trees.
  void forget();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// All clashes of an assembly. Throws `Error` as `Checker` does.
GRAZE_API Result check(Assembly assembly, const Options& options = {});

}  // namespace graze::clash

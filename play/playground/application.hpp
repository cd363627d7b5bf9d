// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <graze/math/pose.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze::play {

/// A body as a page shows it.
struct Shown {
  std::string name;
  Mesh mesh;  ///< of a shape one that looks like it
  Pose pose = {};
  bool held = false;                         ///< a hand may drag it
  bool fixed = false;                        ///< it never moves
  std::vector<Vec3> positions = {};          ///< of the vertices now, before `pose`; empty: the mesh's own
  std::vector<std::uint32_t> touching = {};  ///< triangles that touch something
};

/// What a hand does in one frame.
struct Input {
  double time = 1.0 / 60;  ///< how long the frame is
  bool holding = false;    ///< false: the hand is away
  std::size_t body = 0;    ///< which one it holds
  Pose target = {};        ///< where it wants that body
};

struct FrameContact {
  Vec3 point, normal;
  std::size_t a = 0, b = 0;  ///< the bodies
};

struct Frame {
  std::vector<FrameContact> contacts;
  std::vector<std::string> events;        ///< such as "left pressed"
  std::map<std::string, double> numbers;  ///< such as "seconds", "volume"
};

/// One page of the playground. The same inputs give the same frames: what was played can be repeated from a list of its
/// inputs.
class Application {
 public:
  virtual ~Application() = default;
  std::span<const Shown> bodies() const { return bodies_; }
  virtual Frame frame(const Input& input) = 0;
  /// A switch or a button of the page. Throws `Error` (bad_option) for a name or value that the application does not
  /// have.
  virtual void set(std::string_view name, std::string_view value);

 protected:
  std::vector<Shown> bodies_;
};

struct ApplicationInfo {
  std::string_view name, summary;
  std::string_view settings;  ///< "order=first|second", one after another, separated by blanks
  std::unique_ptr<Application> (*make)(double detail);
};
/// In the order in which the page lists them. Detail 1: all triangles; 0.1: a tenth of them.
std::span<const ApplicationInfo> applications();
/// Throws `Error` (bad_option) if there is none of that name, or if the detail is not in (0, 1].
std::unique_ptr<Application> make_application(std::string_view name, double detail = 1);

/// Throws `Error` (bad_option): this setting is not known.
[[noreturn]] void unknown_setting(std::string_view name, std::string_view value);

}  // namespace graze::play

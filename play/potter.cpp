// SPDX-License-Identifier: MIT
#include "potter.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <graze/ask/collide.hpp>
#include <graze/core/error.hpp>
#include <graze/mesh/classify.hpp>

#include "refuse.hpp"

namespace graze::play {
namespace {

/// So many presses can be taken back.
constexpr std::size_t most_undo = 200;
/// Rounds of smoothing: each takes away a good part of what is too rough.
constexpr int most_rounds = 60;

void require(bool holds, const char* what) {
  if (!holds) refuse(what);
}

Vec3 nearest_on(const Vec3& a, const Vec3& b, const Vec3& p) {
  const Vec3 along = b - a;
  const double square = dot(along, along);
  if (!(square > 0)) return a;
  return a + along * std::fmin(1, std::fmax(0, dot(p - a, along) / square));
}

/// 1 up to the tool's surface, 0 at the end of the vicinity, smooth between: (1 - s^2)^2, whose slope is at most 1.54.
double weight(double outside, double vicinity) {
  if (outside <= 0) return 1;
  const double s = outside / vicinity;
  return s < 1 ? (1 - s * s) * (1 - s * s) : 0;
}
constexpr double steepest = 1.54;

Body shape_of(const Tool& tool) {
  const Vec3 along = tool.to - tool.from;
  if (!(length(along) > 0)) return Body(shape::Sphere{tool.radius});
  return Body(shape::Capsule{tool.radius, length(along)});
}

/// The capsule's axis is z, and its centre the origin.
Pose pose_of(const Tool& tool) {
  const Vec3 middle = (tool.from + tool.to) * 0.5, along = tool.to - tool.from;
  const double size = length(along);
  if (!(size > 0)) return Pose(middle);
  const Vec3 n = along * (1 / size);
  // Half way between z and n; against z, about x.
  if (n.z < -0.999999) return Pose(middle, {0, 1, 0, 0});
  return Pose(middle, {1 + n.z, -n.y, n.x, 0});
}

Tool placed(const Tool& tool, const Pose& from, const Pose& to, double t) {
  const auto at = [&](const Vec3& p) { return from.apply(p) * (1 - t) + to.apply(p) * t; };
  return {at(tool.from), at(tool.to), tool.radius};
}

}  // namespace

std::vector<Tool> finger_tip(double size) { return {{{0, 0, 0}, {0, 0, 0}, 0.05 * size}}; }

std::vector<Tool> forefinger(double size) {
  std::vector<Tool> result;
  for (int part = 0; part < 3; ++part)
    result.push_back({{0.14 * size * part, 0, 0}, {0.14 * size * (part + 1), 0, 0}, (0.055 - 0.005 * part) * size});
  return result;
}

std::vector<Tool> whole_hand(double size) {
  std::vector<Tool> result{{{-0.25 * size, 0, 0}, {-0.1 * size, 0, 0}, 0.14 * size}};
  for (int finger = 0; finger < 5; ++finger) {
    const double spread = 0.35 * (finger - 2), side = 0.08 * size * (finger - 2);
    const Vec3 along{std::cos(spread), std::sin(spread), 0};
    for (int part = 0; part < 3; ++part) {
      const double bend = -0.02 * part * part;  // slightly bent
      result.push_back({Vec3{0, side, 0.05 * bend * size} + along * (0.12 * size * part),
                        Vec3{0, side, bend * size} + along * (0.12 * size * (part + 1)), (0.05 - 0.005 * part) * size});
    }
  }
  return result;
}

Potter::Potter(const Mesh& pot, const PotterOptions& options)
    : options_(options), body_(pot), positions_(pot.positions().begin(), pot.positions().end()) {
  require(options.vicinity > 0 && options.vicinity <= 100, "a potter's vicinity is above 0 and at most 100 radii");
  require(options.roughness > 0 && options.roughness <= 10, "a potter's roughness is above 0 and at most 10");
  const Classification found = classify(pot);
  require(found.closed && found.oriented, "a pot must be a closed surface; graze info tells where it is open");
  neighbours_.resize(positions_.size());
  triangles_.resize(positions_.size());
  std::uint32_t number = 0;
  for (const Triangle& t : pot.triangles()) {
    for (std::size_t k = 0; k < 3; ++k) {
      triangles_[t[k]].push_back(number);
      neighbours_[t[k]].push_back(t[(k + 1) % 3]);
      neighbours_[t[k]].push_back(t[(k + 2) % 3]);
    }
    ++number;
  }
  for (auto& list : neighbours_) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  noted_.assign(positions_.size(), 0);
}

double Potter::volume() const {
  double sum = 0;
  const Vec3 middle = positions_.front();
  for (const Triangle& t : body_.mesh().triangles())
    sum += dot(positions_[t[0]] - middle, cross(positions_[t[1]] - middle, positions_[t[2]] - middle)) / 6;
  return sum;
}

Vec3 Potter::mean_of_neighbours(std::uint32_t vertex) const {
  Vec3 sum;
  for (const std::uint32_t n : neighbours_[vertex]) sum = sum + positions_[n];
  return sum * (1.0 / static_cast<double>(neighbours_[vertex].size()));
}

Vec3 Potter::normal_of(std::uint32_t vertex) const {
  Vec3 sum;
  for (const std::uint32_t number : triangles_[vertex]) {
    const Triangle& t = body_.mesh().triangles()[number];
    sum = sum + cross(positions_[t[1]] - positions_[t[0]], positions_[t[2]] - positions_[t[0]]);
  }
  const double size = length(sum);
  return size > 0 ? sum * (1 / size) : sum;
}

double Potter::roughness_of(std::uint32_t vertex) const {
  if (neighbours_[vertex].empty()) return 0;
  double edges = 0;
  for (const std::uint32_t n : neighbours_[vertex]) edges += length(positions_[n] - positions_[vertex]);
  if (!(edges > 0)) return 0;
  return length(positions_[vertex] - mean_of_neighbours(vertex)) * static_cast<double>(neighbours_[vertex].size()) /
         edges;
}

double Potter::roughest() const {
  double most = 0;
  for (std::uint32_t v = 0; v < positions_.size(); ++v) most = std::fmax(most, roughness_of(v));
  return most;
}

void Potter::set(std::uint32_t vertex, const Vec3& position) {
  if (noted_[vertex] != press_) {
    noted_[vertex] = press_;
    change_.vertices.push_back(vertex);
    change_.before.push_back(positions_[vertex]);
  }
  positions_[vertex] = position;
}

void Potter::push(const Tool& tool, const Vec3& way) {
  const double vicinity = options_.vicinity * tool.radius, reach = tool.radius + vicinity;
  Box3 around;
  around.add(tool.from), around.add(tool.to);
  around = {around.lo - Vec3{reach, reach, reach}, around.hi + Vec3{reach, reach, reach}};
  for (std::uint32_t v = 0; v < positions_.size(); ++v) {
    const Vec3 p = positions_[v];
    if (!around.contains(p)) continue;
    const double w = weight(length(p - nearest_on(tool.from, tool.to, p)) - tool.radius, vicinity);
    if (w == 0) continue;
    set(v, p + (options_.mode == PushMode::along ? way : normal_of(v) * -length(way)) * w);
  }
}

/// Moves vertices that are too rough half way to their neighbours' mean, again and again, and whom that makes rough.
void Potter::smooth(std::vector<std::uint32_t> rough) {
  for (int round = 0; round < most_rounds && !rough.empty(); ++round) {
    std::vector<std::uint32_t> next;
    for (const std::uint32_t v : rough) {
      if (roughness_of(v) <= options_.roughness) continue;
      set(v, (positions_[v] + mean_of_neighbours(v)) * 0.5);
      next.push_back(v);
      next.insert(next.end(), neighbours_[v].begin(), neighbours_[v].end());
    }
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    rough = std::move(next);
  }
}

PressReport Potter::press(std::span<const Tool> hand, const Pose& from, const Pose& to) {
  const auto start = std::chrono::steady_clock::now();
  PressReport report;
  change_ = {};
  ++press_;
  // Steps so short that a push maps space one to one.
  double longest = 0;
  for (const Tool& tool : hand) {
    require(tool.radius > 0 && std::isfinite(tool.radius), "a tool's radius must be finite and above 0");
    const double way =
        std::fmax(length(to.apply(tool.from) - from.apply(tool.from)), length(to.apply(tool.to) - from.apply(tool.to)));
    longest = std::fmax(longest, way / (options_.vicinity * tool.radius));
  }
  const int steps = static_cast<int>(std::fmin(64, std::fmax(1, std::ceil(longest * steepest * 2))));
  CollideOptions all;
  all.all = true;
  for (int step = 0; step < steps; ++step) {
    bool pushed = false;
    for (const Tool& tool : hand) {
      const Tool before = placed(tool, from, to, static_cast<double>(step) / steps);
      const Tool after = placed(tool, from, to, static_cast<double>(step + 1) / steps);
      const CollideResult hit = collide(body_, Pose(), shape_of(after), pose_of(after), all);
      if (hit.status != Status::contact) continue;
      report.touched += hit.pairs.size();
      push(before, (after.from + after.to - before.from - before.to) * 0.5);
      pushed = true;
    }
    if (!pushed) continue;
    smooth(change_.vertices);
    body_ = body_.deformed(positions_);
  }
  report.moved = change_.vertices.size();
  if (!change_.vertices.empty()) {
    history_.push_back(std::move(change_));
    if (history_.size() > most_undo) history_.erase(history_.begin());
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

bool Potter::undo() {
  if (history_.empty()) return false;
  const Change last = std::move(history_.back());
  history_.pop_back();
  for (std::size_t i = 0; i < last.vertices.size(); ++i) positions_[last.vertices[i]] = last.before[i];
  body_ = body_.deformed(positions_);
  return true;
}

}  // namespace graze::play

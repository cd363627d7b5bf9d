// SPDX-License-Identifier: MIT
#include "view/view_document.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>

namespace graze::app {
namespace {

static_assert(std::endian::native == std::endian::little, "the page reads little-endian numbers");

template <class T>
std::string base64_of(std::span<const T> values) {
  return base64({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

Json mesh_json(const Mesh& mesh) {
  Json out;
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  const PolygonList& polygons = mesh.polygons();
  out["positions"] = base64_of(mesh.positions());
  out["corners"] = base64_of(std::span<const std::uint32_t>(polygons.corners));
  bool only_triangles = polygons.corners.size() == 3 * polygons.size();
  for (std::size_t i = 0; only_triangles && i < polygons.size(); ++i) only_triangles = polygons.first[i] == 3 * i;
  if (!only_triangles) out["first"] = base64_of(std::span<const std::uint32_t>(polygons.first));
  return out;
}

/// As `web/graze` takes a motion.
Json motion_json(const BodyMotion& motion, MotionKind kind) {
  Json out{{"from", to_json(motion.from)}, {"kind", name(kind)}};
  if (motion.to) out["to"] = to_json(*motion.to);
  if (motion.speeds) {
    const auto& [v, w] = *motion.speeds;
    out["velocity"] = Json::array({v.x, v.y, v.z, w.x, w.y, w.z});
  }
  if (motion.reference) out["reference"] = to_json(*motion.reference);
  return out;
}

Json track_json(const std::vector<std::optional<Pose>>& track) {
  std::vector<double> numbers;
  for (const std::optional<Pose>& pose : track) {
    const double nowhere = std::numeric_limits<double>::quiet_NaN();
    const Vec3 t = pose ? pose->translation() : Vec3{nowhere, nowhere, nowhere};
    const Quat q = pose ? pose->rotation() : Quat{};
    numbers.insert(numbers.end(), {t.x, t.y, t.z, q.w, q.x, q.y, q.z});
  }
  return base64_of(std::span<const double>(numbers));
}

Json body_json(const ViewBody& body) {
  Json out{{"name", body.name}, {"mesh", body.mesh}, {"pose", to_json(body.pose)}};
  if (!body.shape.empty()) out["shape"] = body.shape;
  if (body.picture_only) out["picture_only"] = true;
  if (body.motion) out["motion"] = motion_json(*body.motion, body.motion_kind);
  if (!body.track.empty()) out["track"] = track_json(body.track);
  if (body.frames.empty()) return out;
  out["frames"] = Json::array();
  for (const std::vector<Vec3>& frame : body.frames) out["frames"].push_back(base64_of(std::span<const Vec3>(frame)));
  return out;
}

/// The slider's time as a frame and the way to the next one.
std::pair<std::size_t, double> frame_at(const ViewDocument& view, double time) {
  if (view.frames == 0) return {0, 0};
  const std::size_t last = view.frames - 1;
  if (view.times.empty()) {
    const double whole = std::clamp(std::floor(time), 0.0, static_cast<double>(last));
    return {static_cast<std::size_t>(whole), std::clamp(time - whole, 0.0, 1.0)};
  }
  std::size_t i = 0;
  while (i + 1 < last && view.times[i + 1] <= time) ++i;
  const double length = i < last ? view.times[i + 1] - view.times[i] : 0;
  return {i, length > 0 ? std::clamp((time - view.times[i]) / length, 0.0, 1.0) : 0};
}

}  // namespace

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (k < count ? static_cast<std::uint8_t>(bytes[i + k]) : std::uint8_t{0});
    for (std::size_t k = 0; k < 4; ++k) out += k <= count ? digits[word >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::string document_text(const ViewDocument& view) {
  Json out{{"graze_view", 1}, {"title", view.title}, {"command", view.command}, {"frames", view.frames}};
  if (!view.times.empty()) out["times"] = view.times;
  for (const char* key : {"meshes", "bodies", "answers", "tables"}) out[key] = Json::array();
  for (const Mesh& mesh : view.meshes) out["meshes"].push_back(mesh_json(mesh));
  for (const ViewBody& body : view.bodies) out["bodies"].push_back(body_json(body));
  for (const Json& answer : view.answers) out["answers"].push_back(answer);
  for (const ViewTable& table : view.tables) out["tables"].push_back(Json{{"name", table.name}, {"csv", table.csv}});
  // A file name need not be UTF-8; JSON must be.
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<Placement> placement(const ViewDocument& view, const ViewBody& body, double time) {
  if (body.motion) return to_motion(*body.motion, body.motion_kind).at(std::clamp(time, 0.0, 1.0));
  if (body.track.empty()) return Motion(Still{body.pose}).at(0);
  const auto [frame, way] = frame_at(view, time);
  const std::optional<Pose>& from = body.track[frame];
  if (!from) return std::nullopt;
  if (way == 0 || frame + 1 >= body.track.size() || !body.track[frame + 1]) return Motion(Still{*from}).at(0);
  return Motion(Velocity(*from, *body.track[frame + 1])).at(way);
}

std::vector<Vec3> vertices(const ViewDocument& view, const ViewBody& body, double time) {
  const std::span<const Vec3> own = view.meshes[body.mesh].positions();
  if (body.frames.empty()) return {own.begin(), own.end()};
  const auto [frame, way] = frame_at(view, time);
  std::vector<Vec3> out = body.frames[frame];
  if (frame + 1 < body.frames.size())
    for (std::size_t i = 0; i < out.size(); ++i) {
      const Vec3 &a = out[i], &b = body.frames[frame + 1][i];
      out[i] = {a.x + way * (b.x - a.x), a.y + way * (b.y - a.y), a.z + way * (b.z - a.z)};
    }
  return out;
}

}  // namespace graze::app

// SPDX-License-Identifier: MIT
#include "view/picture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <set>

#include "view/canvas.hpp"

namespace graze::app {
namespace {

// The colours of web/viewer/src/picture.ts.
constexpr std::array<std::uint32_t, 8> body_colours{0x5b8fd0, 0xe0a04a, 0x6fb184, 0xb58fc9,
                                                    0xcfc06b, 0x6cc0c4, 0xcf8a8a, 0x9aa3b2};
constexpr Colour marked{0.88f, 0.19f, 0.16f};

Colour colour_of_body(std::size_t body) {
  const std::uint32_t rgb = body_colours[body % body_colours.size()];
  const auto part = [&](unsigned shift) { return static_cast<float>(rgb >> shift & 0xFF) / 255; };
  return {part(16), part(8), part(0)};
}

Vec3 minus(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vec3 cross_of(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double dot_of(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec3 unit(const Vec3& a) {
  const double length = std::sqrt(dot_of(a, a));
  return length > 0 ? Vec3{a.x / length, a.y / length, a.z / length} : Vec3{0, 0, 1};
}

/// Looks at a box from the right, the front and above, as the page does.
struct Camera {
  Vec3 eye, right, up, back;
  double width, height, scale;  ///< of the raster; pixels for a unit at distance 1

  Camera(const Vec3& lo, const Vec3& hi, const Canvas& canvas) : width(canvas.width()), height(canvas.height()) {
    constexpr double view_angle = 40 * std::numbers::pi / 180;
    const Vec3 centre{lo.x / 2 + hi.x / 2, lo.y / 2 + hi.y / 2, lo.z / 2 + hi.z / 2};
    const Vec3 half{hi.x / 2 - lo.x / 2, hi.y / 2 - lo.y / 2, hi.z / 2 - lo.z / 2};
    back = unit({0.5, -1, 0.5});
    right = unit(cross_of({0, 0, 1}, back));
    up = cross_of(back, right);
    scale = height / 2 / std::tan(view_angle / 2);
    // So near that every corner of the box is in the picture.
    double far = std::max(std::sqrt(dot_of(half, half)), 1e-12);
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 d{corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y, corner & 4 ? half.z : -half.z};
      constexpr double margin = 1.06;
      const double across = std::max(std::abs(dot_of(d, right)) / (width / 2), std::abs(dot_of(d, up)) / (height / 2));
      far = std::max(far, dot_of(d, back) + margin * scale * across);
    }
    eye = {centre.x + far * back.x, centre.y + far * back.y, centre.z + far * back.z};
  }

  /// Nothing: behind the eye.
  std::optional<Vec3> project(const Vec3& p) const {
    const Vec3 d = minus(p, eye);
    const double depth = -dot_of(d, back);
    if (!(depth > 0)) return std::nullopt;
    return Vec3{width / 2 + scale * dot_of(d, right) / depth, height / 2 - scale * dot_of(d, up) / depth, 1 / depth};
  }
};

/// A body in the world.
struct PlacedBody {
  std::size_t number;
  std::vector<Vec3> points;
};

std::vector<PlacedBody> placed_bodies(const ViewDocument& view, double time) {
  std::vector<PlacedBody> out;
  for (std::size_t i = 0; i < view.bodies.size(); ++i) {
    const std::optional<Placement> at = placement(view, view.bodies[i], time);
    if (!at) continue;
    out.push_back({i, vertices(view, view.bodies[i], time)});
    for (Vec3& p : out.back().points) p = at->apply(p);
  }
  return out;
}

void draw_body(Canvas& canvas, const Camera& camera, const Mesh& mesh, const PlacedBody& body,
               const std::set<std::size_t>& lit) {
  const Colour own = colour_of_body(body.number);
  std::size_t number = 0;
  for (const Triangle& triangle : mesh.triangles()) {
    const bool lights_up = lit.contains(number++);
    std::array<Vec3, 3> world, corners;
    bool whole = true;
    for (std::size_t k = 0; k < 3 && whole; ++k) {
      world[k] = body.points[triangle[k]];
      const std::optional<Vec3> seen = camera.project(world[k]);
      whole = seen.has_value();
      if (whole) corners[k] = *seen;
    }
    if (!whole) continue;
    const Vec3 normal = unit(cross_of(minus(world[1], world[0]), minus(world[2], world[0])));
    // Light from the eye's upper right and some from the sky; both sides of a face are alike.
    const Vec3 light = unit({camera.back.x + 0.5 * camera.right.x + 0.8 * camera.up.x,
                             camera.back.y + 0.5 * camera.right.y + 0.8 * camera.up.y,
                             camera.back.z + 0.5 * camera.right.z + 0.8 * camera.up.z});
    const double facing = dot_of(normal, minus(camera.eye, world[0])) < 0 ? -1 : 1;
    const double shade = 0.52 + 0.12 * facing * normal.z + 0.5 * std::max(0.0, facing * dot_of(normal, light));
    Colour colour = lights_up ? marked : own;
    if (!lights_up)
      for (float& part : colour) part = static_cast<float>(part * shade);
    if (lights_up)
      for (Vec3& corner : corners) corner.z *= 1 + 1e-4;  // above its neighbours
    canvas.triangle(corners, colour);
  }
}

void add_point(PictureMarks& marks, const Json& point) {
  if (point.is_array() && point.size() == 3 && point[0].is_number())
    marks.points.push_back({point[0].get<double>(), point[1].get<double>(), point[2].get<double>()});
}

std::optional<double> touch_time(const Json& answer) {
  const char* const key = answer.contains("when") ? "when" : "time";  // a trajectory has a time of its own
  if (!answer.contains(key) || !answer[key].is_array() || answer[key].size() != 2) return std::nullopt;
  const Json& touch = answer[key][1];  // not finite: there is none
  return touch.is_number() && std::isfinite(touch.get<double>()) ? std::optional(touch.get<double>()) : std::nullopt;
}

}  // namespace

PictureMarks marks_of(const ViewDocument& view) {
  PictureMarks marks;
  if (view.answers.size() != 1 || view.bodies.empty()) return marks;
  const Json& answer = view.answers.front();
  if (answer.contains("points") && answer["points"].is_array())
    for (const Json& point : answer["points"]) add_point(marks, point);
  // A and B of the answer: of a robot, its parts; of two bodies, these.
  std::array<std::size_t, 2> bodies{0, view.bodies.size() > 1 ? std::size_t{1} : std::size_t{0}};
  bool known = !answer.contains("links");
  if (answer.contains("parts") && answer["parts"].is_array() && answer["parts"].size() == 2) {
    known = true;
    for (std::size_t k = 0; k < 2; ++k) {
      known = known && answer["parts"][k].is_number_unsigned();
      if (known) bodies[k] = answer["parts"][k].get<std::size_t>();
    }
  }
  if (answer.contains("pairs") && answer["pairs"].is_array() && known)
    for (const Json& pair : answer["pairs"]) {
      // From a file, it may be anything.
      const auto is_id = [&](const char* key) { return pair.contains(key) && pair[key].is_number_unsigned(); };
      if (!is_id("a") || !is_id("b") || pair.contains("piece_a") || pair.contains("piece_b")) continue;
      marks.triangles.push_back({bodies[0], pair["a"].get<std::size_t>()});
      marks.triangles.push_back({bodies[1], pair["b"].get<std::size_t>()});
    }
  return marks;
}

double picture_time(const ViewDocument& view) {
  std::size_t step = 0;
  for (const Json& answer : view.answers) {
    if (const auto time = touch_time(answer))
      return view.answers.size() > 1 ? static_cast<double>(step) + *time : *time;
    if (answer.contains("events") && !answer["events"].empty()) return static_cast<double>(step);
    ++step;
  }
  return 0;
}

std::string picture_png(const ViewDocument& view, double time, PictureSize size) {
  Canvas canvas(size.width, size.height);
  const std::vector<PlacedBody> bodies = placed_bodies(view, time);
  constexpr double inf = std::numeric_limits<double>::infinity();
  Vec3 lo{inf, inf, inf}, hi{-inf, -inf, -inf};
  for (const PlacedBody& body : bodies)
    for (const Vec3& p : body.points) {
      lo = {std::min(lo.x, p.x), std::min(lo.y, p.y), std::min(lo.z, p.z)};
      hi = {std::max(hi.x, p.x), std::max(hi.y, p.y), std::max(hi.z, p.z)};
    }
  if (!(lo.x <= hi.x)) return canvas.png();
  const Camera camera(lo, hi, canvas);
  const PictureMarks marks = marks_of(view);
  for (const PlacedBody& body : bodies) {
    std::set<std::size_t> lit;
    for (const auto& [of, triangle] : marks.triangles)
      if (of == body.number) lit.insert(triangle);
    draw_body(canvas, camera, view.meshes[view.bodies[body.number].mesh], body, lit);
  }
  for (const Vec3& p : marks.points)
    if (const std::optional<Vec3> seen = camera.project(p)) {
      canvas.disc(*seen, 13, {1, 1, 1});
      canvas.disc(*seen, 10, marked);
    }
  return canvas.png();
}

}  // namespace graze::app

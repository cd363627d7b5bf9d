// SPDX-License-Identifier: MIT
#include "many.hpp"

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/core/error.hpp>
#include <graze/core/status.hpp>
#include <graze/motion/motion.hpp>

namespace graze::web {
namespace {

Pose pose_at(const double* v) { return Pose({v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}); }

/// The body with this number, by way of a request, which refuses unknown ones.
Body body_of(Engine& engine, std::uint32_t id) {
  JsonReader request = JsonReader::parse("request", fmt::format("{{\"body\": {}}}", id));
  return engine.bodies.at(request, "body");
}

}  // namespace

int many(Engine& engine, int question, std::uint32_t a, std::uint32_t b, const double* poses, std::size_t count,
         double* out) {
  std::size_t i = 0;
  try {
    const Body body_a = body_of(engine, a), body_b = body_of(engine, b);
    CollideResult hit;
    DistanceResult gap;
    WithinResult near;
    FirstContactResult first;
    for (; i < count; ++i) {
      const double* const p = poses + i * (question == 3 ? 28 : 14);
      const Pose start_a = pose_at(p), second = pose_at(p + 7);
      switch (question) {
        case 0:
          collide(body_a, start_a, body_b, second, {}, hit);
          out[i] = static_cast<double>(hit.status);
          break;
        case 1:
          distance(body_a, start_a, body_b, second, {}, gap);
          out[2 * i] = static_cast<double>(gap.status);
          out[2 * i + 1] = gap.distance;
          break;
        case 2:
          within(0, body_a, start_a, body_b, second, {}, near);
          out[i] = static_cast<double>(near.status);
          break;
        default:
          first_contact(body_a, Velocity(start_a, second), body_b, Velocity(pose_at(p + 14), pose_at(p + 21)), {},
                        first);
          out[3 * i] = static_cast<double>(first.status);
          out[3 * i + 1] = first.time.safe;
          out[3 * i + 2] = first.time.touch;
      }
    }
  } catch (const std::exception&) {
    return static_cast<int>(i);
  }
  return -1;
}

}  // namespace graze::web

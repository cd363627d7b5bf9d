// SPDX-License-Identifier: MIT
#include <memory>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/penetration.hpp>

#include "peers/shapes.hpp"

namespace graze::bench {

std::vector<Contestant> enter_graze_shapes(ShapeQuestion question, const ShapeScene& scene) {
  const auto s = std::make_shared<ShapeScene>(scene);
  switch (question) {
    case ShapeQuestion::yes_no: {
      const auto result = std::make_shared<CollideResult>();
      const Contestant with_witness{"graze collide", [s, result](std::size_t i) {
                                      collide(s->a, s->poses[i].a, s->b, s->poses[i].b, {}, *result);
                                      return result->status == Status::contact ? 1.0 : 0.0;
                                    }};
      // As the others are asked: without points, normals and features of the contact.
      const auto answer = std::make_shared<WithinResult>();
      return {{"graze",
               [s, answer](std::size_t i) {
                 within(0, s->a, s->poses[i].a, s->b, s->poses[i].b, {}, *answer);
                 return answer->status == Status::contact ? 1.0 : 0.0;
               }},
              with_witness};
    }
    case ShapeQuestion::distance: {
      const auto result = std::make_shared<DistanceResult>();
      return {{"graze", [s, result](std::size_t i) {
                 distance(s->a, s->poses[i].a, s->b, s->poses[i].b, {.relative_error = 1e-6}, *result);
                 return result->distance;
               }}};
    }
    case ShapeQuestion::depth:
      // As exact as the others: Bullet and libccd end their search at 1e-4 of the unit.
      return {{"graze", [s](std::size_t i) {
                 PenetrationOptions options;
                 options.relative_error = 1e-4;
                 return penetration(s->a, s->poses[i].a, s->b, s->poses[i].b, options).upper;
               }}};
  }
  return {};
}

}  // namespace graze::bench

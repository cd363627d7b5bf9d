// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "engine/first_contact/pair/method.hpp"

namespace graze::engine::first_contact {

/// Points, gap, normal, features and direction of the pair that a method found, at t_touch.
void add_witness(const Flight& flight, const Found& found, FirstContactResult& result);

/// The speed at which two points, one of each body (world coordinates at t), approach each other along n; negative:
/// they separate.
double closing_speed(const Flight& flight, double t, const Vec3& on_a, const Vec3& on_b, const Vec3& n);

/// The velocity of the point of a body that is at `point` (in the world) at t, rounded.
Vec3 velocity_of(const motion::Path& path, double t, const Vec3& point);

/// Incoming, sliding or outgoing (Zachmann 3.1): sliding where the closing speed is within rounding error.
ContactDirection direction_of(const Flight& flight, double t, const Vec3& on_a, const Vec3& on_b, const Vec3& n);
ContactDirection direction_of(const motion::Path& a, const motion::Path& b, double t, const Vec3& on_a,
                              const Vec3& on_b, const Vec3& n);

/// Calls visit(triangle of A, triangle of B) for every pair whose boxes are within the distance of each other at t.
void visit_near_pairs(const Flight& flight, double t, double distance,
                      const std::function<void(std::uint32_t, std::uint32_t)>& visit);

}  // namespace graze::engine::first_contact

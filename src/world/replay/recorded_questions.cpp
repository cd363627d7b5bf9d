// SPDX-License-Identifier: MIT
#include "world/replay/recorded_questions.hpp"

#include "world/record/hash.hpp"

namespace graze::world {

namespace {

template <class Result>
std::uint64_t hash_of(const Result& result) {
  if (result.error) throw Error(*result.error);
  return answer_hash(result);
}

BodyFilter read_filter(RecordedLine& line) {
  BodyFilter filter;
  filter.mask = line.optional([&] { return line.small(); });
  filter.except = line.optional([&] { return line.id<BodyId>(); });
  return filter;
}

WorldRayOptions read_ray_options(RecordedLine& line) {
  const std::uint32_t hits = line.small();
  if (hits > static_cast<std::uint32_t>(WorldRayHits::all)) line.refuse("there is no such choice of hits");
  WorldRayOptions options;
  options.hits = static_cast<WorldRayHits>(hits);
  options.bodies = read_filter(line);
  return options;
}

RollPitchYaw read_angles(RecordedLine& line) {
  RollPitchYaw out;
  out.translation = line.point();
  out.roll = line.real();
  out.pitch = line.real();
  out.yaw = line.real();
  return out;
}

/// The base, and then the placements and joints from there outward: a chain with one link for each. The base may be a
/// link of another chain, `depth` times so far.
Motion read_chain_motion(RecordedLine& line, int depth) {
  if (depth > 64) line.refuse("too many chains stand on each other");
  const Motion base = read_motion(line, depth + 1);
  std::vector<Link> links;
  std::vector<double> from, to;
  for (std::size_t left = line.count(); left > 0; --left) {
    Link link;
    link.name = std::to_string(links.size());
    if (!links.empty()) link.parent = links.back().name;
    const std::string_view type = line.word();
    if (type == "place") {
      link.joint.origin = line.pose();
    } else {
      for (const JointType t : {JointType::revolute, JointType::prismatic, JointType::screw})
        if (type == name(t)) link.joint.type = t;
      if (link.joint.type == JointType::fixed) line.refuse("there is no such part of a chain");
      from.push_back(line.real());
      to.push_back(line.real());
      link.joint.axis = line.point();
      if (link.joint.type == JointType::screw) link.joint.pitch = line.real();
    }
    links.push_back(std::move(link));
  }
  if (links.empty()) line.refuse("a chain has at least one part");
  const LinkId last{static_cast<std::uint32_t>(links.size() - 1)};
  return Chain(std::move(links), base).link_motion(last, from, to);
}

}  // namespace

Motion read_motion(RecordedLine& line, int depth) {
  const std::string_view kind = line.word();
  if (kind == "chain") return read_chain_motion(line, depth);
  if (kind == "linear") {
    const RollPitchYaw from = read_angles(line);
    return LinearParameters(from, read_angles(line));
  }
  const bool known =
      kind == "still" || kind == "velocity" || kind == "speeds" || kind == "screw" || kind == "linear_poses";
  if (!known) line.refuse("there is no motion \"" + std::string(kind.substr(0, 40)) + "\"");
  const Pose from = line.pose();
  if (kind == "still") return Still{from};
  if (kind == "speeds") {
    const Vec3 linear = line.point(), angular = line.point();
    return Velocity::from_speeds(from, linear, angular, line.point());
  }
  const Pose to = line.pose();
  if (kind == "screw") return Screw(from, to);
  if (kind == "linear_poses") return LinearParameters(from, to);
  return Velocity(from, to, line.point());
}

RecordedQuestion read_cast(World& world, const Body& body, RecordedLine& line) {
  const Motion motion = read_motion(line);
  CastOptions options;
  options.bodies = read_filter(line);
  options.all = line.flag();
  const std::string method = line.text();
  options.tolerance = line.optional([&] { return line.real(); });
  options.min_separation = line.real();
  options.ignore_start_if_separating = line.flag();
  options.work = line.whole();
  return [&world, body, motion, options, method] {
    CastOptions own = options;
    own.method = method;
    return hash_of(world.cast(body, motion, own));
  };
}

RecordedQuestion read_overlap(World& world, const Body& body, RecordedLine& line) {
  const Pose pose = line.pose();
  OverlapOptions options;
  options.bodies = read_filter(line);
  options.any = line.flag();
  options.work = line.whole();
  return [&world, body, pose, options] { return hash_of(world.overlap(body, pose, options)); };
}

RecordedQuestion read_nearest(World& world, RecordedLine& line) {
  const Vec3 point = line.point();
  const auto k = static_cast<std::size_t>(line.whole());
  NearestOptions options;
  options.bodies = read_filter(line);
  options.work = line.whole();
  return [&world, point, k, options] { return hash_of(world.nearest(point, k, options)); };
}

RecordedQuestion read_ray_with(World& world, RecordedLine& line) {
  const WorldRayOptions options = read_ray_options(line);
  const Vec3 from = line.point(), to = line.point();
  return [&world, options, from, to] { return answer_hash(world.ray(from, to, options)); };
}

RecordedQuestion read_rays(World& world, RecordedLine& line) {
  const WorldRayOptions options = read_ray_options(line);
  std::vector<Ray> rays(line.count());
  for (Ray& r : rays) {
    r.from = line.point();
    r.to = line.point();
  }
  return [&world, options, rays] {
    std::vector<std::vector<BodyHit>> hits(rays.size());
    world.rays(rays, options, hits);
    return answer_hash(std::span<const std::vector<BodyHit>>(hits));
  };
}

}  // namespace graze::world

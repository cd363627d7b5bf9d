// SPDX-License-Identifier: MIT
#include "world/replay/recorded_bodies.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "ask/surfaces/surface_text.hpp"

namespace graze::world {

namespace {

std::vector<Vec3> read_points(RecordedLine& line) {
  std::vector<Vec3> points(line.count());
  for (Vec3& p : points) p = line.point();
  return points;
}

}  // namespace

bool RecordedBodies::holds(std::string_view call) {
  constexpr std::string_view words[] = {"mesh", "deformed_mesh", "shape", "compound", "piece", "surface"};
  return std::find(std::begin(words), std::end(words), call) != std::end(words);
}

void RecordedBodies::read(std::string_view call, RecordedLine& line) {
  bodies_.push_back(call == "mesh"            ? Body(read_mesh(line))
                    : call == "deformed_mesh" ? read_deformed_mesh(line)
                    : call == "shape"         ? read_shape(line)
                    : call == "compound"      ? read_compound(line)
                    : call == "surface"       ? ask::surface_from_text(line.text())
                                              : read_piece(line));
}

Mesh RecordedBodies::read_mesh(RecordedLine& line) {
  std::vector<Vec3> positions = read_points(line);
  PolygonList polygons;
  std::vector<std::uint32_t> corners;
  for (std::size_t left = line.count(); left > 0; --left) {
    corners.resize(line.count());
    for (std::uint32_t& v : corners) v = line.small();
    polygons.add(corners);
  }
  return Mesh(std::move(positions), std::move(polygons));
}

Body RecordedBodies::read_deformed_mesh(RecordedLine& line) const {
  const Body& before = body(line);
  return before.deformed(read_points(line));
}

Body RecordedBodies::read_shape(RecordedLine& line) {
  const std::string text = line.text();
  const double rounding = line.real();
  std::vector<Vec3> points = read_points(line);
  const shape::Kind kind = text == "hull" ? shape::Kind(shape::Hull{std::move(points)}) : shape::from_text(text).kind;
  return Body(shape::Shape(kind, rounding));
}

Body RecordedBodies::read_piece(RecordedLine& line) const {
  const Body& b = body(line);
  return compound({{b, line.pose(), {}}}).piece(PieceId{0});
}

Body RecordedBodies::read_compound(RecordedLine& line) const {
  std::vector<Piece> pieces;
  for (std::size_t left = line.count(); left > 0; --left) {
    const Body& b = body(line);
    const Pose pose = line.pose();
    pieces.push_back({b, pose, line.text()});
  }
  return compound(std::move(pieces));
}

const Body& RecordedBodies::body(RecordedLine& line) const {
  const std::uint64_t i = line.whole();
  if (i >= bodies_.size()) line.refuse("mesh " + std::to_string(i) + " has not been given yet");
  return bodies_[static_cast<std::size_t>(i)];
}

std::vector<LinkBody> RecordedBodies::links(RecordedLine& line) const {
  std::vector<LinkBody> out;
  for (std::size_t left = line.count(); left > 0; --left) {
    const LinkId link{line.small()};
    out.push_back({link, body(line)});
  }
  return out;
}

Chain read_chain(RecordedLine& line) {
  std::vector<Link> out;
  for (std::size_t left = line.count(); left > 0; --left) {
    Link& l = out.emplace_back();
    l.name = line.text();
    l.parent = line.text();
    const std::string type = line.text();
    bool known = false;
    for (const JointType t :
         {JointType::fixed, JointType::revolute, JointType::prismatic, JointType::screw, JointType::continuous})
      if (type == name(t)) l.joint.type = t, known = true;
    if (!known) line.refuse("there is no joint type \"" + type + "\"");
    l.joint.origin = line.pose();
    l.joint.axis = line.point();
    l.joint.pitch = line.real();
  }
  return Chain(std::move(out));
}

}  // namespace graze::world

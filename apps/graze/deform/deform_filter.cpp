// SPDX-License-Identifier: MIT
#include "deform/deform_filter.hpp"

#include <utility>

#include <fmt/format.h>

#include "input/json_reader.hpp"

namespace graze::app {
namespace {

void read_bodies(JsonReader& reader, std::uint32_t count, DeformFilter& filter) {
  if (!reader.has("bodies")) return;
  for (JsonReader& entry : reader.objects("bodies")) {
    DeformBody body;
    body.self = entry.flag("self", true);
    body.group = entry.bits("group", 1);
    body.mask = entry.bits("mask", 0xFFFFFFFFu);
    entry.finish();
    filter.settings.push_back(body);
  }
  if (filter.settings.size() > count)
    reader.refuse("bodies", fmt::format("has {} entries, but the frame has {} bodies", filter.settings.size(), count));
}

void read_off(JsonReader& reader, std::uint32_t count, DeformFilter& filter) {
  if (!reader.has("off")) return;
  for (const std::vector<std::uint32_t>& pair : reader.whole_number_lists("off", 2)) {
    if (pair[0] >= count || pair[1] >= count || pair[0] == pair[1])
      reader.refuse("off", fmt::format("[{}, {}] must be two different bodies of the {}, counted from 0", pair[0],
                                       pair[1], count));
    filter.off.push_back({pair[0], pair[1]});
  }
}

}  // namespace

DeformFilter load_filter(const std::string& file, const Frame& frame, const BodySplit& split) {
  JsonReader reader = JsonReader::open(file);
  reader.check_version();
  DeformFilter filter;
  filter.bodies =
      vertex_bodies(frame.mesh, split.components ? std::span<const std::uint32_t>() : std::span(split.of_polygon));
  read_bodies(reader, split.count, filter);
  read_off(reader, split.count, filter);
  if (reader.has("fixed")) filter.fixed = reader.whole_numbers("fixed", frame.mesh.vertex_count());
  reader.finish();
  return filter;
}

}  // namespace graze::app

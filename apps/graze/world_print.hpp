// SPDX-License-Identifier: MIT
#pragma once

#include <graze/broad/broad_phase.hpp>
#include <graze/world/event.hpp>

#include "json.hpp"

namespace graze::app {

Json to_json(const WorldCounters& counters);
Json to_json(const BroadCounters& counters);
Json to_json(const WorldEvent& event);

}  // namespace graze::app

// SPDX-License-Identifier: MIT
#pragma once

#include <graze/broad/broad_phase.hpp>
#include <graze/world/event.hpp>

#include "output/json.hpp"

namespace graze::app {

/// The counters that are not 0, with those of the methods.
Json to_json(const WorldCounters& counters, const MethodCounters* of_method = nullptr);
Json to_json(const BroadCounters& counters);
Json to_json(const WorldEvent& event);

}  // namespace graze::app

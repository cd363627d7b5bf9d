// SPDX-License-Identifier: MIT
#pragma once

#include "input/json_reader.hpp"

/// Replays queries that `--dump` wrote: each prints what the command printed and returns its exit status. `json`
/// requests JSON even if the dumped query did not.
namespace graze::app {

int replay_first_contact(JsonReader& reader, bool json);
int replay_chain(JsonReader& reader, bool json);

}  // namespace graze::app

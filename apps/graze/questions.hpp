// SPDX-License-Identifier: MIT
#pragma once

#include "json_reader.hpp"

/// Questions that `--dump` wrote, asked again: each prints what the command printed and returns its exit status. `json`
/// asks for JSON even if the dumped question did not.
namespace graze::app {

int replay_first_contact(JsonReader& reader, bool json);
int replay_chain(JsonReader& reader, bool json);

}  // namespace graze::app

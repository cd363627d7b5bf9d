// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace graze::clash {

/// Is it a GUID as IFC files have them: 22 characters, the first from 0 to 3?
bool is_ifc_guid(std::string_view text);

/// A UUID made from a text, always the same for the same text ("version 8": by a method of our own). Not for security.
std::string uuid_of(std::string_view text);

}  // namespace graze::clash

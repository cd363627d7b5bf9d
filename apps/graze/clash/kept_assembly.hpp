// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/clash/clash.hpp>

namespace graze::app {

/// The parts that `graze clash` was asked about, if its lines are kept (`KeptLines`): `graze view` draws them.
inline std::optional<clash::Assembly>& kept_assembly() {
  static std::optional<clash::Assembly> kept;
  return kept;
}

}  // namespace graze::app

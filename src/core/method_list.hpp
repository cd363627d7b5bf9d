// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace graze::core {

/// The alternative methods for one task: types, each with `traits` (a struct with `name`). Tables, names and everything
/// that iterates over all methods are derived from one such list; the first is the default.
template <class... Method>
struct MethodList {};

/// The public description of each method.
template <class... Method>
constexpr auto traits_of(MethodList<Method...>) {
  return std::array{Method::traits...};
}

/// The list as a table for lookup at run time. `Entry::of<Method>()` makes an entry, which has `traits`.
template <class Entry, class... Method>
constexpr std::array<Entry, sizeof...(Method)> table_of(MethodList<Method...>) {
  return {Entry::template of<Method>()...};
}

/// The method with this name; null if there is none.
template <class Entry, std::size_t count>
constexpr const Entry* find_method(const std::array<Entry, count>& table, std::string_view name) {
  for (const Entry& entry : table)
    if (entry.traits.name == name) return &entry;
  return nullptr;
}

/// "one, two, three": for messages.
template <class Entry, std::size_t count>
std::string names_in(const std::array<Entry, count>& table) {
  std::string names;
  for (const Entry& entry : table) names += (names.empty() ? "" : ", ") + std::string(entry.traits.name);
  return names;
}

}  // namespace graze::core

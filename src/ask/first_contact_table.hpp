// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "ask/first_contact_methods.hpp"

namespace graze::ask {

/// The methods of `first_contact` as functions.
struct FirstContactMethod {
  FirstContactTraits traits;
  std::optional<ErrorDetail> (*refuses)(const engine::first_contact::Flight&);
  void (*run)(const engine::first_contact::Flight&, engine::first_contact::Found&);

  template <class T>
  static constexpr FirstContactMethod of() {
    return {T::traits, &T::refuses, &T::run};
  }
};
inline constexpr auto first_contact_table = core::table_of<FirstContactMethod>(FirstContactMethods{});

/// Null: there is no such method.
inline const FirstContactMethod* find_first_contact_method(std::string_view name) {
  return core::find_method(first_contact_table, name);
}

}  // namespace graze::ask

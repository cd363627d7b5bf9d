// SPDX-License-Identifier: MIT
#pragma once

#include "engine/first_contact/pair/method.hpp"

namespace graze::engine::first_contact {

/// Fills `contacts` with every contact of the whole motion (`FirstContactOptions::all_contacts`), sorted by the time of
/// its beginning, then feature; see docs/first-contact.md. If a budget runs out, the list would be incomplete: the
/// status becomes `undecided`, with the known t_safe. `flight` has the remaining budget.
void add_all_contacts(const Flight& flight, FirstContactResult& result);

}  // namespace graze::engine::first_contact

// SPDX-License-Identifier: MIT
#pragma once

#include "classic/contact/elementary_interval.hpp"
#include "classic/cubic/cubic.hpp"
#include "core/method_list.hpp"
#include "engine/elementary/advancement.hpp"
#include "engine/elementary/exact.hpp"

namespace graze::ask {

/// Every method of `elementary_contact`: the only line to edit. The first is the default.
using ElementaryMethods =
    core::MethodList<engine::elementary::ElementaryAdvancement, classic::contact::ElementaryInterval,
                     classic::cubic::ElementaryCubic, engine::elementary::ElementaryExact>;

}  // namespace graze::ask

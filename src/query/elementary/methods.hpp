// SPDX-License-Identifier: MIT
#pragma once

#include "query/elementary/advancement.hpp"
#include "query/elementary/cubic.hpp"
#include "query/elementary/exact.hpp"
#include "query/elementary/interval.hpp"

namespace graze::query {

template <class... T>
struct ElementaryTypeList {};

/// Every method of `elementary_contact`: the one line to edit. The first is the default.
using ElementaryMethods =
    ElementaryTypeList<ElementaryAdvancement, ElementaryInterval, ElementaryCubic, ElementaryExact>;

}  // namespace graze::query

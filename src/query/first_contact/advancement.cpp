// SPDX-License-Identifier: MIT
#include "query/first_contact/advancement.hpp"

#include "query/first_contact/advancement_search.hpp"

namespace graze::query {

std::optional<ErrorDetail> Advancement::refuses(const Flight& flight) {
  if (flight.options.certificate)
    return ErrorDetail{.code = ErrorCode::unsupported,
                       .message = "method advancement hands out no certificate; use best_first",
                       .element = "option certificate",
                       .id = ErrorDetail::none,
                       .file = {},
                       .line = ErrorDetail::none};
  return std::nullopt;
}

void Advancement::run(const Flight& flight, Found& found) {
  AdvancementSearch(flight, flight.a.hull_tree(), flight.b.hull_tree(), found).run();
}

}  // namespace graze::query

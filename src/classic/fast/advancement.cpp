// SPDX-License-Identifier: MIT
#include "classic/fast/advancement.hpp"

#include "classic/fast/advancement_search.hpp"
#include "core/refusal.hpp"

namespace graze::classic::fast {

std::optional<ErrorDetail> Advancement::refuses(const engine::first_contact::Flight& flight) {
  if (flight.options.certificate)
    return core::problem(ErrorCode::unsupported, "option certificate",
                         "method advancement hands out no certificate; use best_first");
  return std::nullopt;
}

void Advancement::run(const engine::first_contact::Flight& flight, engine::first_contact::Found& found) {
  AdvancementSearch(flight, flight.a.part<HullTree>(), flight.b.part<HullTree>(), found).run();
}

}  // namespace graze::classic::fast

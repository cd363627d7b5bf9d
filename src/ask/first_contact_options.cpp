// SPDX-License-Identifier: MIT
#include "ask/shared/first_contact_options.hpp"

#include <cmath>
#include <string>

#include "ask/first_contact_table.hpp"
#include "core/refusal.hpp"

namespace graze {

namespace ask {

void report_near_start(const DistanceResult& start, FirstContactResult& result) {
  result.status = Status::touching_at_start;
  result.time = {0, 0};
  result.gap = start.distance;
  result.certain = start.certain;
  result.pair = start.pair;
  result.features.clear();
  if (start.feature) result.features.push_back(*start.feature);
  result.points = start.points;
  result.normal = start.normal;
}

namespace {

std::optional<ErrorDetail> mistake_in_separation(const FirstContactOptions& o) {
  if (!(o.min_separation >= 0 && std::isfinite(o.min_separation)))
    return core::bad_option("min_separation", "the separation must be a finite distance, 0 or more");
  if (o.min_separation == 0) return std::nullopt;
  const auto refuse = [](const char* option, const char* instead) {
    return core::problem(ErrorCode::unsupported, "option min_separation",
                         std::string("a separation is not kept with ") + option + "; " + instead);
  };
  if (o.method != "best_first") return refuse("this method", "use best_first");
  if (o.ignore_start_if_separating)
    return refuse("ignore_start_if_separating", "start from a pose at which the bodies are farther apart");
  return std::nullopt;
}

}  // namespace

std::optional<ErrorDetail> mistake_in(const FirstContactOptions& o) {
  if (!find_first_contact_method(o.method)) {
    return core::no_such_method(o.method, core::names_in(first_contact_table));
  }
  if (auto problem = core::bad_tolerance(o.tolerance)) return problem;
  if (auto problem = core::bad_threads(o.threads)) return problem;
  if (auto problem = mistake_in_separation(o)) return problem;
  if (o.certificate && !find_first_contact_method(o.method)->traits.certificate)
    return core::bad_option("certificate", "method " + std::string(o.method) + " hands out no certificate; use " +
                                               std::string(first_contact_table[0].traits.name));
  return std::nullopt;
}

}  // namespace ask

std::span<const FirstContactTraits> first_contact_methods() {
  static constexpr auto traits = core::traits_of(ask::FirstContactMethods{});
  return traits;
}

const char* name(ContactDirection direction) {
  switch (direction) {
    case ContactDirection::incoming: return "incoming";
    case ContactDirection::sliding: return "sliding";
    default: return "outgoing";
  }
}

}  // namespace graze

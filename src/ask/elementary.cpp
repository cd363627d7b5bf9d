// SPDX-License-Identifier: MIT
#include <graze/ask/elementary.hpp>

#include <algorithm>
#include <cmath>

#include "ask/elementary_methods.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/parallel.hpp"
#include "core/refusal.hpp"
#include "engine/elementary/batch.hpp"
#include "math/vectors.hpp"

namespace graze {

namespace {

using engine::elementary::BatchOrder;
using engine::elementary::ElementaryMethod;

constexpr auto table = core::table_of<ElementaryMethod>(ask::ElementaryMethods{});
constexpr auto all_traits = core::traits_of(ask::ElementaryMethods{});

const ElementaryMethod* find(std::string_view name) { return core::find_method(table, name); }

std::optional<ErrorCode> mistake(const ElementaryOptions& o) {
  if (!find(o.method)) return ErrorCode::bad_option;
  if (o.tolerance && !(*o.tolerance > 0 && std::isfinite(*o.tolerance))) return ErrorCode::bad_option;
  if (!(o.min_separation >= 0 && std::isfinite(o.min_separation))) return ErrorCode::bad_option;
  if (o.exact && o.min_separation > 0) return ErrorCode::unsupported;
  return std::nullopt;
}

ElementaryResult refused(ErrorCode code) {
  ElementaryResult r;
  r.status = Status::invalid_request;
  r.error = code;
  return r;
}

ElementaryResult undecided() {
  ElementaryResult r;
  r.time = {0, math::not_a_number};
  r.gap = math::not_a_number;
  return r;
}

}  // namespace

std::span<const ElementaryTraits> elementary_methods() { return all_traits; }

ElementaryResult elementary_contact(const ElementaryQuery& q, const ElementaryOptions& options) {
  const core::FpGuard guard;
  if (const auto code = mistake(options)) return refused(*code);
  const std::array<std::array<Vec3, 8>, 1> points{
      {{q.start[0], q.start[1], q.start[2], q.start[3], q.end[0], q.end[1], q.end[2], q.end[3]}}};
  ElementaryResult result = undecided();
  core::Limits limits(options.cancel, options.budget);  // the method counts its work itself
  core::run_within(limits, [&](core::Limits*) {
    engine::elementary::BatchAnswers answers;
    engine::elementary::answer_batch(*find(options.method), q.kind, points, options, BatchOrder::axes_first, answers);
    if (answers.asked == 1)
      result = answers.results[0];
    else
      engine::elementary::set_free(result);
  });
  core::leave_if_outer_ended(limits);
  return result;
}

void elementary_contacts(ElementaryKind kind, std::span<const std::array<Vec3, 8>> queries,
                         const ElementaryOptions& options, int threads, std::span<ElementaryResult> results) {
  const core::FpGuard guard;
  const std::size_t n = std::min(queries.size(), results.size());
  auto code = mistake(options);
  if (core::bad_threads(threads)) code = ErrorCode::bad_option;
  if (code) {
    std::fill_n(results.begin(), n, refused(*code));
    return;
  }
  ElementaryResult free;
  engine::elementary::set_free(free);
  const ElementaryMethod& method = *find(options.method);
  constexpr std::size_t chunk = 8 * engine::elementary::batch_size;
  core::Limits limits(options.cancel, options.budget);
  const auto answer_chunk = [&](std::size_t c) {
    engine::elementary::BatchAnswers answers;
    core::Poll poll;
    const std::size_t end = std::min(n, (c + 1) * chunk);
    for (std::size_t first = c * chunk; first < end; first += engine::elementary::batch_size) {
      poll.only_time();
      const std::size_t count = std::min(engine::elementary::batch_size, end - first);
      engine::elementary::answer_batch(method, kind, queries.subspan(first, count), options, BatchOrder::axes_first,
                                       answers);
      std::fill_n(results.begin() + static_cast<std::ptrdiff_t>(first), count, free);
      for (std::size_t k = 0; k < answers.asked; ++k) results[first + answers.numbers[k]] = answers.results[k];
    }
  };
  // A query that is not reached stays undecided.
  if (options.budget || options.cancel.flag() || core::current_limits()) std::fill_n(results.begin(), n, undecided());
  core::run_within(limits, [&](core::Limits*) { core::parallel_for((n + chunk - 1) / chunk, threads, answer_chunk); });
  core::leave_if_outer_ended(limits);
}

}  // namespace graze

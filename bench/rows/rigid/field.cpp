// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "harness/clock.hpp"
#include "rows/rigid/rigid.hpp"

namespace graze::bench {
namespace {

constexpr std::size_t kSamples = 200, kQuickSamples = 40;

/// Runs the queries of an entrant.
class Asker {
 public:
  Asker(const FlightTask& task, const Entrant& one) : task_(task) {
    options_.tolerance = task.tolerance;
    one.set(options_);
  }
  void patience(double seconds) {
    options_.budget = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
  }
  /// Resets the coherence data.
  void restart() {
    coherence_ = FirstContactCoherence();
    options_.coherence = task_.sequence ? &coherence_ : nullptr;
  }
  double ask(std::size_t i) {
    const Flight& flight = task_.flights[i];
    first_contact(task_.a, flight.a, task_.b, flight.b, options_, result_);
    if (result_.error) throw std::runtime_error(result_.error->message);
    return result_.time.safe;
  }
  const FirstContactResult& result() const { return result_; }
  /// From now on with the counters of the method, or without, as they take time.
  void count(bool wanted) { options_.method_counters = wanted ? &of_method_ : nullptr; }
  AllCounters counters() const { return {result_.counters, of_method_}; }

 private:
  const FlightTask& task_;
  FirstContactOptions options_;
  FirstContactCoherence coherence_;
  FirstContactResult result_;
  MethodCounters of_method_;
};

/// The one pass in which answers are checked.
FlightOutcome try_out(Context& context, const FlightTask& task, const Entrant& one, Asker& asker,
                      FlightOracle& oracle) {
  FlightOutcome outcome;
  outcome.name = one.name;
  // Data computed on first use does not count as cost of the query.
  asker.patience(1e-3);
  asker.ask(0);
  asker.restart();
  asker.count(true);
  asker.patience(context.patience);  // one query may use the whole time limit, but no more
  double spent = 0;
  for (std::size_t i = 0; i < task.flights.size(); ++i) {
    if (spent > context.patience) {
      outcome.patience_ended = true;
      break;
    }
    context.progress.show(static_cast<double>(i) / static_cast<double>(task.flights.size()));
    const double start = thread_seconds();
    asker.ask(i);
    outcome.seconds.push_back(thread_seconds() - start);
    spent += outcome.seconds.back();
    const FirstContactResult& result = asker.result();
    outcome.answers.push_back({result.status, result.time, result.tolerance});
    outcome.costs.push_back(asker.counters());
    outcome.undecided += result.status == Status::undecided;
    outcome.wrong += !oracle.right(i, outcome.answers.back());
  }
  asker.patience(0);
  asker.count(false);
  return outcome;
}

std::string_view plural(std::size_t n) { return n == 1 ? "" : "s"; }

}  // namespace

Entrant entrant(std::string_view method) {
  return {std::string(method), [method](FirstContactOptions& o) { o.method = method; }};
}

AllCounters FlightOutcome::cost() const {
  return std::accumulate(costs.begin(), costs.end(), AllCounters(),
                         [](AllCounters sum, const AllCounters& one) { return sum += one; });
}

std::vector<FlightOutcome> fly_all(Context& context, const FlightTask& task, const std::vector<Entrant>& entrants,
                                   const std::vector<Contestant>& clocks) {
  FlightOracle oracle(task, context.quick ? kQuickSamples : kSamples);
  std::vector<FlightOutcome> outcomes;
  std::vector<Contestant> contestants;
  std::vector<std::size_t> place;
  for (const Entrant& one : entrants) {
    context.progress.begin(task.name + ": " + one.name);
    auto asker = std::make_shared<Asker>(task, one);
    outcomes.push_back(try_out(context, task, one, *asker, oracle));
    const FlightOutcome& outcome = outcomes.back();
    if (outcome.patience_ended || outcome.undecided > 0) continue;
    place.push_back(outcomes.size() - 1);
    asker->restart();
    contestants.push_back({one.name, [asker](std::size_t i) { return asker->ask(i); }});
  }
  for (const Contestant& clock : clocks) {
    place.push_back(outcomes.size());
    outcomes.push_back({});
    outcomes.back().name = clock.name;
    contestants.push_back(clock);
  }
  context.progress.begin(task.name + ": timing");
  auto seconds = best_seconds(contestants, {.queries = task.flights.size()}, context.progress);
  context.progress.clear();
  for (std::size_t c = 0; c < seconds.size(); ++c) outcomes[place[c]].seconds = std::move(seconds[c]);
  return outcomes;
}

double time_ratio(const FlightOutcome& x, const FlightOutcome& y) {
  const std::size_t n = std::min(x.seconds.size(), y.seconds.size());
  const auto sum = [n](const FlightOutcome& o) {
    return std::accumulate(o.seconds.begin(), o.seconds.begin() + static_cast<std::ptrdiff_t>(n), 0.0);
  };
  return sum(x) / sum(y);
}

double iterations(const FlightOutcome& outcome, std::string_view method) {
  const AllCounters c = outcome.cost();
  const std::uint64_t rounds = method == "advancement" ? c.advancement_steps
                               : method == "interval"
                                   ? c.continuous_box_tests + c.discrete_box_tests + c.root_bisections
                                   : c.queue_pops;
  return static_cast<double>(rounds) / static_cast<double>(std::max<std::size_t>(1, outcome.costs.size()));
}

void append_note(Line& line, const std::string& note) { line.note += (line.note.empty() ? "" : "; ") + note; }

Line flight_line(const FlightTask& task, const FlightOutcome& outcome) {
  Line line{task.row, task.name, outcome.name, summarise(outcome.seconds), {}, {}, Verdict::none, {}};
  if (outcome.wrong > 0) {
    line.verdict = Verdict::wrong;
    append_note(line, fmt::format("wrong in {} of {}", outcome.wrong, outcome.answers.size()));
  }
  if (outcome.patience_ended || outcome.undecided > 0) {
    const std::size_t asked = outcome.answers.size();
    append_note(line, fmt::format("TOO SLOW: the first {} flight{} in one pass", asked, plural(asked)));
  }
  if (outcome.undecided > 0) {
    append_note(line, fmt::format("stopped before the end in {}, so times are at least these", outcome.undecided));
  }
  return line;
}

std::size_t steps_of(const Context& context) { return std::max<std::size_t>(context.poses, 60); }

Report finding(Context& context, const std::string& task) {
  context.progress.begin(task + ": finding flights");
  return [&context](double share) { context.progress.show(share); };
}

std::string hits(const FlightOutcome& outcome) {
  const auto count = std::count_if(outcome.answers.begin(), outcome.answers.end(), [](const FlightAnswer& answer) {
    return answer.status == Status::contact || answer.status == Status::touching_at_start;
  });
  return fmt::format("{} of {} hit", count, outcome.answers.size());
}

}  // namespace graze::bench

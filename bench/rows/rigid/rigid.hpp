// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <graze/ask/first_contact.hpp>
#include <graze/body/body.hpp>
#include <graze/core/method_counters.hpp>

#include "rows/rows.hpp"
#include "scene/flights.hpp"
#include "scene/meshes.hpp"

namespace graze::bench {

/// Flights of one pair of bodies, to be answered by several contestants.
struct FlightTask {
  std::string row, name;
  Body a, b;
  std::vector<Flight> flights;
  double tolerance = 1e-4;
  bool sequence = false;  ///< flights are consecutive: each method keeps its coherence data from one to the next
};

/// One method with its options.
struct Entrant {
  std::string name;
  std::function<void(FirstContactOptions&)> set;
};
Entrant entrant(std::string_view method);

struct FlightAnswer {
  Status status = Status::undecided;
  TimeBracket time;
  double tolerance = 0;  ///< the value used
};

/// The results of one entrant. A method that is too slow answers only the first flights; the vectors contain only the
/// answered ones.
struct FlightOutcome {
  std::string name;
  std::vector<double> seconds;
  std::vector<FlightAnswer> answers;
  std::vector<AllCounters> costs;
  std::size_t wrong = 0, undecided = 0;
  bool patience_ended = false;

  AllCounters cost() const;
};

/// Checks an answer with code that is independent of the methods: the exact discrete test at many times before t_safe,
/// and the distance at t_touch.
class FlightOracle {
 public:
  FlightOracle(const FlightTask& task, std::size_t samples) : task_(task), samples_(samples) {}
  bool right(std::size_t flight, const FlightAnswer& answer);

 private:
  double first_sample_in_contact(std::size_t flight);
  bool meets(std::size_t flight, double t) const;

  const FlightTask& task_;
  std::size_t samples_;
  std::vector<double> known_;
};

/// Runs every query once for every entrant, within the context's time limit (`patience`), and checks the answers. Then
/// times the entrants that finished, interleaved with `clocks` (other contestants, whose queries are numbered like the
/// flights). Outcomes of clocks follow those of the entrants and contain times only.
std::vector<FlightOutcome> fly_all(Context& context, const FlightTask& task, const std::vector<Entrant>& entrants,
                                   const std::vector<Contestant>& clocks = {});

/// The ratio x over y of the mean seconds of the first flights, as many as both completed.
double time_ratio(const FlightOutcome& x, const FlightOutcome& y);
/// The number of iterations of a method: steps of the body, pairs taken from the queue, box tests and bisections.
double iterations(const FlightOutcome& outcome, std::string_view method);
/// Notes on an outcome that have no column of their own: iterations, incomplete runs, wrong answers.
Line flight_line(const FlightTask& task, const FlightOutcome& outcome);
void append_note(Line& line, const std::string& note);

/// The number of steps of a recorded sequence: long enough to contain relevant events.
std::size_t steps_of(const Context& context);

/// A progress report for finding flights.
Report finding(Context& context, const std::string& task);

/// Summary of hits and misses: "50 of 100 hit".
std::string hits(const FlightOutcome& outcome);

void row_rigid_peers(Context&);
void row_rigid_tolerance(Context&);
void row_rigid_growth(Context&);
void row_rigid_methods(Context&);
void row_rigid_contact(Context&);
void row_rigid_switches(Context&);

}  // namespace graze::bench

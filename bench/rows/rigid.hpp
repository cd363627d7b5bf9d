// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <graze/query/body.hpp>
#include <graze/query/first_contact.hpp>

#include "rows/rows.hpp"
#include "scene/flights.hpp"
#include "scene/meshes.hpp"

namespace graze::bench {

/// Flights of one pair of bodies, put to several contestants.
struct FlightTask {
  std::string row, name;
  Body a, b;
  std::vector<Flight> flights;
  double tolerance = 1e-4;
  bool sequence = false;  ///< flights follow each other: each method keeps what it remembers from one to the next
};

/// One method with its switches.
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

/// How one entrant did. A method that is too slow answers only the first flights: the vectors are as long as it came.
struct FlightOutcome {
  std::string name;
  std::vector<double> seconds;
  std::vector<FlightAnswer> answers;
  std::vector<Counters> costs;
  std::size_t wrong = 0, undecided = 0;
  bool patience_ended = false;

  Counters cost() const;
};

/// Is an answer right, by what shares no code with the methods: the exact discrete test at many times before t_safe,
/// and the distance at t_touch?
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

/// Asks every entrant everything once, within the context's patience, and checks the answers; then those that came
/// through are timed, interleaved with `clocks` (other contestants, whose queries are numbered as the flights). Clocks
/// come after the entrants, as outcomes with times only.
std::vector<FlightOutcome> fly_all(Context& context, const FlightTask& task, const std::vector<Entrant>& entrants,
                                   const std::vector<Contestant>& clocks = {});

/// Mean of the seconds of the first flights, as many as both came through, as x over y.
double time_ratio(const FlightOutcome& x, const FlightOutcome& y);
/// How often a method went round: steps of the body, pairs taken from the queue, box tests and halvings.
double iterations(const FlightOutcome& outcome, std::string_view method);
/// Everything about an outcome that is no figure of its own: iterations, a part only, wrong answers.
Line flight_line(const FlightTask& task, const FlightOutcome& outcome);
void append_note(Line& line, const std::string& note);

/// How many steps a recorded sequence has: long enough for something to happen in it.
std::size_t steps_of(const Context& context);

/// A progress report for finding flights.
Report finding(Context& context, const std::string& task);

/// What hits and misses there are: "50 of 100 hit".
std::string hits(const FlightOutcome& outcome);

void row_rigid_peers(Context&);
void row_rigid_tolerance(Context&);
void row_rigid_growth(Context&);
void row_rigid_methods(Context&);
void row_rigid_contact(Context&);
void row_rigid_switches(Context&);

}  // namespace graze::bench

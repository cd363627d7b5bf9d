// SPDX-License-Identifier: MIT
#pragma once

#include "convert.hpp"
#include "enums.hpp"

#include <atomic>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <span>

#include <graze/ask/many.hpp>
#include <graze/motion/motion.hpp>

namespace graze_python {

/// One value for all rows, or one for each.
template <class T>
class Column {
 public:
  explicit Column(T same) : values_{std::move(same)}, same_(true) {}
  explicit Column(std::vector<T> each) : values_(std::move(each)) {}
  bool is_list() const { return !same_; }
  std::size_t size() const { return values_.size(); }
  graze::ForEach<T> rows(std::size_t first, std::size_t count) const {
    if (same_) return graze::ForEach<T>(values_[0]);
    return graze::ForEach<T>(std::span<const T>(values_).subspan(first, count));
  }

 private:
  std::vector<T> values_;
  bool same_ = false;
};

/// A pose for all rows, or N x 7, N x 4 x 4, a list of graze.Pose.
Column<graze::Pose> pose_column(py::handle value);

/// N x 2 x 3 numbers, or N x 6: starts and ends.
std::vector<graze::Ray> rays_of(py::handle value);

/// How many rows two columns have; refused if they differ, or if neither is a list.
template <class T>
std::size_t rows_of(const Column<T>& a, const Column<T>& b, const char* what) {
  if (!a.is_list() && !b.is_list())
    refuse(graze::ErrorCode::bad_option,
           std::string("one of the two ") + what +
               " must be a list: N x 7 numbers, N x 4 x 4, or a Python list; for a single "
               "answer ask the question without _many");
  if (a.is_list() && b.is_list() && a.size() != b.size())
    refuse(graze::ErrorCode::bad_option, std::string("the two lists of ") + what + " have " + std::to_string(a.size()) +
                                             " and " + std::to_string(b.size()) + " rows; both need as many");
  return a.is_list() ? a.size() : b.size();
}

/// What all batches take: the limits of the whole batch and how it is reported.
struct BatchOptions {
  int threads = 1;
  std::optional<std::chrono::nanoseconds> budget;
  graze::CancelToken cancel;
  py::object progress;  ///< None, False, True (a bar), or a function of the rows done and all rows
};
BatchOptions batch_options(int threads, const py::object& budget, const py::object& cancel, const py::object& progress);
#define GRAZE_PYTHON_BATCH                                                                \
  py::arg("threads") = 1, py::arg("budget") = py::none(), py::arg("cancel") = py::none(), \
  py::arg("progress") = py::none()

/// Limits of one block of a batch.
struct BlockLimits {
  std::optional<std::chrono::nanoseconds> budget;
  graze::CancelToken stop;  ///< Ctrl-C, and whatever else ends the batch
};
/// Answers the rows [first, first + count).
using Block = std::function<void(std::size_t first, std::size_t count, const BlockLimits& limits)>;

struct BatchEnd {
  std::exception_ptr interrupted;  ///< by a signal's handler, or by the progress function
  std::size_t given = 0;           ///< the rows before were given to blocks
};

/// Answers all rows in threads of their own, each of which takes the next block when it has answered one; `make_block`
/// is called once in each. This thread meanwhile reports the progress and looks for signals fifty times a second.
/// Returns with what interrupted it set aside, so that the caller can attach what was answered. What a block throws is
/// thrown here; of several that throw, what the first in the order of rows does, so that it is the same for any number
/// of threads.
BatchEnd run_batch(std::size_t rows, const BatchOptions& options, int threads,
                   const std::function<Block()>& make_block);

/// Raises what ended a batch: Ctrl-C as graze.Interrupted, which holds the rows.
[[noreturn]] void raise_interrupted(std::exception_ptr reason, const py::array& rows, std::size_t answered);

template <class Row>
std::size_t answered(const py::array_t<Row>& rows) {
  const Row* const first = rows.data();
  std::size_t count = 0;
  for (py::ssize_t i = 0; i < rows.size(); ++i)
    count += first[i].status != static_cast<std::uint8_t>(graze::Status::undecided);
  return count;
}

template <class Result>
std::size_t first_refused(std::span<const Result> block) {
  std::size_t i = 0;
  while (i + 1 < block.size() && !block[i].error) ++i;
  return i;
}

/// Who gives the rows of a batch to its threads.
enum class Dealt {
  here,       ///< each thread asks for the rows that it takes: none waits for another between blocks
  by_engine,  ///< one thread asks for all: of something that may be changed between two blocks
};

/// Fills an array of rows by `write_row(result, row)`, and returns it or raises.
template <class Result, class Row, template <class> class Many = graze::ManyOptions, class Memory = graze::ManyMemory,
          class Each, class Ask>
py::array_t<Row> batch(std::size_t rows, const BatchOptions& options, Each each, Ask ask, Dealt dealt = Dealt::here) {
  py::array_t<Row> out(static_cast<py::ssize_t>(rows));
  Row* const first_row = out.mutable_data();
  Many<Each> shared;
  shared.each = std::move(each);
  if constexpr (requires { shared.each.cancel; }) shared.each.cancel = options.cancel;
  shared.threads = dealt == Dealt::here ? 1 : options.threads;
  const auto make_block = [&]() -> Block {
    struct Room {  // the same for all blocks of a thread: nothing is allocated once it is warm
      std::vector<Result> results;
      Memory memory;
      Many<Each> many;
    };
    const auto room = std::make_shared<Room>();
    room->many = shared;
    room->many.memory = &room->memory;
    return [&, room](std::size_t first, std::size_t count, const BlockLimits& limits) {
      if (room->results.size() < count) room->results.resize(count);
      room->many.budget = limits.budget;
      room->many.cancel = limits.stop;
      const std::span<Result> block(room->results.data(), count);
      const graze::ManyResult whole = ask(first, block, std::as_const(room->many));
      if (whole.error) {
        graze::ErrorDetail detail = *whole.error;
        if (whole.invalid) detail.element = "row", detail.id = first + first_refused(std::span<const Result>(block));
        throw graze::Error(detail);
      }
      std::memset(static_cast<void*>(first_row + first), 0, count * sizeof(Row));  // what lies between the fields, too
      for (std::size_t i = 0; i < count; ++i) write_row(block[i], first_row[first + i]);
    };
  };
  const BatchEnd end = run_batch(rows, options, dealt == Dealt::here ? options.threads : 1, make_block);
  std::memset(static_cast<void*>(first_row + end.given), 0, (rows - end.given) * sizeof(Row));
  for (std::size_t i = end.given; i < rows; ++i) write_row(Result(), first_row[i]);
  if (end.interrupted) raise_interrupted(end.interrupted, out, answered(out));
  return out;
}

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
inline void write(double (&to)[3], const graze::Vec3& v) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }
inline void write(double (&to)[3], const std::optional<graze::Vec3>& v) {
  write(to, v ? *v : graze::Vec3{not_known, not_known, not_known});
}
inline void write(double (&to)[2][3], const std::optional<std::array<graze::Vec3, 2>>& v) {
  for (std::size_t i = 0; i < 2; ++i) write(to[i], v ? std::optional((*v)[i]) : std::nullopt);
}

}  // namespace graze_python

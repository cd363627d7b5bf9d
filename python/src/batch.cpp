// SPDX-License-Identifier: MIT
#include "batch.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace graze_python {

using Clock = std::chrono::steady_clock;

Column<graze::Pose> pose_column(py::handle value) {
  return is_one_pose(value) ? Column<graze::Pose>(pose(value)) : Column<graze::Pose>(poses(value));
}

BatchOptions batch_options(int threads, const py::object& budget, const py::object& cancel_token,
                           const py::object& progress) {
  constexpr int most = 1024;  // as the engine
  if (threads < 1 || threads > most)
    refuse(graze::ErrorCode::bad_option, "the number of threads must be between 1 and " + std::to_string(most),
           "option");
  return {threads, seconds(budget), cancel(cancel_token), progress};
}

namespace {

/// The threads that answer, and what the watching thread needs to know of them.
class Workers {
 public:
  Workers(std::size_t rows, const BatchOptions& options, int threads, const std::function<Block()>& make_block)
      : rows_(rows),
        options_(options),
        threads_(std::min(static_cast<std::size_t>(threads), std::max(rows, std::size_t{1}))),
        make_block_(make_block) {
    // Only the engine's threads share a block.
    const auto sharing = static_cast<std::size_t>(options.threads / threads);
    least_ = sharing, most_ = sharing > 1 ? 4096 * sharing : 512;
    all_.reserve(threads_);
    for (std::size_t i = 0; i < threads_; ++i) try {
        const std::lock_guard lock(mutex_);
        all_.emplace_back([this] { work(); });
        ++running_;
      } catch (const std::system_error&) {  // no more threads are to be had: those that there are answer everything
        if (i == 0) throw;
        break;
      }
  }
  ~Workers() {
    stop_.cancel();
    for (std::thread& thread : all_) thread.join();
  }
  void stop() { stop_.cancel(); }
  std::size_t done() const { return done_.load(); }
  std::size_t given() {
    const std::lock_guard lock(mutex_);
    return given_;
  }
  /// True: all have ended.
  bool wait(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, time, [this] { return running_ == 0; });
  }
  void wait() {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return running_ == 0; });
  }
  std::exception_ptr thrown() {
    const std::lock_guard lock(mutex_);
    return thrown_;
  }

 private:
  void work() {
    try {
      answer(make_block_());
    } catch (...) {
      failed(std::current_exception(), 0);
    }
    const std::lock_guard lock(mutex_);
    if (--running_ == 0) ended_.notify_all();
  }

  /// Blocks before one that fails have been given out, and are answered: if one of them fails, too, that is reported.
  void failed(std::exception_ptr exception, std::size_t row) {
    const std::lock_guard lock(mutex_);
    if (!thrown_ || row < thrown_by_) thrown_ = std::move(exception), thrown_by_ = row;
  }

  /// The next rows for a thread: at most `size`, and near the end so few that the threads end together.
  std::pair<std::size_t, std::size_t> next(std::size_t size) {
    const std::lock_guard lock(mutex_);
    const std::size_t first = given_, left = rows_ - given_;
    if (thrown_) return {first, 0};
    const std::size_t share = threads_ > 1 ? std::max(left / (4 * threads_), std::size_t{1}) : left;
    given_ += std::min({size, share, left});
    return {first, given_ - first};
  }

  /// Blocks are short enough for a bar that moves and for results that stay in the processor's cache until they are
  /// written into rows, and long enough for their beginnings not to count.
  void answer(const Block& block) {
    std::size_t size = 32 * least_;
    for (;;) {
      const auto start = Clock::now();
      BlockLimits limits{{}, stop_.token()};
      if (options_.budget) limits.budget = *options_.budget - (start - begin_);
      if (stop_.cancelled() || options_.cancel.cancelled() || (limits.budget && limits.budget->count() <= 0)) return;
      const auto [first, count] = next(size);
      if (count == 0) return;
      try {
        block(first, count, limits);
      } catch (...) {
        return failed(std::current_exception(), first);
      }
      done_ += count;
      const auto took = Clock::now() - start;
      if (took < std::chrono::milliseconds(10)) size = std::min(2 * size, most_);
      if (took > std::chrono::milliseconds(50)) size = std::max(size / 2, least_);
    }
  }

  const std::size_t rows_;
  const BatchOptions& options_;
  const std::size_t threads_;
  const std::function<Block()>& make_block_;
  const Clock::time_point begin_ = Clock::now();
  std::size_t least_ = 1, most_ = 1;  ///< rows of a block
  graze::CancelSource stop_;
  std::atomic<std::size_t> done_{0};
  std::mutex mutex_;  ///< of the following
  std::condition_variable ended_;
  std::size_t given_ = 0, running_ = 0;
  std::exception_ptr thrown_;
  std::size_t thrown_by_ = 0;
  std::vector<std::thread> all_;
};

/// The function that is told the progress, and None or a bar to be closed.
std::pair<py::object, py::object> reporter(const py::object& progress, std::size_t rows) {
  if (progress.is_none() || progress.ptr() == Py_False) return {py::none(), py::none()};
  if (progress.ptr() != Py_True) return {progress, py::none()};
  const py::object bar = py::module_::import("graze._progress").attr("Bar")(rows);
  return {bar, bar};
}

}  // namespace

BatchEnd run_batch(std::size_t rows, const BatchOptions& options, int threads,
                   const std::function<Block()>& make_block) {
  const auto [report, bar] = reporter(options.progress, rows);
  BatchEnd end;
  const auto watch = [&](Workers& workers, std::size_t& reported) {
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      const std::size_t done = workers.done();
      if (!report.is_none() && done != reported) report(reported = done, rows);
    } catch (...) {
      end.interrupted = std::current_exception();
      workers.stop();
    }
  };
  {
    std::size_t reported = 0;
    Workers workers(rows, options, threads, make_block);
    for (bool running = true; running;) {
      {
        py::gil_scoped_release release;
        running = !workers.wait(std::chrono::milliseconds(20));
        if (end.interrupted) workers.wait(), running = false;
      }
      if (!end.interrupted) watch(workers, reported);
    }
    if (!bar.is_none()) bar.attr("close")();
    if (const std::exception_ptr thrown = workers.thrown()) std::rethrow_exception(thrown);
    end.given = workers.given();
  }
  return end;
}

void raise_interrupted(std::exception_ptr reason, const py::array& rows, std::size_t count) {
  try {
    std::rethrow_exception(reason);
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_KeyboardInterrupt)) throw;
    const py::object type = py::module_::import("graze._errors").attr("Interrupted");
    const py::object value = type(rows, count);
    PyErr_SetObject(type.ptr(), value.ptr());
    throw py::error_already_set();
  }
}

}  // namespace graze_python

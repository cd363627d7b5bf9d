// SPDX-License-Identifier: MIT
#include "batch.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace graze_python {

using Clock = std::chrono::steady_clock;

Column<graze::Pose> pose_column(py::handle value) {
  return is_one_pose(value) ? Column<graze::Pose>(pose(value)) : Column<graze::Pose>(poses(value));
}

BatchOptions batch_options(int threads, const py::object& budget, const py::object& cancel_token,
                           const py::object& progress) {
  if (threads < 1) refuse(graze::ErrorCode::bad_option, "threads must be at least 1", "option");
  return {threads, seconds(budget), cancel(cancel_token), progress};
}

namespace {

/// The thread that answers, and what the watching thread needs to know of it.
class Worker {
 public:
  Worker(std::size_t rows, const BatchOptions& options, const Block& block)
      : rows_(rows), options_(options), block_(block), thread_([this] { work(); }) {}
  ~Worker() {
    stop_.cancel();
    thread_.join();
  }
  void stop() { stop_.cancel(); }
  std::size_t done() const { return done_.load(); }
  /// True: it has ended.
  bool wait(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, time, [this] { return has_ended_; });
  }
  void wait() {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return has_ended_; });
  }
  std::exception_ptr thrown() const { return thrown_; }

 private:
  void work() {
    try {
      answer();
    } catch (...) {
      thrown_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
    ended_.notify_all();
  }

  /// Blocks are short enough for a bar that moves, and long enough for their beginnings not to count.
  void answer() {
    const auto begin = Clock::now();
    const std::size_t most = 4096 * static_cast<std::size_t>(options_.threads);
    std::size_t size = 32 * static_cast<std::size_t>(options_.threads);
    for (std::size_t first = 0; first < rows_;) {
      const std::size_t count = std::min(size, rows_ - first);
      const auto start = Clock::now();
      BlockLimits limits{{}, stop_.token()};
      if (options_.budget) limits.budget = *options_.budget - (start - begin);
      if (stop_.cancelled() || options_.cancel.cancelled() || (limits.budget && limits.budget->count() <= 0)) return;
      block_(first, count, limits);
      first += count;
      done_ = first;
      const auto took = Clock::now() - start;
      if (took < std::chrono::milliseconds(10)) size = std::min(2 * size, most);
      if (took > std::chrono::milliseconds(50))
        size = std::max<std::size_t>(size / 2, static_cast<std::size_t>(options_.threads));
    }
  }

  const std::size_t rows_;
  const BatchOptions& options_;
  const Block& block_;
  graze::CancelSource stop_;
  std::atomic<std::size_t> done_{0};
  std::mutex mutex_;
  std::condition_variable ended_;
  bool has_ended_ = false;
  std::exception_ptr thrown_;
  std::thread thread_;  // last: it uses the others
};

/// The function that is told the progress, and None or a bar to be closed.
std::pair<py::object, py::object> reporter(const py::object& progress, std::size_t rows) {
  if (progress.is_none() || progress.ptr() == Py_False) return {py::none(), py::none()};
  if (progress.ptr() != Py_True) return {progress, py::none()};
  const py::object bar = py::module_::import("graze._progress").attr("Bar")(rows);
  return {bar, bar};
}

}  // namespace

std::exception_ptr run_batch(std::size_t rows, const BatchOptions& options, const Block& block) {
  const auto [report, bar] = reporter(options.progress, rows);
  std::exception_ptr ended;
  const auto watch = [&](Worker& worker, std::size_t& reported) {
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      const std::size_t done = worker.done();
      if (!report.is_none() && done != reported) report(reported = done, rows);
    } catch (...) {
      ended = std::current_exception();
      worker.stop();
    }
  };
  {
    std::size_t reported = 0;
    Worker worker(rows, options, block);
    for (bool running = true; running;) {
      {
        py::gil_scoped_release release;
        running = !worker.wait(std::chrono::milliseconds(20));
        if (ended) worker.wait(), running = false;
      }
      if (!ended) watch(worker, reported);
    }
    if (!bar.is_none()) bar.attr("close")();
    if (worker.thrown()) std::rethrow_exception(worker.thrown());
  }
  return ended;
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

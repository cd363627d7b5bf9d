// SPDX-License-Identifier: MIT
// What `scripts/bench python` compares with: the same questions, asked from C++ in the same process.
#include <graze/ask/many.hpp>

#include "batch.hpp"
#include "module.hpp"

namespace graze_python {
namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double seconds_of_collide(const graze::Body& a, const graze::Pose& pose_a, const graze::Body& b,
                          const graze::Pose& pose_b, std::size_t times) {
  const py::gil_scoped_release release;
  const auto start = Clock::now();
  for (std::size_t i = 0; i < times; ++i) {
    const graze::CollideResult result = graze::collide(a, pose_a, b, pose_b);
    if (result.status == graze::Status::invalid_request) return -1;
  }
  return since(start);
}

double seconds_of_distance(const graze::Body& a, const graze::Pose& pose_a, const graze::Body& b,
                           const graze::Pose& pose_b, std::size_t times) {
  const py::gil_scoped_release release;
  const auto start = Clock::now();
  for (std::size_t i = 0; i < times; ++i) {
    const graze::DistanceResult result = graze::distance(a, pose_a, b, pose_b);
    if (result.status == graze::Status::invalid_request) return -1;
  }
  return since(start);
}

/// As a C++ program would ask: the poses are there, results and memory are used again from batch to batch.
class CollideMany {
 public:
  CollideMany(const py::object& given) : poses_(poses(given)), results_(poses_.size()) {}
  double seconds(const graze::Body& a, const graze::Body& b, int threads) {
    const py::gil_scoped_release release;
    graze::ManyOptions<graze::CollideOptions> options;
    options.threads = threads;
    options.memory = &memory_;
    const auto start = Clock::now();
    graze::collide_many(a, graze::Pose(), b, poses_, results_, options);
    return since(start);
  }

 private:
  std::vector<graze::Pose> poses_;
  std::vector<graze::CollideResult> results_;
  graze::ManyMemory memory_;
};

}  // namespace

void bind_bench(py::module_& package) {
  py::module_ m = package.def_submodule("_bench", "For scripts/bench python.");
  m.def("collide", &seconds_of_collide);
  m.def("distance", &seconds_of_distance);
  py::class_<CollideMany>(m, "CollideMany").def(py::init<const py::object&>()).def("seconds", &CollideMany::seconds);
}

}  // namespace graze_python

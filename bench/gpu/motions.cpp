// SPDX-License-Identifier: MIT
// Batches of motions and a million moving boxes on the device. usage: graze_gpu_bench_motions [boxes|motions|all
// [MOTIONS]]
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>
#include <string>
#include <vector>

#include <graze/ask/many.hpp>
#include <graze/gpu/device.hpp>
#include <graze/gpu/motions.hpp>
#include <graze/gpu/overlapping_boxes.hpp>
#include <graze/mesh/make.hpp>

namespace {

using namespace graze;

void require(bool holds, const char* what) {
  if (holds) return;
  std::printf("FAILED: %s\n", what);
  std::exit(1);
}

/// A list in the device's memory.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(std::size_t n) : size_(n) {
    require(cudaMalloc(&data_, n * sizeof(T)) == cudaSuccess, "reserving memory of the device");
  }
  explicit OnDevice(const std::vector<T>& values) : OnDevice(values.size()) {
    require(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice) == cudaSuccess, "copying");
  }
  OnDevice(const OnDevice&) = delete;
  ~OnDevice() { cudaFree(data_); }
  std::span<T> span() const { return {static_cast<T*>(data_), size_}; }
  std::vector<T> download() const {
    std::vector<T> values(size_);
    require(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess, "copying");
    return values;
  }

 private:
  void* data_ = nullptr;
  std::size_t size_;
};

Quat product(const Quat& a, const Quat& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

/// The longest side of its box is 1, its centre the origin.
Mesh normalised(const Mesh& mesh) {
  const Vec3 middle = (mesh.box().lo + mesh.box().hi) * 0.5, size = mesh.box().hi - mesh.box().lo;
  std::vector<Vec3> positions(mesh.positions().begin(), mesh.positions().end());
  for (Vec3& x : positions) x = (x - middle) * (1 / std::max({size.x, size.y, size.z}));
  const std::vector<Triangle> triangles(mesh.triangles().begin(), mesh.triangles().end());
  return Mesh(std::move(positions), triangles);
}

/// The turning flights of `scripts/bench`: A moves a distance of 4 past or into B from a random direction, and turns by
/// pi / 3 about two axes; both in random orientations.
struct Flights {
  std::vector<Pose> from_a, to_a, at_b;

  explicit Flights(std::size_t n) {
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> share(0, 1);
    const auto direction = [&] {
      const Vec3 d{normal(random), normal(random), normal(random)};
      return d * (1 / length(d));
    };
    const auto rotation = [&] { return Quat{normal(random), normal(random), normal(random), normal(random)}; };
    const double c = std::sqrt(0.75), s = 0.5;
    for (std::size_t i = 0; i < n; ++i) {
      const Quat start = rotation();
      const Vec3 d = direction(), side = cross(d, direction());
      const Vec3 aside = side * (share(random) / length(side));
      from_a.push_back(Pose(aside - d * 2, start));
      to_a.push_back(Pose(aside + d * 2, product({c, 0, s, 0}, product({c, s, 0, 0}, start))));
      at_b.push_back(Pose({}, rotation()));
    }
  }
  /// These, again and again up to n.
  Flights(const Flights& all, const std::vector<std::size_t>& chosen, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t k = chosen[i % chosen.size()];
      from_a.push_back(all.from_a[k]);
      to_a.push_back(all.to_a[k]);
      at_b.push_back(all.at_b[k]);
    }
  }
};

/// Distinct flights of which every second one hits, repeated up to n.
Flights every_second_hits(gpu::MotionPair& pair, const gpu::MotionsOptions& options, std::size_t n) {
  const Flights all(40000);
  std::vector<gpu::MotionAnswer> answers(all.at_b.size());
  gpu::motion_free_many(pair, {all.from_a, all.to_a}, {all.at_b, all.at_b}, answers, options);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < answers.size() && chosen.size() < 10000; ++i)
    if ((answers[i].status == Status::contact) == (chosen.size() % 2 == 0)) chosen.push_back(i);
  return Flights(all, chosen, n);
}

std::vector<Motion> motions_of(const std::vector<Pose>& from, const std::vector<Pose>& to, std::size_t n) {
  std::vector<Motion> motions;
  for (std::size_t i = 0; i < n; ++i) motions.push_back(Velocity(from[i], to[i]));
  return motions;
}

void flights(const char* name, const Mesh& mesh, std::size_t n) {
  const Body body(mesh);
  gpu::MotionPair pair(body, body);
  gpu::MotionsOptions options;
  options.tolerance = 1e-4;
  options.threads = 16;
  const Flights f = every_second_hits(pair, options, n);
  const OnDevice<Pose> from_a(f.from_a), to_a(f.to_a), at_b(f.at_b);
  const OnDevice<gpu::MotionAnswer> answers(n);
  const gpu::PoseMotions a{from_a.span(), to_a.span(), {}, true}, b{at_b.span(), at_b.span(), {}, true};
  options.answers_on_device = true;
  const std::size_t compared = std::min<std::size_t>(n, 2000);
  std::vector<FirstContactResult> cpu(compared);
  std::vector<MotionFreeResult> cpu_any(compared);
  const auto ma = motions_of(f.from_a, f.to_a, compared), mb = motions_of(f.at_b, f.at_b, compared);
  FirstContactOptions each;
  each.tolerance = options.tolerance;
  const ManyResult first = first_contact_many(body, ma, body, mb, cpu, {.each = each});
  const ManyResult any = motion_free_many(body, ma, body, mb, cpu_any, {.each = each});
  for (const bool yes_no : {false, true}) {
    gpu::MotionsResult least;
    std::vector<gpu::MotionAnswer> before;
    for (int i = 0; i < 7; ++i) {
      const gpu::MotionsResult r = yes_no ? gpu::motion_free_many(pair, a, b, answers.span(), options)
                                          : gpu::first_contact_many(pair, a, b, answers.span(), options);
      require(!r.error, "the batch was refused");
      if (i == 0 || r.seconds < least.seconds) least = r;
      const std::vector<gpu::MotionAnswer> found = answers.download();
      for (std::size_t k = 0; k < n && i == 1; ++k)
        require(found[k].time == before[k].time && found[k].status == before[k].status && found[k].a == before[k].a,
                "two runs differ");
      if (i == 0) before = found;
    }
    double most = 0;
    for (std::size_t k = 0; k < compared; ++k) {
      require(before[k].status == cpu[k].status, "the status is not the CPU's");
      if (!yes_no && before[k].status == Status::contact)
        most = std::max(most, std::fabs(before[k].time - cpu[k].time.touch));
    }
    std::printf(
        "%-22s %-13s %8.2f million a second; one core of the CPU %.4f; %zu free, %zu contacts, %zu searched again, "
        "%zu on the CPU; times differ by at most %.1e\n",
        name, yes_no ? "yes/no" : "first contact", 1e-6 * static_cast<double>(n) / least.seconds,
        1e-6 * static_cast<double>(compared) / (yes_no ? any.seconds : first.seconds), least.free, least.contact,
        least.repeated, least.on_cpu, most);
    std::fflush(stdout);
  }
}

void boxes(const char* name, std::size_t n, double half, double spread, bool ground) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> place(0, 1);
  std::vector<std::vector<Box3>> steps(2);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 c{place(random), place(random), ground ? 0.02 * place(random) : place(random)};
    const double r = half * std::pow(spread, place(random));
    const Vec3 h{r, r * (0.5 + place(random)), r}, d{r * place(random), r * place(random), -r * place(random)};
    steps[0].push_back({c - h, c + h});
    steps[1].push_back({c + d - h, c + d + h});
  }
  gpu::OverlappingBoxes question;
  double least = 1e9;
  std::size_t pairs = 0;
  for (const std::vector<Box3>& step : steps) {
    const OnDevice<Box3> resident(step);
    for (int i = 0; i < 10; ++i) {
      const gpu::BoxPairsFound found = question.find_on_device(resident.span());
      if (i > 0) least = std::min(least, found.seconds);
      pairs = found.on_device.size();
    }
    BroadPhase cpu;
    for (std::uint32_t i = 0; i < n; ++i) cpu.insert(i, step[i]);
    std::vector<BoxPair> expected, found;
    cpu.pairs(expected, 16);
    question.download(found);
    require(expected == found, "the pairs are not the CPU's");
  }
  std::printf("%-36s %8.3f ms, %zu pairs, as the CPU's\n", name, 1e3 * least, pairs);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  if (const auto problem = gpu::device_problem()) {
    std::printf("skipped: %s\n", problem->text().c_str());
    return 77;
  }
  try {
    const std::string what = count > 1 ? words[1] : "all";
    const std::size_t n = count > 2 ? std::strtoull(words[2], nullptr, 10) : 1000000;
    std::printf("%s\n", gpu::devices()[0].name.c_str());
    if (what != "motions") {
      boxes("1 M moving boxes", 1000000, 0.005, 1, false);
      boxes("1 M moving boxes of sizes 1 to 30", 1000000, 0.001, 30, false);
      boxes("1 M moving boxes on the ground", 1000000, 0.0015, 1, true);
    }
    if (what != "boxes") {
      flights("knots, 2.9 K triangles", normalised(make::torus_knot({.triangles = 2880})), n);
      flights("bunnies, 69 K triangles", normalised(make::bunny({.triangles = 69630})), n);
    }
  } catch (const std::exception& e) {
    std::printf("FAILED: %s\n", e.what());
    return 1;
  }
}

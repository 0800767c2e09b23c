// What an MPI library's own MPI_Allreduce takes, for scripts/bench: float32 sums, the slowest
// rank's median for each size, as JSON on rank 0.
//
//   mpirun ... mpi_allreduce SECONDS-PER-SIZE in-place|apart BYTES...
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

double allreduce_s(const std::vector<float>& from, std::vector<float>& to, int elements,
                   bool in_place) {
  const double begin = MPI_Wtime();
  MPI_Allreduce(in_place ? MPI_IN_PLACE : from.data(), to.data(), elements, MPI_FLOAT, MPI_SUM,
                MPI_COMM_WORLD);
  return MPI_Wtime() - begin;
}

/// The slowest rank's median; the same on every rank.
double median_s(std::size_t bytes, double seconds, bool in_place) {
  const auto elements = static_cast<int>(bytes / sizeof(float));
  // Zeros, so that sums in place stay what they are.
  const std::vector<float> from(static_cast<std::size_t>(elements));
  std::vector<float> to(static_cast<std::size_t>(elements));
  allreduce_s(from, to, elements, in_place);
  double guess = allreduce_s(from, to, elements, in_place);
  MPI_Allreduce(MPI_IN_PLACE, &guess, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  const int count = std::clamp(static_cast<int>(seconds / std::max(guess, 1e-9)), 3, 20000);
  allreduce_s(from, to, elements, in_place);
  std::vector<double> samples(static_cast<std::size_t>(count));
  for (auto& sample : samples) sample = allreduce_s(from, to, elements, in_place);
  const auto middle = samples.begin() + count / 2;
  std::nth_element(samples.begin(), middle, samples.end());
  double median = *middle;
  MPI_Allreduce(MPI_IN_PLACE, &median, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return median;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc < 4) {
    std::fprintf(stderr, "usage: mpi_allreduce SECONDS in-place|apart BYTES...\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::string text;
  for (int i = 3; i < argc; ++i) {
    const auto bytes = std::strtoul(argv[i], nullptr, 10);
    const double median = median_s(bytes, std::atof(argv[1]), std::string(argv[2]) == "in-place");
    text += (text.empty() ? "" : ", ") + ("\"" + std::to_string(bytes) + "\": ") +
            std::to_string(1e6 * median);
  }
  if (rank == 0) std::printf("{%s}\n", text.c_str());
  MPI_Finalize();
  return 0;
}

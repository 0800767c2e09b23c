// Compares shapes and tunings of the ring with each other and with MPI_Allreduce, interleaved in
// one process a rank: for tuning the code, where scripts/bench judges the product.
//
//   mpirun -np 2 ring_bench INTERFACE SIZES BLOCKS SECONDS [CONFIG...]
//   CONFIG: comma list of variant=reduce|wire channels=N threads=N sockets=N chunk=BYTES
//           offer=BYTES share=BYTES spins=N, or the word mpi
#include <ifaddrs.h>
#include <mpi.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/handle.h"
#include "base/units.h"
#include "probe/ring.h"
#include "stats/interval.h"
#include "stats/percentile.h"
#include "transport/tcp/ring_links.h"

namespace {

using namespace ringwise;

class MpiCommunicator final : public comm::Communicator {
 public:
  MpiCommunicator() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  std::vector<std::string> gather_all(const std::string& mine, base::Deadline) override {
    constexpr int kBytes = 4096;
    std::vector<char> all(static_cast<std::size_t>(size_) * kBytes);
    std::vector<char> own(kBytes);
    std::memcpy(own.data(), mine.data(), std::min<std::size_t>(mine.size(), kBytes - 1));
    MPI_Allgather(own.data(), kBytes, MPI_CHAR, all.data(), kBytes, MPI_CHAR, MPI_COMM_WORLD);
    std::vector<std::string> texts;
    for (int i = 0; i < size_; ++i) texts.emplace_back(all.data() + i * kBytes);
    return texts;
  }
  double max(double mine, base::Deadline) override {
    double largest = 0;
    MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return largest;
  }

 private:
  int rank_ = 0;
  int size_ = 1;
};

struct Config {
  std::string name;
  bool is_mpi = false;
  probe::RingVariant variant = probe::RingVariant::kReduce;
  transport::tcp::RingShape shape;
  probe::RingTuning tuning;
};

Config parse(const std::string& text) {
  Config config;
  config.name = text;
  config.is_mpi = text == "mpi";
  config.shape.channels = 2;
  config.shape.counts = {{0, 1}};
  if (config.is_mpi) return config;
  for (const auto& part : base::split(text, ',')) {
    const auto pair = base::split(part, '=');
    if (pair.size() != 2) continue;
    const auto value = std::atoi(pair[1].c_str());
    const auto bytes = static_cast<std::size_t>(value);
    if (pair[0] == "variant" && pair[1] == "wire") config.variant = probe::RingVariant::kWire;
    if (pair[0] == "channels") config.shape.channels = value;
    if (pair[0] == "threads") config.shape.counts[0].threads = value;
    if (pair[0] == "sockets") config.shape.counts[0].sockets = value;
    if (pair[0] == "chunk") config.tuning.chunk_bytes = bytes;
    if (pair[0] == "offer") config.tuning.min_offer_bytes = bytes;
    if (pair[0] == "share") config.tuning.min_channel_bytes = bytes;
    if (pair[0] == "spins") config.tuning.spins = value;
  }
  return config;
}

transport::tcp::Interface interface_of(const std::string& name) {
  ifaddrs* list = nullptr;
  base::check_rc(getifaddrs(&list), "getifaddrs");
  const base::UniqueHandle<ifaddrs, freeifaddrs> owner(list);
  for (const ifaddrs* at = list; at != nullptr; at = at->ifa_next) {
    if (name != at->ifa_name || at->ifa_addr == nullptr || at->ifa_addr->sa_family != AF_INET) {
      continue;
    }
    const auto ip = ntohl(reinterpret_cast<const sockaddr_in*>(at->ifa_addr)->sin_addr.s_addr);
    const auto text = std::to_string(ip >> 24) + "." + std::to_string((ip >> 16) & 255U) + "." +
                      std::to_string((ip >> 8) & 255U) + "." + std::to_string(ip & 255U);
    return {name, *transport::tcp::SocketAddress::make(text, 0), if_nametoindex(name.c_str())};
  }
  throw Error(ErrorKind::kUsage, "no IPv4 address on " + name);
}

class Bench {
 public:
  Bench(MpiCommunicator& comm, const std::string& interface, std::vector<Config> configs)
      : comm_(comm), configs_(std::move(configs)) {
    transport::tcp::RingOptions options;
    options.hosts.assign(static_cast<std::size_t>(comm.size()), "host");
    options.interfaces = {interface_of(interface)};
    options.token = transport::tcp::parse_token("00112233445566778899aabbccddeeff");
    connector_ = std::make_unique<transport::tcp::RingConnector>(comm_, options, far());
  }

  void run(const std::vector<std::size_t>& sizes, int blocks, double seconds) {
    std::vector<float> source(sizes.back() / 4, 1.0F);
    std::vector<float> result(sizes.back() / 4);
    std::map<std::size_t, std::vector<std::vector<double>>> times;
    for (int block = 0; block < blocks; ++block) {
      std::vector<std::unique_ptr<probe::Ring>> rings;
      for (std::size_t c = 0; c < configs_.size(); ++c) {
        auto shape = configs_[c].shape;
        shape.block = static_cast<std::uint32_t>(block);
        shape.group = static_cast<std::uint32_t>(c);
        rings.push_back(configs_[c].is_mpi
                            ? nullptr
                            : std::make_unique<probe::Ring>(
                                  comm_.rank(), comm_.size(), connector_->connect(shape, far()),
                                  std::chrono::seconds(20), configs_[c].tuning));
      }
      for (const auto size : sizes) {
        auto& table = times[size];
        table.resize(configs_.size());
        for (std::size_t k = 0; k < configs_.size(); ++k) {
          const std::size_t c = (k + static_cast<std::size_t>(block)) % configs_.size();
          const auto from = std::span<const float>(source).first(size / 4);
          const auto to = std::span(result).first(size / 4);
          if (rings[c]) rings[c]->prepare(from, to, configs_[c].variant);
          table[c].push_back(time(rings[c].get(), from, to, seconds));
          cpu_[size].resize(configs_.size());
          best_[size].resize(configs_.size(), 1e9);
          best_[size][c] = std::min(best_[size][c], best_s_);
          cpu_[size][c].push_back(cpu_s_);
        }
      }
    }
    if (comm_.rank() == 0) print(times);
  }

 private:
  static base::Deadline far() { return base::Deadline::after(std::chrono::seconds(600)); }

  double time(probe::Ring* ring, std::span<const float> from, std::span<float> to, double seconds) {
    const auto once = [&] {
      if (ring != nullptr) {
        ring->run(far_);
      } else {
        MPI_Allreduce(from.data(), to.data(), static_cast<int>(from.size()), MPI_FLOAT, MPI_SUM,
                      MPI_COMM_WORLD);
      }
    };
    once();
    const auto first = base::Clock::now();
    once();
    const double guess = base::to_seconds(base::Clock::now() - first);
    const int count = std::clamp(static_cast<int>(seconds / comm_.max(guess, far_)), 3, 20000);
    once();
    std::vector<double> samples(static_cast<std::size_t>(count));
    const double cpu = cpu_seconds();
    auto before = base::Clock::now();
    for (auto& sample : samples) {
      once();
      const auto now = base::Clock::now();
      sample = base::to_seconds(now - before);
      before = now;
    }
    best_s_ = comm_.max(*std::ranges::min_element(samples), far_);
    cpu_s_ = (cpu_seconds() - cpu) / count;
    MPI_Allreduce(MPI_IN_PLACE, &cpu_s_, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return comm_.max(stats::median(samples), far_);
  }

  void print(const std::map<std::size_t, std::vector<std::vector<double>>>& times) const {
    const double factor = 2.0 * (comm_.size() - 1) / comm_.size();
    std::vector<double> logs(configs_.size());
    for (const auto& [size, table] : times) {
      for (std::size_t c = 0; c < table.size(); ++c) {
        const double median = stats::median(table[c]);
        const double ratio = *stats::median_ratio(table[0], table[c]);
        const auto interval = stats::ratio_interval(table[0], table[c]);
        logs[c] += std::log(ratio);
        std::printf(
            "%10zu %-50s %10.1f us %7.3f GB/s  x%.3f [%.3f, %.3f] cpu %8.0f us, best %8.0f us\n",
            size, configs_[c].name.c_str(), 1e6 * median,
            1e-9 * factor * static_cast<double>(size) / median, ratio,
            interval ? interval->low : 0.0, interval ? interval->high : 0.0,
            1e6 * stats::median(cpu_.at(size)[c]), 1e6 * best_.at(size)[c]);
      }
    }
    for (std::size_t c = 0; c < configs_.size(); ++c) {
      std::printf("   geomean %-50s x%.3f\n", configs_[c].name.c_str(),
                  std::exp(logs[c] / static_cast<double>(times.size())));
    }
  }

  static double cpu_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }

  MpiCommunicator& comm_;
  std::vector<Config> configs_;
  std::unique_ptr<transport::tcp::RingConnector> connector_;
  base::Deadline far_ = far();
  double best_s_ = 0;
  std::map<std::size_t, std::vector<double>> best_;
  double cpu_s_ = 0;  // of all ranks, one operation of the last time()
  std::map<std::size_t, std::vector<std::vector<double>>> cpu_;
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    MpiCommunicator comm;
    std::vector<Config> configs;
    for (int i = 5; i < argc; ++i) configs.push_back(parse(argv[i]));
    std::vector<std::size_t> sizes;
    for (const auto& size : base::split(argv[2], ',')) sizes.push_back(*base::parse_bytes(size));
    Bench bench(comm, argv[1], std::move(configs));
    bench.run(sizes, std::atoi(argv[3]), std::atof(argv[4]));
  }
  MPI_Finalize();
  return 0;
}

#include "app/probe/world.h"

#include <sys/random.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "app/exit_code.h"
#include "base/error.h"
#include "base/units.h"
#include "comm/relay.h"
#include "model/json.h"
#include "probe/targets.h"
#include "system/host.h"

namespace ringwise::app {
namespace {

constexpr std::chrono::seconds kIntroduction{30};

std::string random_hex(std::size_t bytes) {
  std::string raw(bytes, '\0');
  base::check_rc(static_cast<int>(::getrandom(raw.data(), raw.size(), 0)), "getrandom");
  std::string text;
  for (const char byte : raw) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

std::string to_text(const Introduction& introduction) {
  return comm::pack({model::to_json_line(introduction.host), model::to_json_line(introduction.rank),
                     std::to_string(introduction.error_code), introduction.error,
                     comm::pack(introduction.families), comm::pack(introduction.notes)});
}

Introduction introduction_from(std::string_view text) {
  const auto parts = comm::unpack(text);
  Introduction introduction;
  introduction.host = model::host_from_json(parts.at(0));
  introduction.rank = model::rank_from_json(parts.at(1));
  introduction.error_code = std::atoi(parts.at(2).c_str());
  introduction.error = parts.at(3);
  introduction.families = comm::unpack(parts.at(4));
  introduction.notes = comm::unpack(parts.at(5));
  return introduction;
}

std::string to_text(const World& world) {
  std::vector<std::string> locals;
  locals.reserve(world.local_ranks.size());
  for (const int local : world.local_ranks) locals.push_back(std::to_string(local));
  return comm::pack({std::to_string(world.exit_code), world.error, world.token,
                     std::to_string(world.seed), comm::pack(world.hosts), comm::pack(locals)});
}

World world_from(std::string_view text) {
  const auto parts = comm::unpack(text);
  World world;
  world.exit_code = std::atoi(parts.at(0).c_str());
  world.error = parts.at(1);
  world.token = parts.at(2);
  world.seed = std::strtoull(parts.at(3).c_str(), nullptr, 10);
  world.hosts = comm::unpack(parts.at(4));
  for (const auto& local : comm::unpack(parts.at(5))) {
    world.local_ranks.push_back(std::atoi(local.c_str()));
  }
  return world;
}

void refuse(World& world, int code, std::string text) {
  if (world.exit_code != 0) return;
  world.exit_code = code;
  world.error = std::move(text);
}

/// Hosts of one name are told apart from here on, in the record too: whoever compares names would
/// take them for one.
void rename_namesakes(World& world) {
  std::map<std::string, std::vector<std::string>> boots;  // by name, in the order of ranks
  for (auto& introduction : world.introductions) {
    auto& name = introduction.host.host;
    auto& ids = boots[name];
    const auto id = introduction.host.boot_id.value_or("");
    auto place = std::find(ids.begin(), ids.end(), id);
    if (place == ids.end()) place = ids.insert(ids.end(), id);
    if (place == ids.begin()) continue;
    introduction.rank.host = name = fmt::format("{}#{}", name, place - ids.begin() + 1);
  }
  for (const auto& [name, ids] : boots) {
    if (ids.size() < 2) continue;
    world.warnings.push_back(fmt::format(
        "{} different hosts are called {}: give each its own host name; here the second is {}#2",
        ids.size(), base::printable(name), base::printable(name)));
  }
}

/// Ranks are on one host when name and boot id are the same.
void place_ranks(World& world) {
  rename_namesakes(world);
  std::map<std::pair<std::string, std::string>, int> places;
  std::map<int, int> ranks_on;
  for (auto& introduction : world.introductions) {
    const auto& host = introduction.host;
    const std::pair key{host.host, host.boot_id.value_or("")};
    const auto place = places.emplace(key, static_cast<int>(places.size())).first->second;
    world.host_of_rank.push_back(place);
    introduction.rank.local_rank = ranks_on[place]++;
    world.local_ranks.push_back(introduction.rank.local_rank);
    world.hosts.push_back(host.host);
  }
  world.nodes = static_cast<int>(places.size());
  for (const auto& introduction : world.introductions) {
    const auto& cpus = introduction.host.cpus;
    const bool is_bound = cpus.allowed_count.value_or(2) == 1 && cpus.online.value_or(1) > 1 &&
                          cpus.cpuset != cpus.allowed;
    if (!is_bound) continue;
    world.warnings.push_back(
        fmt::format("rank {} on {} is bound to 1 of {} CPUs and has to share it with its own "
                    "helper threads; Open MPI's --bind-to none lets it use all, as a job would",
                    introduction.rank.rank, base::printable(introduction.host.host), *cpus.online));
    break;  // the others will be, too
  }
}

const char* family_name(const std::string& family) {
  return family == "inet6" ? "IPv6" : "IPv4";
}

bool has_family(const Introduction& introduction, const std::string& interface,
                const std::string& family) {
  const auto& all = introduction.host.interfaces;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == interface; });
  return found != all.end() &&
         std::any_of(found->addresses.begin(), found->addresses.end(),
                     [&](const model::Address& address) { return address.family == family; });
}

/// Each rank takes the first family that its interface has, as NCCL does: they have to agree.
void check_families(World& world) {
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (const auto& one : world.introductions) fewest = std::min(fewest, one.families.size());
  for (std::size_t place = 0; place < fewest; ++place) {
    const auto count = static_cast<std::size_t>(
        std::count_if(world.introductions.begin(), world.introductions.end(),
                      [&](const auto& one) { return one.families[place] == "inet"; }));
    if (count == 0 || count == world.introductions.size()) continue;
    // As many of each: then those without IPv4 are the odd ones.
    const std::string most = 2 * count >= world.introductions.size() ? "inet" : "inet6";
    const std::string other = most == "inet" ? "inet6" : "inet";
    std::vector<std::string> odd;
    bool do_all_have_other = true;
    for (const auto& one : world.introductions) {
      const auto& interface = one.rank.interfaces[place];
      do_all_have_other = do_all_have_other && has_family(one, interface, other);
      if (one.families[place] == most) continue;
      auto name =
          fmt::format("{} of {}", base::printable(interface), base::printable(one.host.host));
      if (std::find(odd.begin(), odd.end(), name) == odd.end()) odd.push_back(std::move(name));
    }
    const auto hint =
        do_all_have_other
            ? fmt::format("; all have {}: NCCL_SOCKET_FAMILY={} uses that on all",
                          family_name(other), other == "inet6" ? "AF_INET6" : "AF_INET")
            : std::string();
    refuse(world, static_cast<int>(ExitCode::kUsage),
           fmt::format("{} {} no {} address, the others have one{}", base::join(odd, ", "),
                       odd.size() == 1 ? "has" : "have", family_name(most), hint));
    return;
  }
}

/// Each note once, with the first rank that has it.
void warn_of_settings(World& world) {
  std::set<std::string> said;
  for (const auto& one : world.introductions) {
    for (const auto& note : one.notes) {
      if (!said.insert(note).second) continue;
      world.warnings.push_back(
          fmt::format("rank {} on {}: {}", one.rank.rank, base::printable(one.host.host), note));
    }
  }
}

void check_size(World& world, const ProbeOptions& options, int ranks) {
  const auto asked_ranks = options.expect_ranks ? options.expect_ranks : comm::launcher_ranks();
  if (asked_ranks && *asked_ranks != ranks) {
    refuse(world, 3,
           fmt::format("{} ranks were asked for, but the world has {}: did the launcher form "
                       "several worlds (another MPI's mpirun), or lose hosts?",
                       *asked_ranks, ranks));
  }
  const auto asked_nodes = options.expect_nodes ? options.expect_nodes : comm::launcher_nodes();
  if (asked_nodes && *asked_nodes != world.nodes) {
    refuse(world, 3,
           fmt::format("{} nodes were asked for, but the {} ranks run on {}: check the host list "
                       "and the mapping (-H, --map-by node)",
                       *asked_nodes, ranks, world.nodes));
  }
}

}  // namespace

Introduction introduce(const ProbeOptions& options, int rank) {
  Introduction introduction;
  introduction.host = system::read_host(system::SysRoot{}, {});
  introduction.rank.rank = rank;
  introduction.rank.host = introduction.host.host;
  const auto selection = probe::select_for_introduction(introduction.host.interfaces,
                                                        options.interface, options.each_interface);
  introduction.rank.interfaces = selection.interfaces;
  introduction.families = selection.families;
  introduction.notes = selection.notes;
  introduction.rank.bootstrap_interface = selection.bootstrap;
  introduction.rank.selection = selection.rule;
  if (!selection.error.empty()) {
    introduction.error_code = 2;
    introduction.error = selection.error;
  }
  return introduction;
}

World judge_world(const ProbeOptions& options,
                  const std::vector<std::optional<Introduction>>& introductions) {
  World world;
  std::vector<std::string> silent;
  for (std::size_t rank = 0; rank < introductions.size(); ++rank) {
    if (introductions[rank]) {
      world.introductions.push_back(*introductions[rank]);
    } else {
      silent.push_back(std::to_string(rank));
    }
  }
  if (!silent.empty()) {
    refuse(world, 3,
           fmt::format("no word from rank {} on the control interface", base::join(silent, ", ")));
    return world;
  }
  place_ranks(world);
  for (const auto& introduction : world.introductions) {
    if (introduction.error_code == 0) continue;
    refuse(world, introduction.error_code,
           introduction.error.empty()
               ? ""
               : fmt::format("rank {} on {}: {}", introduction.rank.rank,
                             base::printable(introduction.host.host), introduction.error));
  }
  check_size(world, options, static_cast<int>(introductions.size()));
  check_families(world);
  warn_of_settings(world);
  world.token = random_hex(16);
  world.seed = std::strtoull(random_hex(8).c_str(), nullptr, 16);
  return world;
}

World agree_on_world(comm::ControlPlane& plane, const ProbeOptions& options,
                     const Introduction& mine) {
  const auto texts = plane.gather(to_text(mine), base::Deadline::after(kIntroduction));
  const auto answer_by = base::Deadline::after(2 * kIntroduction);
  if (plane.rank() != 0) return world_from(plane.broadcast("", answer_by));
  std::vector<std::optional<Introduction>> introductions;
  introductions.reserve(texts.size());
  for (const auto& text : texts) {
    introductions.push_back(text ? std::optional(introduction_from(*text)) : std::nullopt);
  }
  World world = judge_world(options, introductions);
  plane.broadcast(to_text(world), answer_by);
  return world;
}

}  // namespace ringwise::app

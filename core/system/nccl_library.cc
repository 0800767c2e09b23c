#include "system/nccl_library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/handle.h"
#include "base/units.h"
#include "system/text.h"

namespace ringwise::system {
namespace {

constexpr std::size_t kAnswerLimit = 16384;
constexpr int kAnswerFd = 3;

// ---- in the child ----

/// One line of the answer: a letter for its kind and the text.
void answer(char kind, std::string_view text) {
  const std::string line = fmt::format("{}{}\n", kind, text.substr(0, 4096));
  // Nobody is left to tell when this fails: the parent reports the missing line.
  (void)!::write(kAnswerFd, line.data(), line.size());
}

/// Cuts every tie to the parent but the answer pipe; what the library prints is not shown.
void isolate(int answer_fd) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int null = ::open("/dev/null", O_RDWR);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(null, fd);
  ::dup2(answer_fd, kAnswerFd);
  ::close_range(kAnswerFd + 1, ~0U, 0);
  const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
  setrlimit(RLIMIT_CORE, &no_core);
  for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTERM}) {
    ::signal(number, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

void ask_in_child(const std::string& library) {
  void* handle = ::dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* why = ::dlerror();
    return answer('e', why == nullptr ? "dlopen failed" : why);
  }
  link_map* map = nullptr;
  if (::dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) == 0 && map != nullptr) {
    answer('p', map->l_name);
  }
  using GetVersion = int (*)(int*);
  const auto get_version = reinterpret_cast<GetVersion>(::dlsym(handle, "ncclGetVersion"));
  if (get_version == nullptr) return answer('e', "it has no ncclGetVersion");
  int code = 0;
  if (const int rc = get_version(&code); rc != 0) {
    return answer('e', fmt::format("ncclGetVersion failed with ncclResult_t {}", rc));
  }
  answer('v', fmt::format("{}", code));
}

// ---- in the parent ----

/// A child that is killed, with what it started, and waited for when this goes.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  ~Child() { (void)end(base::Deadline::after(base::Nanoseconds(0))); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  Child(Child&&) = delete;
  Child& operator=(Child&&) = delete;

  /// How it ended, in words; "" after exit(0). Kills it when the deadline has passed first.
  std::string end(base::Deadline deadline) {
    if (pid_ < 0) return "";
    int status = 0;
    if (wait(deadline, status)) return describe(status);
    ::kill(pid_, SIGKILL);
    // A killed process can hang in a driver's call; it is left to init then.
    (void)wait(base::Deadline::after(std::chrono::seconds(2)), status);
    pid_ = -1;
    return "it did not answer in time";
  }

 private:
  bool wait(base::Deadline deadline, int& status) {
    while (true) {
      const pid_t got = ::waitpid(pid_, &status, WNOHANG);
      if (got == pid_ || (got < 0 && errno != EINTR)) {
        pid_ = -1;
        return true;
      }
      if (deadline.has_passed()) return false;
      ::poll(nullptr, 0, std::min(deadline.poll_ms(), 2));
    }
  }

  static std::string describe(int status) {
    if (WIFSIGNALED(status)) return fmt::format("it ended with signal {}", WTERMSIG(status));
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
      return fmt::format("it ended with status {}", WEXITSTATUS(status));
    }
    return "";
  }

  pid_t pid_;
};

/// All that the child writes until it closes the pipe or the deadline passes.
std::string read_answer(int fd, base::Deadline deadline) {
  std::string text;
  std::array<char, 4096> buffer{};
  while (text.size() < kAnswerLimit && !deadline.has_passed()) {
    pollfd entry{.fd = fd, .events = POLLIN, .revents = 0};
    if (::poll(&entry, 1, deadline.poll_ms()) <= 0) continue;
    const auto got = ::read(fd, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return text;
}

NcclAnswer parse_answer(std::string_view text) {
  NcclAnswer result;
  for (const auto line : lines(text)) {
    if (line.empty()) continue;
    const auto value = line.substr(1);
    if (line[0] == 'p') result.path = base::printable(value);
    if (line[0] == 'e') result.reason = base::printable(value);
    if (line[0] != 'v') continue;
    const auto code = base::parse_int(value);
    if (code && *code > 0 && *code < 100'000'000) {
      result.version = nccl_version_text(static_cast<int>(*code));
    }
    if (!result.version) result.reason = fmt::format("ncclGetVersion gave {}", value);
  }
  return result;
}

NcclAnswer failed(std::string_view call) {
  return {.path = std::nullopt,
          .version = std::nullopt,
          .reason = fmt::format("{}: {}", call, base::errno_text(errno))};
}

model::NcclLibrary to_library(const NcclAnswer& answer, bool found) {
  model::NcclLibrary library;
  library.found = found;
  library.version = answer.version;
  library.path = answer.path;
  if (!answer.reason.empty()) library.reason = answer.reason;
  return library;
}

model::NcclLibrary not_found(std::string reason) {
  model::NcclLibrary library;
  library.reason = std::move(reason);
  return library;
}

/// A library that the loader would not find but that is there.
model::NcclLibrary find_elsewhere(const SysRoot& root, const NcclSearch& search,
                                  const std::string& why_not) {
  auto library = not_found("the loader finds none: " + why_not);
  const auto places = well_known_nccl(root);
  if (places.empty()) return library;
  const auto answer = ask_nccl(places.front(), search.deadline);
  library.path = answer.path.value_or(places.front());
  library.version = answer.version;
  library.reason = fmt::format(
      "it is there, but the loader does not find it: its folder is neither in LD_LIBRARY_PATH nor "
      "known to ldconfig{}",
      answer.reason.empty() ? "" : "; asked by its path: " + answer.reason);
  return library;
}

}  // namespace

NcclAnswer ask_nccl(const std::string& library, base::Nanoseconds deadline_span) {
  const auto deadline = base::Deadline::after(deadline_span);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return failed("pipe2");
  const base::FileDescriptor reader(ends[0]);
  base::FileDescriptor writer(ends[1]);
  // glibc keeps malloc and the loader usable in the child of a process with threads, which POSIX
  // does not promise; should it hang all the same, the deadline ends it.
  const pid_t pid = ::fork();
  if (pid < 0) return failed("fork");
  if (pid == 0) {
    isolate(writer.get());
    ask_in_child(library);
    ::_exit(0);
  }
  Child child(pid);
  writer.reset();
  auto result = parse_answer(read_answer(reader.get(), deadline));
  const auto ended = child.end(deadline);
  if (result.reason.empty() && !result.version) {
    result.reason = ended.empty() ? "it gave no version" : ended;
  }
  return result;
}

std::optional<std::string> nccl_version_text(int code) {
  if (code < 1000 || code > 999'999) return std::nullopt;
  const int major_unit = code < 10000 ? 1000 : 10000;
  return fmt::format("{}.{}.{}", code / major_unit, code % major_unit / 100, code % 100);
}

std::vector<std::string> well_known_nccl(const SysRoot& root) {
  std::vector<std::string> folders;
  for (const auto& name : root.list("/usr/local")) {
    if (!name.starts_with("cuda")) continue;
    const std::string cuda = "/usr/local/" + name;
    folders.push_back(cuda + "/lib64");
    folders.push_back(cuda + "/lib");
    for (const auto& target : root.list(cuda + "/targets")) {
      folders.push_back(fmt::format("{}/targets/{}/lib", cuda, target));
    }
  }
  folders.insert(folders.end(), {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
                                 "/usr/lib64", "/usr/local/lib"});
  std::vector<std::string> found;
  for (const auto& folder : folders) {
    const std::string path = folder + "/libnccl.so.2";
    if (root.exists(path)) found.push_back(path);
  }
  return found;
}

model::NcclLibrary find_nccl(const SysRoot& root, const NcclSearch& search) {
  if (!root.is_live()) return not_found("not asked: these are the saved files of a machine");
  if (search.path) {
    const auto answer = ask_nccl(*search.path, search.deadline);
    return to_library(answer, answer.path.has_value());
  }
  std::string why_not;
  for (const char* name : {"libnccl.so.2", "libnccl.so"}) {
    const auto answer = ask_nccl(name, search.deadline);
    if (answer.path) return to_library(answer, true);
    why_not = why_not.empty() ? answer.reason : why_not;
  }
  return find_elsewhere(root, search, why_not);
}

}  // namespace ringwise::system

// Asks a real libnccl for its version and for a unique id, so that it prints its own choice of
// the bootstrap interface (NCCL_DEBUG=INFO). Needs no GPU. Usage: nccl_unique_id LIBRARY
#include <array>
#include <cstdio>

#include <dlfcn.h>

namespace {

constexpr int kUnavailable = 77;

/// NCCL_UNIQUE_ID_BYTES of nccl.h.
struct UniqueId {
  std::array<char, 128> internal{};
};
using GetVersion = int (*)(int*);
using GetUniqueId = int (*)(UniqueId*);

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  void* const library = dlopen(argv[1], RTLD_NOW);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return kUnavailable;
  }
  const auto get_version = reinterpret_cast<GetVersion>(dlsym(library, "ncclGetVersion"));
  const auto get_unique_id = reinterpret_cast<GetUniqueId>(dlsym(library, "ncclGetUniqueId"));
  if (get_version == nullptr || get_unique_id == nullptr) {
    std::fprintf(stderr, "%s is no libnccl\n", argv[1]);
    return kUnavailable;
  }
  int version = 0;
  if (get_version(&version) != 0) return 1;
  std::printf("version %d\n", version);
  UniqueId id;
  std::printf("result %d\n", get_unique_id(&id));
  return 0;
}

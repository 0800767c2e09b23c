// A library that ends its process when it is asked.
#include <cstdlib>

// NOLINTNEXTLINE(readability-identifier-naming): the name is NCCL's.
extern "C" int ncclGetVersion(int* version);
extern "C" int ncclGetVersion(int*) {
  std::abort();
}

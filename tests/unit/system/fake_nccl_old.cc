// A library that answers like NCCL 2.7.8 and talks on standard output.
#include <cstdio>

// NOLINTNEXTLINE(readability-identifier-naming): the name is NCCL's.
extern "C" int ncclGetVersion(int* version);
extern "C" int ncclGetVersion(int* version) {
  std::puts("p/somewhere/else");
  *version = 2708;
  return 0;
}

// A library that never answers.
#include <unistd.h>

// NOLINTNEXTLINE(readability-identifier-naming): the name is NCCL's.
extern "C" int ncclGetVersion(int* version);
extern "C" int ncclGetVersion(int*) {
  while (true) pause();
}

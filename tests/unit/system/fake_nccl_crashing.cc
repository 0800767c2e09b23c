// A library that ends its process when it is asked.
#include <cstdlib>

extern "C" int ncclGetVersion(int* version);
extern "C" int ncclGetVersion(int*) {
  std::abort();
}

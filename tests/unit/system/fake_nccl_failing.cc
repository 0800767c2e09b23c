// A library whose version call fails.
// NOLINTNEXTLINE(readability-identifier-naming): the name is NCCL's.
extern "C" int ncclGetVersion(int* version);
extern "C" int ncclGetVersion(int* version) {
  *version = 0;
  return 4;
}

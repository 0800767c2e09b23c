// A library whose version call fails.
extern "C" int ncclGetVersion(int* version);
extern "C" int ncclGetVersion(int* version) {
  *version = 0;
  return 4;
}

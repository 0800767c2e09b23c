// A library that is not NCCL.
extern "C" int something_else();
extern "C" int something_else() {
  return 0;
}

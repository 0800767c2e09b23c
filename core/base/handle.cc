#include "base/handle.h"

#include <unistd.h>

namespace ringwise::base {

void FileDescriptor::reset() {
  // A failed close cannot be repeated on Linux: the descriptor is gone either way.
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

}  // namespace ringwise::base

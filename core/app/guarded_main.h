// The outermost frame of every ringwise program: failures become one line and an exit code.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace ringwise::app {

/// Runs `body` and returns its exit code. Whatever it throws becomes one line on standard error,
/// "PROGRAM: error: TEXT", and the code of exit_code.h; a bug says "internal error". PROGRAM is the
/// last part of argv[0]. Nothing passes through. `said` receives TEXT when it is not null.
int guarded_main(int argc, const char* const* argv, const std::function<int()>& body,
                 std::string* said = nullptr) noexcept;

/// Writes `text` to standard output. A reader that went away is no error (the text is dropped
/// without a word); anything else, a full disk say, throws Error(kUsage) that names it.
void write_data(std::string_view text);

/// Last part of argv[0], "ringwise" when there is none.
[[nodiscard]] std::string program_name(int argc, const char* const* argv);

}  // namespace ringwise::app

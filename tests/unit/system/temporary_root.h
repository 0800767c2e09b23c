// A folder that a test fills with the files of an invented machine; gone when the test ends.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <stdlib.h>

#include "system/sysroot.h"

namespace ringwise::system {

/// The fixture of that name.
inline SysRoot fixture(std::string_view name) {
  return {std::filesystem::path(RINGWISE_FIXTURES) / "sysroot" / name};
}

class TemporaryRoot {
 public:
  TemporaryRoot() {
    std::string name = (std::filesystem::temp_directory_path() / "ringwise-root-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  ~TemporaryRoot() {
    std::error_code failed;
    std::filesystem::remove_all(folder_, failed);
    EXPECT_FALSE(failed);
  }
  TemporaryRoot(const TemporaryRoot&) = delete;
  TemporaryRoot& operator=(const TemporaryRoot&) = delete;
  TemporaryRoot(TemporaryRoot&&) = delete;
  TemporaryRoot& operator=(TemporaryRoot&&) = delete;

  [[nodiscard]] SysRoot root() const { return {folder_}; }
  /// The path on this machine of "/proc/..." in the root; its folder exists.
  [[nodiscard]] std::filesystem::path place(std::string_view path) const {
    auto at = folder_ / std::filesystem::path(path.substr(1));
    std::filesystem::create_directories(at.parent_path());
    return at;
  }
  void write(std::string_view path, std::string_view text) const {
    std::ofstream(place(path), std::ios::binary) << text;
  }
  void link(std::string_view path, const std::string& target) const {
    std::filesystem::create_symlink(target, place(path));
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace ringwise::system

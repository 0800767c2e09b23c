// Comparison with a file of tests/fixtures; UPDATE_GOLDEN=1 rewrites the file instead.
#pragma once

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "base/file.h"

namespace ringwise::report::test {

inline void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(RINGWISE_FIXTURES) + "/" + name;
  const char* update = std::getenv("UPDATE_GOLDEN");
  if (update != nullptr && std::string(update) == "1") base::write_atomically(path, text);
  const auto expected = base::read_text(path);
  ASSERT_TRUE(expected.has_value()) << path << " is missing; UPDATE_GOLDEN=1 writes it";
  EXPECT_EQ(*expected, text) << "differs from " << path;
}

}  // namespace ringwise::report::test

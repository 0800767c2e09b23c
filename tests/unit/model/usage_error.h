// For tests of refused input: the text of the error that a call throws.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "base/error.h"

namespace ringwise::model::test {

/// The text of the Error(kUsage) that `call` throws; "" when it throws none.
template <typename Call>
std::string usage_error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "";
}

}  // namespace ringwise::model::test

// The settings as files that a shell and NCCL itself read.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/advice.h"

namespace ringwise::recommend {

/// A file to be written; `name` has no folder.
struct OutputFile {
  std::string name;
  std::string text;
};

/// First line of every text file that `ringwise recommend` writes: how it knows its own.
inline constexpr const char* kMark = "# Written by ringwise recommend";

/// Names other than NCCL_* and RINGWISE_* and values with control characters are in no file.
/// Required, confirmed and predicted settings of the environment that hold on every host, by name.
[[nodiscard]] std::map<std::string, std::string> common_settings(
    const std::vector<model::Advice>& advice);
/// The same for one host, values of its own included.
[[nodiscard]] std::map<std::string, std::string> settings_of(
    const std::vector<model::Advice>& advice, const std::string& host);

/// nccl.env, nccl.conf, and nccl.<host>.conf for each host where values differ. A line that holds
/// for some hosts only is in no common file: there a comment says where it is.
[[nodiscard]] std::vector<OutputFile> env_files(const std::vector<model::Advice>& advice,
                                                const std::vector<std::string>& hosts,
                                                const std::string& origin);

/// As a POSIX shell reads it back in NAME=VALUE: in single quotes where it has to be.
[[nodiscard]] std::string shell_quoted(std::string_view value);

/// A host's name as part of a file name: only letters, digits, '.', '-' and '_'.
[[nodiscard]] std::string file_part(std::string_view host);

}  // namespace ringwise::recommend

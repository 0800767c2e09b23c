#include "app/cli.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "app/exit_code.h"
#include "app/nearest.h"
#include "base/error.h"
#include "base/units.h"

namespace ringwise::app {
namespace {

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// The first of `args` that looks like an option and is none of the command's.
std::optional<std::string> unknown_option(const CLI::App& command,
                                          std::span<const std::string> args) {
  const auto names = option_names(command);
  for (const auto& arg : args) {
    if (arg == "--") break;
    if (!arg.starts_with("--")) continue;
    const auto name = arg.substr(0, arg.find('='));
    if (std::find(names.begin(), names.end(), name) == names.end()) return name;
  }
  return std::nullopt;
}

/// An empty value, which a shell makes of an unset variable; CLI11 takes it for none at all.
std::optional<std::string> empty_value(const CLI::App& command, std::span<const std::string> args) {
  for (std::size_t i = 0; i < args.size() && args[i] != "--"; ++i) {
    const auto equals = args[i].find('=');
    const bool is_inside = args[i].starts_with("--") && equals != std::string::npos;
    if (!args[i].starts_with("-")) continue;
    const auto* option =
        command.get_option_no_throw(args[i].substr(0, is_inside ? equals : std::string::npos));
    if (option == nullptr || option->get_type_size() == 0) continue;
    const bool is_empty =
        is_inside ? equals + 1 == args[i].size() : i + 1 < args.size() && args[i + 1].empty();
    if (is_empty) return "--" + option->get_lnames().front();
    if (!is_inside) ++i;
  }
  return std::nullopt;
}

[[noreturn]] void refuse(const CLI::App& command, std::span<const std::string> args,
                         const CLI::ParseError& error) {
  std::string text = base::printable(base::trim(error.what()));
  if (const auto unknown = unknown_option(command, args)) {
    text = fmt::format("{} is no option of {}", base::printable(*unknown), command.get_name());
    const auto names = option_names(command);
    if (const auto meant = nearest(*unknown, names)) text += fmt::format("; {}?", *meant);
  }
  throw Error(ErrorKind::kUsage, fmt::format("{} (see {} --help)", text, command.get_name()));
}

}  // namespace

void set_help(CLI::App& command, const std::string& example) {
  command.get_formatter()->column_width(26);
  command.get_formatter()->label("REQUIRED", "(needed)");
  command.set_help_flag("-h,--help", "This text")->group("Output");
  command.footer(fmt::format("\nExample:\n  {}\n\n{}", example, exit_codes_help()));
}

std::optional<std::string> parse(CLI::App& command, std::span<const std::string> args) {
  if (const auto name = empty_value(command, args)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: a value is needed, this one is empty (see {} --help)", *name,
                            command.get_name()));
  }
  std::vector<std::string> reversed(args.rbegin(), args.rend());
  try {
    command.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    return command.help();
  } catch (const CLI::ParseError& error) {
    refuse(command, args, error);
  }
  return std::nullopt;
}

}  // namespace ringwise::app

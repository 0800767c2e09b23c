#include "model/mode_label.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

#include <fmt/format.h>

#include "base/units.h"

namespace ringwise::model {
namespace {

constexpr std::array<std::string_view, 1> kHost{"host"};
constexpr std::array<std::string_view, 3> kPod{"overlay-tunnel", "overlay-native",
                                               "ipvlan-default"};
constexpr std::array<std::string_view, 5> kMultus{
    "multus-macvlan", "multus-ipvlan", "multus-hostdev", "multus-sriov-vf", "multus-ipoib"};
constexpr std::array<std::string_view, 2> kIpvlan{"ipvlan-default", "multus-ipvlan"};
constexpr std::array<std::string_view, 1> kGke{"gke-multinet"};

/// A word that people label runs with, and the modes it may stand for.
struct Word {
  std::string_view word;
  std::span<const std::string_view> modes;
};

constexpr std::array<Word, 32> kWords{{
    {"host", kHost},
    {"hostnetwork", kHost},
    {"host-network", kHost},
    {"hostnet", kHost},
    {"bare", kHost},
    {"bare-metal", kHost},
    {"baremetal", kHost},
    {"overlay", kPod},
    {"pod", kPod},
    {"pod-network", kPod},
    {"cni", kPod},
    {"tunnel", std::span(kPod).first(1)},
    {"overlay-tunnel", std::span(kPod).first(1)},
    {"native", std::span(kPod).subspan(1, 1)},
    {"overlay-native", std::span(kPod).subspan(1, 1)},
    {"ipvlan-default", std::span(kPod).last(1)},
    {"ipvlan", kIpvlan},
    {"multus", kMultus},
    {"macvlan", std::span(kMultus).first(1)},
    {"multus-macvlan", std::span(kMultus).first(1)},
    {"multus-ipvlan", std::span(kMultus).subspan(1, 1)},
    {"hostdev", std::span(kMultus).subspan(2, 1)},
    {"host-device", std::span(kMultus).subspan(2, 1)},
    {"multus-hostdev", std::span(kMultus).subspan(2, 1)},
    {"sriov", std::span(kMultus).subspan(3, 1)},
    {"sr-iov", std::span(kMultus).subspan(3, 1)},
    {"multus-sriov", std::span(kMultus).subspan(3, 1)},
    {"multus-sriov-vf", std::span(kMultus).subspan(3, 1)},
    {"ipoib", std::span(kMultus).last(1)},
    {"multus-ipoib", std::span(kMultus).last(1)},
    {"gke", kGke},
    {"gke-multinet", kGke},
}};

std::string normal(std::string_view label) {
  std::string word(base::trim(label));
  std::ranges::transform(word, word.begin(), [](unsigned char c) {
    return c == '_' ? '-' : static_cast<char>(std::tolower(c));
  });
  return word;
}

}  // namespace

std::span<const std::string_view> modes_meant(std::string_view label) {
  const std::string word = normal(label);
  const auto* const found = std::ranges::find(kWords, std::string_view(word), &Word::word);
  if (found != kWords.end()) return found->modes;
  // "overlay-cilium" and "multus-rail0" say the family and something else.
  if (word.starts_with("overlay-")) return kPod;
  if (word.starts_with("multus-")) return kMultus;
  return {};
}

std::optional<std::string> label_contradiction(const Mode& mode) {
  if (!mode.label || !mode.detected || *mode.detected == kUnknownMode) return std::nullopt;
  const auto modes = modes_meant(*mode.label);
  if (modes.empty() || std::ranges::find(modes, *mode.detected) != modes.end()) {
    return std::nullopt;
  }
  return fmt::format("the label says {}, what was found says {}", base::printable(*mode.label),
                     base::printable(*mode.detected));
}

}  // namespace ringwise::model

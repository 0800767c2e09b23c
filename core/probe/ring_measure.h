// Measures ring all-reduces in blocks within a time budget, over any transport.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "memory/buffer.h"
#include "model/record.h"
#include "probe/ring.h"
#include "probe/ring_plan.h"
#include "probe/stage.h"
#include "probe/wrong_data.h"

namespace ringwise::probe {

/// One configuration: a shape of connections. Every rank has the same ones in the same order.
struct RingCase {
  model::Result result;  ///< what its results have in common
  std::string label;     ///< for the step text; empty when there is only one
  /// Makes the connections of a block, numbered from 0. Collective.
  std::function<transport::Links(std::uint32_t block, base::Deadline deadline)> connect;
  std::vector<std::string> channel_interfaces;  ///< by channel; empty without interfaces
  std::function<std::uint64_t()> strays;        ///< so far; may be null
};

/// The ring that this rank is part of; a rank alone in it takes part in the agreements only.
struct RingPlace {
  int rank = 0;
  int ranks = 1;
};

class RingMeasure {
 public:
  /// `step` is what the transports name in their errors. The references outlive this.
  RingMeasure(StageContext& context, RingPlace place, std::shared_ptr<std::string> step);

  /// Verifies each size once, then measures all in blocks: new connections in each, configurations
  /// and sizes in random order. Adds one result for each configuration and variant before it
  /// begins, and fills them as it goes. A size whose fewest operations do not fit the budget is
  /// left out with the reason. Of several configurations each is promised time for the size by
  /// which they are compared (the smallest of at least plan::kLarge) before the others. When
  /// the stage's time runs short there are fewer blocks. Collective. Throws Error.
  void run(const std::vector<RingCase>& cases, model::StageReport& report);

  /// Payload bytes that this rank has sent, and received, by own interface.
  [[nodiscard]] const std::map<std::string, std::uint64_t>& sent() const { return sent_; }
  [[nodiscard]] const std::map<std::string, std::uint64_t>& received() const { return received_; }

 private:
  /// One size of one variant of one case.
  struct Item {
    std::size_t case_index = 0;
    RingVariant variant = RingVariant::kReduce;
    std::size_t result_index = 0;  ///< in the report
    std::size_t size_index = 0;    ///< in the result
    std::size_t elements = 0;
    RingLoad load;
    std::vector<std::vector<double>> samples_us;  ///< by block
    std::set<WrongPiece> wrong_pieces;            ///< wire only
  };

  void add_results(const std::vector<RingCase>& cases, model::StageReport& report);
  void calibrate(const RingCase& of, std::size_t case_index, std::size_t cases_left);
  /// Verifies and times an item. Collective.
  void calibrate_item(std::optional<Ring>& ring, const RingCase& of, Item& item);
  /// Settings are compared by this size of the wire variant.
  [[nodiscard]] bool is_compared_by(const Item& item) const;
  /// Items of a case in the order in which they are promised time.
  [[nodiscard]] std::vector<Item*> by_need(std::size_t case_index, bool is_swept);
  /// Time of an operation of this size at most, from other sizes. Collective.
  double predict(std::optional<Ring>& ring, const RingCase& of, std::size_t bytes, double share_s);
  bool fits(const Item& item, double predicted_s, double share_s);
  double verify(Ring& ring, const RingCase& of, Item& item);
  /// Says where data of this case went wrong first, on the rank that saw it. Collective.
  void report_wrong(const RingCase& of, std::size_t case_index);
  double time_operations(Ring& ring, const Item& item, int operations);
  /// False when the stage's time does not suffice for it. Collective.
  bool measure_block(int block, const std::vector<RingCase>& cases);
  void measure_case(int block, std::size_t case_index, const RingCase& of,
                    std::span<const RingIterations> plan);
  void measure_item(Ring& ring, const RingCase& of, Item& item, const RingIterations& iterations);
  /// Everyone's largest of each number, after the largest time since the start. Collective.
  std::vector<double> agree(std::vector<double> mine);
  void prepare(Ring& ring, const Item& item);
  /// Separate from the result for payloads that every rank adds up itself.
  [[nodiscard]] std::span<float> source_of(const Item& item);
  void count_payload(const Ring& ring, const RingCase& of, std::uint64_t operations);
  void add_strays(std::size_t case_index, std::uint64_t strays);
  void say(const std::string& text);
  /// Absent when this rank is alone. Collective.
  [[nodiscard]] std::optional<Ring> make_ring(const RingCase& of, std::uint32_t block);
  [[nodiscard]] model::SizeResult& size_of(const Item& item);
  [[nodiscard]] model::Result& result_of(const Item& item);
  [[nodiscard]] double elapsed_s() const;
  [[nodiscard]] bool is_alone() const { return place_.ranks < 2; }

  StageContext& context_;
  RingPlace place_;
  std::shared_ptr<std::string> step_;
  base::Clock::time_point start_;
  model::StageReport* report_ = nullptr;
  memory::Buffer source_;
  memory::Buffer result_;
  std::vector<Item> items_;
  double committed_s_ = 0;                 ///< least time of what was accepted
  std::map<std::size_t, double> known_s_;  ///< of the case: time of an operation by size, agreed
  double smallest_s_ = 0;                  ///< of the smallest size in the last case
  std::size_t items_done_ = 0;
  std::map<std::string, std::uint64_t> sent_;
  std::map<std::string, std::uint64_t> received_;
};

}  // namespace ringwise::probe

#include "cards.h"

#include <set>

#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

std::uint64_t card_of(const ResultTable& table, std::size_t row) {
  if (table.text(row, "parallel_role") == kRoleSum) {
    return 0;
  }
  if (const std::uint32_t uuid = table.text_id(row, "device_uuid"); uuid != 0) {
    return uuid;
  }
  constexpr unsigned kBitsOfId = 32;
  const std::uint64_t host = table.text_id(row, "host");
  const std::uint32_t address = table.text_id(row, "device_pci_address");
  const auto kind = device_kind_named(table.text(row, "device_kind"));
  const bool is_host = kind && !is_gpu(*kind);
  const bool is_told = host != 0 && (address != 0 || is_host);
  return is_told ? host << kBitsOfId | address : 0;
}

void count_cards(Pool& pool, const ResultTable& table, bool pools_cards) {
  std::set<std::uint64_t> cards;
  std::set<std::uint32_t> hosts;
  for (const std::size_t row : pool.sample_rows()) {
    cards.insert(card_of(table, row));
    hosts.insert(table.text_id(row, "host"));
  }
  hosts.erase(0);
  pool.cards = cards.contains(0) ? 0 : cards.size();
  pool.hosts = hosts.size();
  if (pools_cards) { // a row of an unknown card may be of a card that others tell
    pool.over = pool.cards > 0 ? PoolOver::kCards : PoolOver::kHosts;
  }
}

} // namespace sdbench

#include "cards.h"

#include <set>
#include <string_view>

#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {
namespace {

/// The UUID's number; 0 if the row has no UUID, or has that of a MIG instance, a part of a card.
std::uint32_t uuid_of_card(const ResultTable& table, std::size_t row) {
  constexpr std::string_view kInstance = "MIG-";
  const bool is_instance = table.text(row, "mig") == "on" || // a made-up name has no "MIG-"
                           table.text(row, "device_uuid").starts_with(kInstance);
  return is_instance ? 0 : table.text_id(row, "device_uuid");
}

} // namespace

std::uint64_t card_of(const ResultTable& table, std::size_t row) {
  if (table.text(row, "parallel_role") == kRoleSum) {
    return 0;
  }
  if (const std::uint32_t uuid = uuid_of_card(table, row); uuid != 0) {
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
  std::set<bool> have_uuids;
  for (const std::size_t row : pool.sample_rows()) {
    cards.insert(card_of(table, row));
    hosts.insert(table.text_id(row, "host"));
    have_uuids.insert(uuid_of_card(table, row) != 0);
  }
  hosts.erase(0);
  // A card that one row tells by its UUID and another by its PCI address would count twice.
  const bool is_told = !cards.contains(0) && have_uuids.size() < 2;
  pool.cards = is_told ? cards.size() : 0;
  pool.hosts = hosts.size();
  if (pools_cards) { // a row of an unknown card may be of a card that others tell
    pool.over = pool.cards > 0 ? PoolOver::kCards : PoolOver::kHosts;
  }
}

} // namespace sdbench

#include "engines/nnue/table.h"

#include <algorithm>

namespace fuhyo::nnue {

void Table::resize(std::size_t megabytes) {
  const std::size_t count = std::max<std::size_t>(megabytes * 1024 * 1024 / sizeof(Bucket), 1);
  buckets_.reset();  // before the new one is allocated
  buckets_ = std::make_unique<Bucket[]>(count);
  count_ = count;
  megabytes_ = megabytes;
}

void Table::clear() {
  std::fill_n(buckets_.get(), count_, Bucket{});
  age_ = 0;
}

// The high half of the product spreads any key over any number of buckets without a division.
Table::Bucket& Table::bucket(shogi::Key key) const {
  const auto product = static_cast<unsigned __int128>(key) * count_;
  return buckets_[static_cast<std::size_t>(product >> 64)];
}

const TableEntry* Table::probe(shogi::Key key) const {
  const Bucket& found = bucket(key);
  if (found.deep.bound != Bound::none && found.deep.key == key) return &found.deep;
  if (found.newest.bound != Bound::none && found.newest.key == key) return &found.newest;
  return nullptr;
}

void Table::store(shogi::Key key, shogi::Move move, int value, int depth, Bound bound) {
  Bucket& found = bucket(key);
  const bool replaces_deep = found.deep.key == key || found.deep.age != age_ || depth >= found.deep.depth;
  TableEntry& entry = replaces_deep ? found.deep : found.newest;
  if (!move && entry.key == key) move = entry.move;  // a bound without a move need not forget one
  entry = {.key = key,
           .move = move,
           .value = static_cast<std::int16_t>(value),
           .depth = static_cast<std::int16_t>(depth),
           .bound = bound,
           .age = age_};
}

int Table::full_permille() const {
  const std::size_t sample = std::min<std::size_t>(count_, 500);
  int used = 0;
  for (std::size_t i = 0; i < sample; ++i) {
    for (const TableEntry* entry : {&buckets_[i].deep, &buckets_[i].newest}) {
      if (entry->bound != Bound::none && entry->age == age_) ++used;
    }
  }
  return used * 1000 / static_cast<int>(2 * sample);
}

}  // namespace fuhyo::nnue

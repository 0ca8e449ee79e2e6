// A cache that keeps what was used last, up to a number of bytes. One thread at a time.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <utility>

namespace fuhyo::host {

template <class Key, class Value>
class LruCache {
 public:
  explicit LruCache(std::size_t bytes) : room_(bytes) {}

  // Null: it is not there. Good until the next call.
  const Value* find(const Key& key) {
    const auto found = places_.find(key);
    if (found == places_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return &found->second->value;
  }
  // A value larger than the whole cache is not kept.
  void put(const Key& key, Value value, std::size_t bytes) {
    erase(key);
    if (bytes > room_) return;
    entries_.push_front({key, std::move(value), bytes});
    places_[key] = entries_.begin();
    used_ += bytes;
    while (used_ > room_) drop(places_.find(entries_.back().key));
  }
  void erase(const Key& key) {
    if (const auto found = places_.find(key); found != places_.end()) drop(found);
  }
  std::size_t bytes() const { return used_; }

 private:
  struct Entry {
    Key key;
    Value value;
    std::size_t bytes;
  };
  using Places = std::map<Key, typename std::list<Entry>::iterator>;

  void drop(Places::iterator place) {
    used_ -= place->second->bytes;
    entries_.erase(place->second);
    places_.erase(place);
  }

  const std::size_t room_;
  std::size_t used_ = 0;
  std::list<Entry> entries_;  // the newest in use first
  Places places_;
};

}  // namespace fuhyo::host

// Limits the bytes of large answers that readers have not taken yet, for each address and in all. On the web thread;
// outlives what it gives out.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>

namespace fuhyo::net {

class UnreadAnswers {
 public:
  UnreadAnswers(std::size_t most, std::size_t most_of_address) : most_(most), most_of_address_(most_of_address) {}

  // They count while the answer lives. Null: there is no room for them.
  std::shared_ptr<void> admit(const std::string& address, std::size_t bytes, bool spared) {
    const auto it = by_address_.find(address);
    const std::size_t of_it = it == by_address_.end() ? 0 : it->second;
    if (all_ + bytes > most_ || (!spared && of_it + bytes > most_of_address_)) return nullptr;
    all_ += bytes;
    by_address_[address] += bytes;
    return {this, [this, address, bytes](void*) { release(address, bytes); }};
  }

 private:
  void release(const std::string& address, std::size_t bytes) {
    all_ -= bytes;
    const auto it = by_address_.find(address);
    if ((it->second -= bytes) == 0) by_address_.erase(it);
  }

  const std::size_t most_, most_of_address_;
  std::size_t all_ = 0;
  std::unordered_map<std::string, std::size_t> by_address_;
};

}  // namespace fuhyo::net

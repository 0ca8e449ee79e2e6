#include "engines/mcts/tree/evaluation_cache.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace fuhyo::mcts {
namespace {

constexpr std::size_t kHead = 4;          // words before the labels
constexpr std::size_t kUsualEntry = 256;  // bytes, or more: a slot for each
constexpr std::size_t kLeastSlots = 8;

std::size_t label_words(std::size_t moves) { return (moves + 1) / 2; }
std::size_t entry_words(std::size_t moves) { return kHead + label_words(moves) + moves; }

}  // namespace

EvaluationCache::EvaluationCache(std::size_t bytes)
    : slots_(std::bit_floor(std::max(bytes / kUsualEntry, kLeastSlots))) {
  const std::size_t slots = slots_.size() * sizeof(std::uint64_t);
  if (bytes > slots) words_.resize((bytes - slots) / kWord);
  if (words_.empty()) slots_.clear();
}

bool EvaluationCache::holds(std::uint64_t place, std::uint64_t key) const {
  if (end_ - place > words_.size()) return false;  // written over
  std::uint64_t found = 0;
  std::memcpy(&found, at(place), sizeof found);
  return found == key;
}

std::optional<float> EvaluationCache::find(std::uint64_t key, std::span<float> logits) const {
  if (slots_.empty()) return std::nullopt;
  const std::uint64_t slot = slots_[key & (slots_.size() - 1)];
  if (slot == 0 || !holds(slot - 1, key)) return std::nullopt;
  const std::uint32_t* const entry = at(slot - 1);
  const std::size_t moves = entry[3];
  const std::uint32_t* const said = entry + kHead + label_words(moves);
  for (std::size_t i = 0; i < moves; ++i) {
    const std::uint32_t label = entry[kHead + i / 2] >> (i % 2 * 16) & 0xffff;
    logits[label] = std::bit_cast<float>(said[i]);
  }
  return std::bit_cast<float>(entry[2]);
}

void EvaluationCache::store(std::uint64_t key, std::span<const LabelledMove> moves, std::span<const float> logits,
                            float value) {
  const std::size_t size = entry_words(moves.size());
  if (size > words_.size()) return;
  const std::size_t left = words_.size() - end_ % words_.size();
  if (size > left) end_ += left;  // an entry does not go round the end
  std::uint32_t* const entry = &words_[end_ % words_.size()];
  std::memcpy(entry, &key, sizeof key);
  entry[2] = std::bit_cast<std::uint32_t>(value);
  entry[3] = static_cast<std::uint32_t>(moves.size());
  std::fill_n(entry + kHead, label_words(moves.size()), 0);
  std::uint32_t* const said = entry + kHead + label_words(moves.size());
  for (std::size_t i = 0; i < moves.size(); ++i) {
    entry[kHead + i / 2] |= std::uint32_t{moves[i].label} << (i % 2 * 16);
    said[i] = std::bit_cast<std::uint32_t>(logits[moves[i].label]);
  }
  slots_[key & (slots_.size() - 1)] = end_ + 1;
  end_ += size;
}

}  // namespace fuhyo::mcts

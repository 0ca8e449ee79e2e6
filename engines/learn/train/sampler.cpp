#include "engines/learn/train/sampler.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

#include "engines/jobs/fingerprint.h"

namespace fuhyo::learn {
namespace {

using Random = match::tune::Random;
using Failure = std::unexpected<std::string>;

// Streams of random numbers for different purposes.
constexpr std::uint64_t kHeldBack = 0x68656c64, kOrder = 0x6f72646572;

std::uint64_t draw(std::uint64_t seed, std::uint64_t stream) { return Random(seed, stream).bits(); }

// Samples of held-back games do not depend on the pass.
constexpr std::uint64_t kNoPass = ~std::uint64_t{0};

}  // namespace

bool is_quiet(const shogi::Position& position, const record::ScoredMove& move, int score_limit) {
  return move.score && std::abs(int{*move.score}) < score_limit && !move.move.is_promotion() && !position.in_check() &&
         (move.move.is_drop() || position.piece_on(move.move.to()) == shogi::NO_PIECE);
}

int result_for(const record::ScoredGame& game, shogi::Color side) {
  if (game.winner == record::Winner::nobody) return 0;
  return (game.winner == record::Winner::black) == (side == shogi::BLACK) ? 1 : -1;
}

std::uint64_t fingerprint(const record::ScoredGame& game) {
  jobs::Fingerprint print;
  print.add_number(game.start.key());
  for (const record::ScoredMove& move : game.moves) print.add_number(move.move.bits());
  return print.value();
}

bool is_held_back(std::uint64_t fingerprint, std::uint32_t one_of) {
  return one_of != 0 && draw(fingerprint, kHeldBack) % one_of == 0;
}

std::vector<Sample> draw_samples(const record::ScoredGame& game, int most, int score_limit, Random& random) {
  std::vector<Sample> drawn;
  shogi::Position position = game.start;
  std::uint64_t seen = 0;
  for (const record::ScoredMove& move : game.moves) {
    if (is_quiet(position, move, score_limit)) {
      // The nth takes a place with the chance most / n.
      const std::uint64_t place = seen < static_cast<std::uint64_t>(most) ? seen : random.bits() % (seen + 1);
      ++seen;
      if (place < static_cast<std::uint64_t>(most)) {
        const auto sample = sample_of(position, *move.score, result_for(game, position.side_to_move()));
        if (!sample) return {};  // more pieces than a set has
        if (place < drawn.size()) {
          drawn[place] = *sample;
        } else {
          drawn.push_back(*sample);
        }
      }
    }
    position.do_move(move.move);
  }
  return drawn;
}

Sampler::Sampler(std::vector<DataSet> sets, const SamplerOptions& options)
    : sets_(std::move(sets)), options_(options) {}

std::expected<std::vector<Sampler::Stream>, std::string> Sampler::open_all() const {
  std::vector<Stream> streams;
  for (const DataSet& set : sets_) {
    auto opened = set.open();
    if (!opened) return Failure(opened.error());
    streams.push_back({.next = std::move(*opened)});
  }
  return streams;
}

std::expected<std::optional<Sampler::FromSet>, std::string> Sampler::next_game(std::vector<Stream>& streams) const {
  while (true) {
    std::optional<std::size_t> behind;
    double least = 0;
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if (streams[i].ended) continue;
      const double whole = games_.empty() ? 1 : static_cast<double>(std::max<std::uint64_t>(games_[i], 1));
      const double part = static_cast<double>(streams[i].read) / whole;
      if (!behind || part < least) {
        behind = i;
        least = part;
      }
    }
    if (!behind) return std::nullopt;
    auto game = streams[*behind].next();
    if (!game) return Failure(game.error());
    if (*game) {
      ++streams[*behind].read;
      return FromSet{std::move(**game), *behind};
    }
    streams[*behind].ended = true;
  }
}

std::vector<Sample> Sampler::samples_of(const FromSet& from, std::uint64_t print, std::uint64_t pass) const {
  Random random(options_.seed ^ print, pass);
  const double wanted = options_.per_game * sets_[from.set].weight;
  const double whole = std::floor(wanted);
  const int most = static_cast<int>(whole) + (random.uniform() < wanted - whole ? 1 : 0);
  return most == 0 ? std::vector<Sample>() : draw_samples(from.game, most, options_.score_limit, random);
}

std::expected<Survey, std::string> Sampler::survey(std::size_t most_validation, std::size_t most_positions,
                                                   const std::stop_token& stop) {
  auto streams = open_all();
  if (!streams) return Failure(streams.error());
  games_.clear();
  Survey survey;
  while (!stop.stop_requested()) {
    auto found = next_game(*streams);
    if (!found) return Failure(found.error());
    if (!*found) break;
    const record::ScoredGame& game = (*found)->game;
    const std::uint64_t print = fingerprint(game);
    if (!is_held_back(print, options_.held_back)) {
      survey.samples += samples_of(**found, print, 0).size();
      continue;
    }
    ++survey.held_back;
    if (survey.validation.size() < most_validation) {
      const auto samples = samples_of(**found, print, kNoPass);
      const std::size_t count = std::min(samples.size(), most_validation - survey.validation.size());
      survey.validation.insert(survey.validation.end(), samples.begin(),
                               samples.begin() + static_cast<std::ptrdiff_t>(count));
    }
    // One position a game.
    if (survey.positions.size() >= most_positions || game.moves.empty()) continue;
    const std::size_t chosen = draw(options_.seed ^ print, kHeldBack) % game.moves.size();
    if (!game.moves[chosen].score) continue;
    shogi::Position position = game.start;
    for (std::size_t i = 0; i < chosen; ++i) position.do_move(game.moves[i].move);
    survey.positions.push_back({position, game.moves[chosen].move});
  }
  for (const Stream& stream : *streams) survey.games.push_back(stream.read);
  games_ = survey.games;
  return survey;
}

std::expected<void, std::string> Sampler::begin(std::uint64_t pass, std::uint64_t from) {
  auto streams = open_all();
  if (!streams) return Failure(streams.error());
  streams_ = std::move(*streams);
  pool_.clear();
  pass_ = pass;
  given_ = 0;
  ended_ = false;
  order_.emplace(options_.seed ^ kOrder, pass);
  while (given_ < from) {
    const auto skipped = next();
    if (!skipped) return Failure(skipped.error());
    if (!*skipped) return Failure("the games are fewer than they were");
  }
  return {};
}

// Until the pool is full or the games are at their end.
std::expected<void, std::string> Sampler::fill() {
  while (!ended_ && pool_.size() < options_.pool) {
    auto found = next_game(streams_);
    if (!found) return Failure(found.error());
    if (!*found) {
      ended_ = true;
      break;
    }
    const std::uint64_t print = fingerprint((*found)->game);
    if (is_held_back(print, options_.held_back)) continue;
    const auto samples = samples_of(**found, print, pass_);
    pool_.insert(pool_.end(), samples.begin(), samples.end());
  }
  return {};
}

std::expected<std::optional<Sample>, std::string> Sampler::next() {
  if (pool_.size() < options_.pool && !ended_) {
    if (auto filled = fill(); !filled) return Failure(filled.error());
  }
  if (pool_.empty()) return std::nullopt;
  const std::size_t chosen = order_->bits() % pool_.size();
  const Sample sample = pool_[chosen];
  pool_[chosen] = pool_.back();
  pool_.pop_back();
  ++given_;
  return sample;
}

}  // namespace fuhyo::learn

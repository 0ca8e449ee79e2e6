#include "engines/learn/policy/taken_weights.h"

#include <algorithm>
#include <fmt/format.h>

#include <boost/json.hpp>

#include "engines/learn/policy/checkpoint.h"

namespace fuhyo::learn::policy {
namespace {

namespace json = boost::json;

// The shape that a checkpoint's text speaks of: sizes of arrays would not do, as numbers are padded in them.
std::expected<nn::Shape, std::string> shape_of(const std::string& text, nn::Shape shape) {
  try {
    const json::value value = json::parse(text);
    const json::object& options = value.as_object().at("terms").as_object();
    const auto number = [&](std::string_view name) { return options.at(name).to_number<std::uint32_t>(); };
    shape.channels = number("channels");
    shape.blocks = number("blocks");
    shape.scalars = number("scalars");
    shape.value_planes = number("value_planes");
    shape.value_hidden = number("value_hidden");
  } catch (const std::exception&) {  // Boost.JSON's: no JSON, or a member is missing or of another kind
    return std::unexpected("it does not say what it belongs to");
  }
  return shape;
}

std::string value_head(const nn::Shape& shape) {
  return fmt::format("{} planes and {} hidden values", shape.value_planes, shape.value_hidden);
}

void copy(const Floats& from, std::size_t at, Floats& to, std::size_t place, std::size_t count) {
  std::copy_n(from.data() + at, count, to.data() + place);
}

// Where things stand depends on the value head; how large they are does not.
void copy_all_but_value_head(const Layout& theirs, const Learner::State& from, const Layout& ours, Learner::State& to) {
  for (std::size_t i = 0; i < ours.convolutions.size(); ++i) {
    const Layout::Convolution &their = theirs.convolutions[i], &our = ours.convolutions[i];
    copy(from.weights, their.weights, to.weights, our.weights, 9 * our.inputs * ours.channels);
    copy(from.weights, their.norm.scale, to.weights, our.norm.scale, our.norm.channels);
    copy(from.weights, their.norm.shift, to.weights, our.norm.shift, our.norm.channels);
    copy(from.statistics, their.norm.mean, to.statistics, our.norm.mean, our.norm.channels);
    copy(from.statistics, their.norm.variance, to.statistics, our.norm.variance, our.norm.channels);
  }
  copy(from.weights, theirs.scalars, to.weights, ours.scalars, ours.shape.scalars * ours.channels);
  for (std::size_t channel = 0; channel < ours.channels; ++channel) {
    copy(from.weights, theirs.heads + channel * theirs.heads_width(), to.weights,
         ours.heads + channel * ours.heads_width(), ours.policy);
  }
  copy(from.weights, theirs.policy_bias, to.weights, ours.policy_bias, ours.policy * ours.shape.squares());
}

}  // namespace

std::expected<std::string, std::string> take_weights(const std::filesystem::path& checkpoint, const Layout& layout,
                                                     Learner::State& state) {
  const auto wrong = [&](std::string_view why) {
    return std::unexpected(fmt::format("{}: {}", checkpoint.string(), why));
  };
  const auto text = read_checkpoint_text(checkpoint);
  if (!text) return std::unexpected(text.error());
  const auto shape = shape_of(*text, layout.shape);
  if (!shape) return wrong(shape.error());
  nn::Shape alike = *shape;
  alike.value_planes = layout.shape.value_planes;
  alike.value_hidden = layout.shape.value_hidden;
  if (alike != layout.shape) {
    return wrong(
        fmt::format("a checkpoint of a network of another shape: {}, not {}", alike.name(), layout.shape.name()));
  }
  const auto theirs = Layout::make(*shape);
  if (!theirs) return wrong(theirs.error());
  auto found = read_checkpoint(checkpoint, *theirs);
  if (!found) return std::unexpected(found.error());
  if (*shape == layout.shape) {
    state.weights = std::move(found->state.weights);
    state.statistics = std::move(found->state.statistics);
    return fmt::format("weights of {}", checkpoint.string());
  }
  copy_all_but_value_head(*theirs, found->state, layout, state);
  return fmt::format("weights of {}, but for the value head, which begins anew: {} there, {} here", checkpoint.string(),
                     value_head(*shape), value_head(layout.shape));
}

}  // namespace fuhyo::learn::policy

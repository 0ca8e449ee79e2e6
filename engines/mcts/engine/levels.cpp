#include "engines/mcts/engine/levels.h"

#include <array>

namespace fuhyo::mcts {
namespace {

// {playouts, lines, temperature in centipawns}. Spaced by measurement; how far it goes: engines/usi/LEVELS.md.
constexpr std::array<usi::Level, usi::kHighestLevel> kLevels = {{
    {20, 17, 1189.0}, {20, 16, 920.0}, {20, 15, 760.0}, {20, 15, 634.0}, {20, 14, 529.0}, {20, 14, 439.0},
    {20, 13, 363.0},  {20, 12, 308.0}, {20, 12, 267.0}, {20, 12, 235.0}, {22, 11, 209.0}, {24, 10, 190.0},
    {26, 10, 173.0},  {28, 10, 159.0}, {30, 10, 146.0}, {33, 9, 133.0},  {36, 8, 121.0},  {40, 8, 110.0},
    {44, 8, 99.0},    {48, 8, 89.0},   {53, 7, 82.0},   {58, 7, 76.0},   {64, 6, 70.0},   {70, 6, 65.0},
    {80, 6, 60.0},    {95, 6, 55.0},   {110, 5, 51.0},  {130, 5, 47.0},  {160, 5, 42.0},  {200, 5, 39.0},
}};

}  // namespace

const usi::Level& level(int number) { return kLevels.at(static_cast<std::size_t>(number - 1)); }

}  // namespace fuhyo::mcts

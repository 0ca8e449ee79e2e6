// What is tuned: numbers with bounds, as the files of YaneuraOu's scripts, OpenBench's and fishtest's forms, and the
// options of a tuning build name them. Pure; any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::match::tune {

// A set of values, one a parameter, in the order of the parameters.
using Values = std::vector<double>;

struct Parameter {
  std::string name;
  bool integer = true;
  double value = 0, min = 0, max = 0;
  double step = 1;      // how far a trial goes to either side (fishtest's c_end), above 0
  double rate = 0.002;  // how far a result moves it (fishtest's r_end, YaneuraOu's delta), not negative
  bool used = true;     // others keep their value
  bool log = false;     // its orders of magnitude are alike (min above 0): the two-stage way searches it so
  std::string comment{};
  bool operator==(const Parameter&) const = default;

  double clipped(double wanted) const { return wanted < min ? min : (wanted > max ? max : wanted); }
};
using Parameters = std::vector<Parameter>;

// Limits of a file of parameters.
constexpr std::size_t kMaxParameters = 10'000;
constexpr double kMaxValue = 1e15;  // whole numbers stay exact

// Lines of any of these kinds, mixed as one likes; empty lines and what follows "//" or begins with "#" is for people:
//   name, type, value, min, max, step, rate     YaneuraOu's .params and OpenBench; type is int or float
//   name, value, min, max, step, rate           fishtest; whole numbers
//   option name NAME type spin default VALUE min MIN max MAX    what an engine says after "usi". Step: a twentieth of
//                          the range, at least 1; rate: 0.002. Passed over: other options, those with bounds beyond
//                          kMaxValue, "usiok" and "id ..."
// "[[NOT USED]]" anywhere in a line marks a parameter that keeps its value, "[[LOG]]" one that is searched by its
// logarithm. The error names the file, line and column.
std::expected<Parameters, std::string> read_parameters(std::string_view text, std::string_view file);

// YaneuraOu's .params; read_parameters() reads the same again.
std::string to_params(const Parameters& parameters);
// "setoption name NAME value VALUE", one line each, as an engine is told; whole numbers are rounded.
std::string to_setoptions(const Parameters& parameters);

// The values as they stand, and the parameters with others (as many).
Values values_of(const Parameters& parameters);
Parameters with_values(Parameters parameters, const Values& values);

// The nearest value that an engine can be given: whole if the parameter is, and within its bounds.
double rounded(const Parameter& parameter, double value);
// As it is told: "12", "0.25".
std::string value_text(const Parameter& parameter, double value);

// Those whose names match one of the patterns ('*' stands for anything); an error if a pattern matches none.
std::expected<Parameters, std::string> selected(const Parameters& parameters, const std::vector<std::string>& patterns);

}  // namespace fuhyo::match::tune

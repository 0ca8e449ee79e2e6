// What Fact, Input and Effect are made of: a std::variant of many types in a class of its own name. Each source that
// holds a bare variant compiles its copying, moving and destruction again; those of the class are compiled once.
#pragma once

#include <type_traits>
#include <variant>

namespace fuhyo::core {

template <typename T, typename Variant>
inline constexpr bool kIsAlternative = false;
template <typename T, typename... Ts>
inline constexpr bool kIsAlternative<T, std::variant<Ts...>> = (std::is_same_v<T, Ts> || ...);

template <typename T, typename Variant>
concept AlternativeOf = kIsAlternative<std::remove_cvref_t<T>, Variant>;

}  // namespace fuhyo::core

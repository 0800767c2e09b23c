// How a visitor is told what a member is. Private to core/model; see model/fields.h.
#pragma once

#include <concepts>
#include <type_traits>

namespace ringwise::model {

struct Needed {};
inline constexpr Needed kNeeded;

/// Absent values of this member are written as null instead of leaving the key out.
struct Nullable {};
inline constexpr Nullable kNullable;

/// T or const T.
template <typename T, typename Type>
concept Of = std::same_as<std::remove_const_t<T>, Type>;

}  // namespace ringwise::model

#pragma once
// Does this build have a sanitizer? Then memory in use says nothing, and what is held over many
// random runs is held over a part of them: the build without one does them all.

namespace diffram::oracle {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define DIFFRAM_SANITIZED
#endif
#endif

#if defined(DIFFRAM_SANITIZED)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// How many times fewer runs a sanitizer gets.
inline constexpr unsigned kFewer = kSanitized ? 4 : 1;

}  // namespace diffram::oracle

# A room is a folder of src/ = target diffram_<room> = namespace diffram::<room>.
# USES names the rooms it may include (tools/rooms.toml is the source; the room check proves it),
# LIBRARIES the outside libraries that its .cpp files need.

set(DIFFRAM_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror
    -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # libstdc++ 12 deprecates what its own std::stable_sort uses.
  list(APPEND DIFFRAM_WARNINGS -Wno-deprecated-declarations)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND DIFFRAM_WARNINGS -Wno-restrict)  # false alarms of g++ 12 on std::string (GCC bug 105651)
endif()

# Off in the release build, which so proves that each file includes what it uses.
function(diffram_precompile target)
  if(DIFFRAM_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE <algorithm> <functional> <map> <memory> <optional>
      <span> <string> <utility> <vector> <fmt/format.h> <tl/expected.hpp> ${ARGN})
  endif()
endfunction()

# What a fuzz target links tells it which ways it took.
function(diffram_fuzzed target)
  if(DIFFRAM_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

function(diffram_room name)
  cmake_parse_arguments(ARG "" "" "USES;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(sources)
    add_library(diffram_${name} STATIC ${sources})
    target_include_directories(diffram_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
    target_compile_options(diffram_${name} PRIVATE ${DIFFRAM_WARNINGS})
    target_link_libraries(diffram_${name} PUBLIC fmt::fmt tl::expected Threads::Threads
                                          PRIVATE ${ARG_LIBRARIES})
    diffram_precompile(diffram_${name})
    diffram_fuzzed(diffram_${name})
    foreach(room ${ARG_USES})
      target_link_libraries(diffram_${name} PUBLIC diffram_${room})
    endforeach()
  else()
    add_library(diffram_${name} INTERFACE)
    target_include_directories(diffram_${name} INTERFACE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(diffram_${name} INTERFACE fmt::fmt tl::expected Threads::Threads)
    foreach(room ${ARG_USES})
      target_link_libraries(diffram_${name} INTERFACE diffram_${room})
    endforeach()
  endif()
endfunction()

# One test program a folder of tests/: every *_test.cpp in it.
function(diffram_tests name)
  cmake_parse_arguments(ARG "" "" "USES;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(${name}_tests ${sources})
  target_include_directories(${name}_tests PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_options(${name}_tests PRIVATE ${DIFFRAM_WARNINGS})
  target_compile_definitions(${name}_tests PRIVATE DIFFRAM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name}_tests PRIVATE ${ARG_LIBRARIES} GTest::gtest_main GTest::gmock)
  diffram_precompile(${name}_tests <gmock/gmock.h> <gtest/gtest.h>)
  foreach(room ${ARG_USES})
    target_link_libraries(${name}_tests PRIVATE diffram_${room})
  endforeach()
  gtest_discover_tests(${name}_tests DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 1200)
endfunction()

# Every folder of tests/ that has a CMakeLists.txt of its own.
function(diffram_test_folders)
  file(GLOB folders CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*/CMakeLists.txt)
  foreach(list ${folders})
    get_filename_component(folder ${list} DIRECTORY)
    add_subdirectory(${folder})
  endforeach()
endfunction()

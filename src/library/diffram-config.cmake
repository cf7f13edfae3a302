# find_package(diffram): diffram::memory (diffram/memory.h) and diffram::dramsim3 (dramsim3.h).
include(${CMAKE_CURRENT_LIST_DIR}/diffram-targets.cmake)

# Installs the libraries of BUILD below WORK, builds EXAMPLE with the package alone, and runs both of
# its programs. The installed specs are found from the library's place.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGV}\n${out}")
  endif()
  message("${out}")
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --component library --prefix ${WORK}/moved-later)
file(RENAME ${WORK}/moved-later ${WORK}/prefix)
run(${CMAKE_COMMAND} -S ${EXAMPLE} -B ${WORK}/build -DCMAKE_PREFIX_PATH=${WORK}/prefix
    -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}" -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/latency ddr4-3200-8g-2ch)
run(${WORK}/build/written_for_dramsim3 ${EXAMPLE}/ddr4.ini ${WORK})
if(NOT EXISTS ${WORK}/dramsim3.json)
  message(FATAL_ERROR "PrintStats wrote no dramsim3.json")
endif()

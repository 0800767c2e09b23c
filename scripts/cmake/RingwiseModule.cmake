# ringwise_module(NAME [HEADERS ...] [SOURCES ...] [DEPENDS modules ...] [PRIVATE targets ...])
# One folder of core/ as a static library with the alias ringwise::NAME. Headers are a file set,
# so that `all_verify_interface_header_sets` compiles each of them alone.
function(ringwise_module name)
  cmake_parse_arguments(M "" "" "HEADERS;SOURCES;DEPENDS;PRIVATE" ${ARGN})
  set(target ringwise_${name})
  add_library(${target} STATIC ${M_SOURCES})
  add_library(ringwise::${name} ALIAS ${target})
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/core"
                 FILES ${M_HEADERS})
  set_target_properties(${target} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON
                        POSITION_INDEPENDENT_CODE ON LINKER_LANGUAGE CXX)
  target_link_libraries(${target} PUBLIC ringwise_options)
  foreach(dep IN LISTS M_DEPENDS)
    target_link_libraries(${target} PUBLIC ringwise::${dep})
  endforeach()
  target_link_libraries(${target} PRIVATE ${M_PRIVATE})
endfunction()

# ringwise_unit_test(MODULE SOURCES ... [DEPENDS modules ...] [PRIVATE targets ...])
# Builds test_<MODULE> from tests/unit/<MODULE>/*_test.cc and registers it with ctest.
function(ringwise_unit_test name)
  cmake_parse_arguments(T "" "" "SOURCES;DEPENDS;PRIVATE" ${ARGN})
  add_executable(test_${name} ${T_SOURCES})
  target_link_libraries(test_${name} PRIVATE ringwise_options ringwise::${name} GTest::gmock
                        GTest::gtest_main ${T_PRIVATE})
  foreach(dep IN LISTS T_DEPENDS)
    target_link_libraries(test_${name} PRIVATE ringwise::${dep})
  endforeach()
  target_compile_definitions(test_${name} PRIVATE
    RINGWISE_FIXTURES="${PROJECT_SOURCE_DIR}/tests/fixtures")
  set_target_properties(test_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                        "${CMAKE_BINARY_DIR}/tests")
  gtest_discover_tests(test_${name} TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 30
                       PROPERTIES LABELS unit TIMEOUT 120)
endfunction()

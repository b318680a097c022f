# Writes a text file into a C++ file as a constant: cmake -DIN=page.css -DOUT=page.css.cc -DNAME=kPageCss -P embed.cmake
# stoker_embed(LIBRARY NAME FILE) below calls it at build time; the header is by hand.
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ "${IN}" text)
  get_filename_component(name "${IN}" NAME)
  file(WRITE "${OUT}" "// From ${name}.\n#include <string_view>\nnamespace stoker::sim {\n"
    "extern const std::string_view ${NAME};\nconst std::string_view ${NAME} = R\"embedded(${text})embedded\";\n}\n")
  return()
endif()

function(stoker_embed library name file)
  get_filename_component(base ${file} NAME)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/embedded/${base}.cc)
  add_custom_command(OUTPUT ${out} DEPENDS ${file} ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    COMMAND ${CMAKE_COMMAND} -DIN=${file} -DOUT=${out} -DNAME=${name} -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake)
  target_sources(${library} PRIVATE ${out})
endfunction()

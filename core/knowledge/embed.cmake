# Writes a C++ source that holds the bytes of the data files.
# cmake -DOUTPUT=file.cc -DINPUTS="a.json;b.json" -P embed.cmake
# Each file gives a function std::string_view <name without extension>_json().
set(text "// The data files of knowledge, byte by byte, made by embed.cmake.\n"
         "#include \"knowledge/embedded.h\"\n\nnamespace ringwise::knowledge {\n")
foreach(input IN LISTS INPUTS)
  get_filename_component(name "${input}" NAME_WE)
  file(READ "${input}" bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  list(APPEND text
       "\nstd::string_view ${name}_json() {\n"
       "  static constexpr char kBytes[] = {${bytes}}\;\n"
       "  return {kBytes, sizeof kBytes}\;\n}\n")
endforeach()
list(APPEND text "\n}  // namespace ringwise::knowledge\n")
list(JOIN text "" text)
file(WRITE "${OUTPUT}" "${text}")

# Compile options shared by every target. Warnings become errors in the presets, not here, so that a
# packager's newer compiler does not break the build.
add_library(poolwise_options INTERFACE)
target_compile_features(poolwise_options INTERFACE cxx_std_20)
target_compile_options(poolwise_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast
  # Designated initialisers leave fields at their defaults on purpose.
  -Wno-missing-field-initializers
  # GCC 12 warns of overlaps in std::string that cannot be, once it optimises (GCC bug 105651).
  $<$<CONFIG:RelWithDebInfo>:-Wno-restrict>)
target_include_directories(poolwise_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_definitions(poolwise_options INTERFACE POOLWISE_VERSION="${PROJECT_VERSION}")

# poolwise_layer(NAME SOURCES ... MAY_USE ... PRIVATE_DEPS ...): one static library per layer.
# MAY_USE repeats README's layer table; PRIVATE_DEPS are libraries that must not leak into headers.
function(poolwise_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;MAY_USE;PRIVATE_DEPS")
  add_library(poolwise_${name} STATIC ${arg_SOURCES})
  list(TRANSFORM arg_MAY_USE PREPEND poolwise_)
  target_link_libraries(poolwise_${name}
    PUBLIC poolwise_options ${arg_MAY_USE}
    PRIVATE ${arg_PRIVATE_DEPS})
endfunction()

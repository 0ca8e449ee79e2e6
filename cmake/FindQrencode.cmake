# libqrencode, which makes QR codes: the target Qrencode::qrencode. Debian's package (libqrencode-dev) has no CMake file
# of its own.
find_path(Qrencode_INCLUDE_DIR qrencode.h)
find_library(Qrencode_LIBRARY qrencode)
mark_as_advanced(Qrencode_INCLUDE_DIR Qrencode_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Qrencode REQUIRED_VARS Qrencode_LIBRARY Qrencode_INCLUDE_DIR)

if(Qrencode_FOUND AND NOT TARGET Qrencode::qrencode)
  add_library(Qrencode::qrencode UNKNOWN IMPORTED)
  set_target_properties(Qrencode::qrencode PROPERTIES
    IMPORTED_LOCATION "${Qrencode_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${Qrencode_INCLUDE_DIR}")
endif()

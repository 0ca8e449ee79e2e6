# zxcvbn, which estimates how soon a password is guessed: the target Zxcvbn::zxcvbn (libzxcvbn-dev), and
# Zxcvbn_LISTS, a Python file with the most common passwords (python3-zxcvbn). Debian's packages have no CMake files.
find_path(Zxcvbn_INCLUDE_DIR zxcvbn.h)
find_library(Zxcvbn_LIBRARY zxcvbn)
find_file(Zxcvbn_LISTS zxcvbn/frequency_lists.py PATHS /usr/lib/python3/dist-packages)
mark_as_advanced(Zxcvbn_INCLUDE_DIR Zxcvbn_LIBRARY Zxcvbn_LISTS)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Zxcvbn REQUIRED_VARS Zxcvbn_LIBRARY Zxcvbn_INCLUDE_DIR Zxcvbn_LISTS)

if(Zxcvbn_FOUND AND NOT TARGET Zxcvbn::zxcvbn)
  add_library(Zxcvbn::zxcvbn UNKNOWN IMPORTED)
  set_target_properties(Zxcvbn::zxcvbn PROPERTIES
    IMPORTED_LOCATION "${Zxcvbn_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${Zxcvbn_INCLUDE_DIR}")
endif()

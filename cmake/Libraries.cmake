# Libraries whose Debian packages have no CMake file of their own. fuhyo_library(Name header library) finds both and
# makes the target Name::library.
function(fuhyo_library name header library)
  find_path(${name}_INCLUDE_DIR ${header} REQUIRED)
  find_library(${name}_LIBRARY ${library} REQUIRED)
  mark_as_advanced(${name}_INCLUDE_DIR ${name}_LIBRARY)
  add_library(${name}::${library} UNKNOWN IMPORTED)
  set_target_properties(${name}::${library} PROPERTIES
    IMPORTED_LOCATION "${${name}_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${${name}_INCLUDE_DIR}")
endfunction()

fuhyo_library(Sodium sodium.h sodium)        # libsodium-dev
fuhyo_library(Qrencode qrencode.h qrencode)  # libqrencode-dev: makes QR codes
fuhyo_library(Zxcvbn zxcvbn.h zxcvbn)        # libzxcvbn-dev: estimates how soon a password is guessed
# The most common passwords: of python3-zxcvbn, or of libdata-password-zxcvbn-perl where that is not packaged.
find_file(Zxcvbn_LISTS NAMES zxcvbn/frequency_lists.py Data/Password/zxcvbn/RankedDictionaries/Common.pm
  PATHS /usr/lib/python3/dist-packages /usr/share/perl5 REQUIRED)
mark_as_advanced(Zxcvbn_LISTS)

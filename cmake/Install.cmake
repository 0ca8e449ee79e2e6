# cmake --install: programs, their man pages and completions, the configuration and the unit; and the Debian package
# (cpack -G DEB, in the build folder).
include(GNUInstallDirs)
set(described "${CMAKE_BINARY_DIR}/described")
add_custom_command(OUTPUT "${described}.stamp"
  COMMAND "${CMAKE_SOURCE_DIR}/cmake/pages.sh" "${described}" "${CMAKE_SOURCE_DIR}"
    $<TARGET_FILE:fuhyo> $<TARGET_FILE:fuhyo-learn>
  COMMAND "${CMAKE_COMMAND}" -E touch "${described}.stamp"
  DEPENDS fuhyo fuhyo-learn cmake/pages.sh docs/man/fuhyo-mcts.1 docs/man/fuhyo-mix.1
    docs/man/fuhyo-nnue.1 docker/debian/changelog
  COMMENT "Man pages and completions" VERBATIM)
add_custom_target(described ALL DEPENDS "${described}.stamp")

install(TARGETS fuhyo fuhyo-learn fuhyo-mcts fuhyo-mix fuhyo-nnue RUNTIME DESTINATION bin)
install(DIRECTORY "${described}/man/" DESTINATION share/man/man1)
install(DIRECTORY "${described}/bash/" DESTINATION share/bash-completion/completions)
install(DIRECTORY "${described}/zsh/" DESTINATION share/zsh/vendor-completions)
install(DIRECTORY "${described}/fish/" DESTINATION share/fish/vendor_completions.d)
install(FILES docs/operations.md docs/tournaments.md docs/engine-options.md docs/security.md docs/tour.md README.md
        DESTINATION share/doc/fuhyo)
install(DIRECTORY docs/operations DESTINATION share/doc/fuhyo)
install(FILES docker/debian/copyright "${described}/changelog.gz" DESTINATION share/doc/fuhyo)
# The configuration lies in /etc where the programs lie in /usr; the unit says where both are.
install(CODE [[
  set(etc "${CMAKE_INSTALL_PREFIX}/etc")
  set(units "${CMAKE_INSTALL_PREFIX}/lib/systemd/system")
  if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set(etc "/etc")
    set(units "/lib/systemd/system")
  endif()]])
install(CODE "set(source \"${CMAKE_SOURCE_DIR}\")\nset(made \"${CMAKE_BINARY_DIR}/installed\")")
install(CODE [[
  file(READ "${source}/docker/fuhyo.service" unit)
  string(REPLACE "/usr/local/bin/" "${CMAKE_INSTALL_PREFIX}/bin/" unit "${unit}")
  string(REPLACE "/etc/fuhyo/" "${etc}/fuhyo/" unit "${unit}")
  string(REGEX REPLACE "#     useradd.*#\n# Engines live" "# Engines live" unit "${unit}")
  string(REPLACE "docker/fuhyo-without-engines.conf" "/usr/share/doc/fuhyo/fuhyo-without-engines.conf" unit "${unit}")
  file(WRITE "${made}/fuhyo.service" "${unit}")
  file(INSTALL "${made}/fuhyo.service" DESTINATION "${units}")
  # Hashes of secrets may stand there. The package's postinst gives it to the group; so does this where there is one.
  file(INSTALL "${source}/docker/fuhyo.toml" DESTINATION "${etc}/fuhyo"
    PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ)
  execute_process(COMMAND chgrp fuhyo "$ENV{DESTDIR}${etc}/fuhyo/fuhyo.toml" OUTPUT_QUIET ERROR_QUIET)]])
install(FILES docker/fuhyo-without-engines.conf DESTINATION share/doc/fuhyo)

set(CPACK_GENERATOR DEB)
set(CPACK_SET_DESTDIR ON)  # for /etc and /lib
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_NAME fuhyo)
set(CPACK_PACKAGE_CONTACT "The Fuhyo authors <fuhyo@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "shogi game server with engines (CSA protocol)")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"A game server that speaks the CSA protocol as shogi-server does, with rooms,
 rounds of floodgate, tournaments, ratings and pages for spectators; USI
 engines to play on it, and tools for matches and learning.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)  # programs of the section games lie in /usr/games
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "adduser, init-system-helpers (>= 1.54~)")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(control "${CMAKE_SOURCE_DIR}/docker/debian")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  "${control}/conffiles;${control}/postinst;${control}/prerm;${control}/postrm")
include(CPack)

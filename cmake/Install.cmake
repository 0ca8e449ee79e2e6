# cmake --install: programs, their man pages and completions, the configuration and the units; and the Debian package
# (cpack -G DEB, in the build folder).
include(GNUInstallDirs)
set(described "${CMAKE_BINARY_DIR}/described")
add_custom_command(OUTPUT "${described}.stamp"
  COMMAND "${CMAKE_SOURCE_DIR}/cmake/pages.sh" "${described}" "${CMAKE_SOURCE_DIR}"
    $<TARGET_FILE:fuhyo> $<TARGET_FILE:fuhyo-learn>
  COMMAND "${CMAKE_COMMAND}" -E touch "${described}.stamp"
  DEPENDS fuhyo fuhyo-learn cmake/pages.sh docs/man/fuhyo-cluster.1
    docs/man/fuhyo-mcts.1 docs/man/fuhyo-mix.1 docs/man/fuhyo-nnue.1 docker/debian/changelog
  COMMENT "Man pages and completions" VERBATIM)
add_custom_target(described ALL DEPENDS "${described}.stamp")

install(TARGETS fuhyo fuhyo-cluster fuhyo-learn fuhyo-mcts fuhyo-mix fuhyo-nnue RUNTIME DESTINATION bin)
install(DIRECTORY "${described}/man/" DESTINATION share/man/man1)
install(DIRECTORY "${described}/bash/" DESTINATION share/bash-completion/completions)
install(DIRECTORY "${described}/zsh/" DESTINATION share/zsh/vendor-completions)
install(DIRECTORY "${described}/fish/" DESTINATION share/fish/vendor_completions.d)
# Documents lie to one another as in the project, with all that they link to.
file(GLOB_RECURSE documents RELATIVE "${CMAKE_SOURCE_DIR}" CONFIGURE_DEPENDS engines/*.md server/*.md tests/*.md)
foreach(document IN LISTS documents ITEMS README.md README.ja.md ARCHITECTURE.md CONTRIBUTING.md LICENSE web/WEB.md
    web/src/i18n/TERMS.md engines/jobs/queue.h engines/jobs/worker.h engines/match/openings/balanced_12.txt
    engines/match/output/json.h server/core/admin/commands.json server/core/limits.h server/host/engine_runner.h
    server/host/worker_client.h server/host/worker_lines.h server/host/worker_offer.h server/host/worker_pool.h
    server/host/worker_server.h server/net/feed.h server/net/page_about.h server/store/transfer/format.h
    tests/system/cross/smoke.py)
  get_filename_component(folder "${document}" DIRECTORY)
  install(FILES "${document}" DESTINATION "share/doc/fuhyo/${folder}")
endforeach()
install(DIRECTORY docs docker DESTINATION share/doc/fuhyo PATTERN debian EXCLUDE PATTERN man EXCLUDE)
install(DIRECTORY engines/learn/recipes DESTINATION share/doc/fuhyo/engines/learn)
install(FILES docker/debian/copyright "${described}/changelog.gz" DESTINATION share/doc/fuhyo)
# The configuration lies in /etc where the programs lie in /usr; the units say where both are.
install(CODE [[
  set(etc "${CMAKE_INSTALL_PREFIX}/etc")
  set(units "${CMAKE_INSTALL_PREFIX}/lib/systemd/system")
  if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set(etc "/etc")
    set(units "/lib/systemd/system")
  endif()]])
install(CODE "set(source \"${CMAKE_SOURCE_DIR}\")\nset(made \"${CMAKE_BINARY_DIR}/installed\")")
install(CODE [[
  foreach(file fuhyo.service workers/fuhyo-match-worker.service)
    file(READ "${source}/docker/${file}" unit)
    string(REPLACE "/usr/local/bin/" "${CMAKE_INSTALL_PREFIX}/bin/" unit "${unit}")
    string(REPLACE "/etc/fuhyo/" "${etc}/fuhyo/" unit "${unit}")
    string(REGEX REPLACE "#     useradd.*#\n# Engines live" "# Engines live" unit "${unit}")
    string(REGEX REPLACE "#     useradd[^\n]*\n#     install -m[^\n]*\n" "" unit "${unit}")
    string(REPLACE " docker/fuhyo-without" " ${CMAKE_INSTALL_PREFIX}/share/doc/fuhyo/docker/fuhyo-without"
      unit "${unit}")
    get_filename_component(name "${file}" NAME)
    file(WRITE "${made}/${name}" "${unit}")
    file(INSTALL "${made}/${name}" DESTINATION "${units}")
  endforeach()
  # The host's own file is made once: here, or by the postinst of a package. Hashes of secrets may stand there.
  if(NOT DEFINED ENV{DESTDIR} AND NOT EXISTS "${etc}/fuhyo/fuhyo.toml")
    file(INSTALL "${source}/docker/debian/fuhyo.toml" DESTINATION "${etc}/fuhyo"
      PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ)
    execute_process(COMMAND chgrp fuhyo "${etc}/fuhyo/fuhyo.toml" OUTPUT_QUIET ERROR_QUIET)
  endif()]])
install(FILES docker/debian/fuhyo.toml DESTINATION share/fuhyo)

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
  "${control}/postinst;${control}/prerm;${control}/postrm")
include(CPack)

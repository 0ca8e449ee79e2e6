# Fetches the packages of the pages into node_modules: cmake -DNPM=... -P packages.cmake, in this folder. One short
# question comes first: npm tries a registry that is not there for a minute and longer.
set(quick --fetch-retries=0 --fetch-timeout=10000 --loglevel=error)
# Not "ci", which wants binaries for every system in package-lock.json.
set(install install --no-save --no-audit --no-fund --ignore-scripts --loglevel=error)
execute_process(COMMAND "${NPM}" view zimmerframe version ${quick} RESULT_VARIABLE away OUTPUT_QUIET ERROR_VARIABLE why)
if(away)
  # What was fetched before may do.
  list(APPEND install --offline)
endif()
execute_process(COMMAND "${NPM}" ${install} RESULT_VARIABLE failed ERROR_VARIABLE said)
if(failed AND away)
  message(FATAL_ERROR "${why}\nThe registry of npm cannot be reached. A server without pages needs none of it: "
    "-DWEB=OFF for cmake, FUHYO_WEB=OFF for ./dev")
elseif(failed)
  message(FATAL_ERROR "${said}")
endif()

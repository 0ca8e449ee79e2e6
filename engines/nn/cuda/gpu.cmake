# The back end of GPUs, where there is an nvcc. It is called directly: CMake's own support of CUDA would hand it the
# flags of every C++ compiler of this project, and takes longer to find it than it takes to compile the one file.
# Sanitizers see nothing of a GPU; what it computes is tested by them without one.
option(FUHYO_CUDA "Build the CUDA back end if nvcc is there" ON)
# Code for the first GPU of each generation that this nvcc knows runs on all of them, and the last one's on later ones.
set(FUHYO_CUDA_ARCH "all-major" CACHE STRING "Value of nvcc's -arch")

if(FUHYO_CUDA AND FUHYO_SANITIZE STREQUAL "")
  find_program(FUHYO_NVCC nvcc PATHS /usr/local/cuda/bin)
  if(FUHYO_NVCC)
    file(REAL_PATH "${FUHYO_NVCC}" nvcc)
    cmake_path(GET nvcc PARENT_PATH nvcc_folder)
    find_library(FUHYO_CUDART cudart_static
      PATHS "${nvcc_folder}/../lib64" "${nvcc_folder}/../lib" "${nvcc_folder}/../targets/x86_64-linux/lib"
            "${nvcc_folder}/../targets/sbsa-linux/lib")
  endif()
  if(FUHYO_NVCC AND FUHYO_CUDART AND NOT DEFINED FUHYO_NVCC_FITS)
    # An nvcc that is too old for this compiler says so in the first header that it reads.
    set(nothing "${CMAKE_CURRENT_BINARY_DIR}/nothing.cu")
    file(WRITE "${nothing}" "")
    execute_process(COMMAND "${FUHYO_NVCC}" -ccbin "${CMAKE_CXX_COMPILER}" -std=c++20 -E "${nothing}"
      RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE why)
    if(result EQUAL 0)
      set(FUHYO_NVCC_FITS ON CACHE INTERNAL "Whether nvcc takes this C++ compiler")
    else()
      set(FUHYO_NVCC_FITS OFF CACHE INTERNAL "Whether nvcc takes this C++ compiler")
    endif()
  endif()
  if(FUHYO_NVCC AND FUHYO_CUDART AND FUHYO_NVCC_FITS)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/device.cu.o")
    add_custom_command(OUTPUT "${object}"
      COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} "${FUHYO_NVCC}" -ccbin "${CMAKE_CXX_COMPILER}" -std=c++20 -O3
        -arch=${FUHYO_CUDA_ARCH} -I "${CMAKE_SOURCE_DIR}" -Xcompiler -fPIC,-Wall,-Wextra,-Werror
        -MD -MF "${object}.d" -c "${CMAKE_CURRENT_SOURCE_DIR}/cuda/device.cu" -o "${object}"
      MAIN_DEPENDENCY cuda/device.cu DEPFILE "${object}.d" COMMENT "Building CUDA object ${object}" VERBATIM)
    set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    target_sources(fuhyo_nn PRIVATE "${object}")
    target_compile_definitions(fuhyo_nn PRIVATE FUHYO_CUDA)
    target_link_libraries(fuhyo_nn PRIVATE "${FUHYO_CUDART}" Threads::Threads rt)
  else()
    message(STATUS "Without the CUDA back end: there is no nvcc, or none that takes this compiler ${why}")
  endif()
endif()

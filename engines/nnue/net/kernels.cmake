# What each set of kernels is compiled for, whatever the rest of the program is: the last -march on a line wins, and no
# function of these files is shared with other ones (kernels_body.h).
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(plain -march=x86-64)
  fuhyo_kernels(net/kernels_plain.cpp OPTIONS ${plain})
  fuhyo_kernels(net/kernels_sse41.cpp OPTIONS ${plain} -msse4.1)
  fuhyo_kernels(net/kernels_avx2.cpp OPTIONS ${plain} -mavx2)
  fuhyo_kernels(net/kernels_avx512.cpp OPTIONS ${plain} -mavx2 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512vnni
    -mprefer-vector-width=512)
else()
  fuhyo_kernels(net/kernels_plain.cpp)
  fuhyo_kernels(net/kernels_neon.cpp)
endif()

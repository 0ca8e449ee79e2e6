# What each set of kernels is compiled for, whatever the rest of the program is: the last -march on a line wins, and no
# function of these files is shared with other ones (kernels_body.h).
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(plain -march=x86-64)
  fuhyo_kernels(train/kernels_plain.cpp OPTIONS ${plain})
  fuhyo_kernels(train/kernels_avx2.cpp OPTIONS ${plain} -mavx2 -mfma)
  fuhyo_kernels(train/kernels_avx512.cpp OPTIONS ${plain} -mavx2 -mfma -mavx512f -mavx512bw -mavx512dq -mavx512vl
    -mprefer-vector-width=512)
endif()

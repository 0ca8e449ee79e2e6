# What each set of kernels is compiled for, whatever the rest of the program is: the last -march on a line wins, and no
# function of these files is shared with other ones (kernels_body.h). Products and sums become one instruction where
# there is one.
set(exact_enough -ffp-contract=fast -fno-math-errno -O3)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(plain -march=x86-64)
  fuhyo_kernels(policy/kernels_plain.cpp OPTIONS ${plain} ${exact_enough})
  fuhyo_kernels(policy/kernels_avx2.cpp OPTIONS ${plain} -mavx2 -mfma ${exact_enough})
  fuhyo_kernels(policy/kernels_avx512.cpp OPTIONS ${plain} -mavx2 -mfma -mavx512f -mavx512bw -mavx512dq -mavx512vl
    -mprefer-vector-width=512 ${exact_enough})
else()
  fuhyo_kernels(policy/kernels_plain.cpp OPTIONS ${exact_enough})
endif()

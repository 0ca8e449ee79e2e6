#include "tests/bench/nn_onednn.h"

#if !defined(FUHYO_ONEDNN)

namespace fuhyo::bench {
std::string start_onednn(std::string_view) { return "oneDNN (libdnnl-dev) was not found when this was built"; }
std::vector<std::function<double()>> onednn_jobs(const nn::Shape&, unsigned, unsigned) { return {}; }
}  // namespace fuhyo::bench

#else

#include <cstring>
#include <dlfcn.h>
#include <fmt/format.h>
#include <memory>
#include <unordered_map>

#include <oneapi/dnnl/dnnl.hpp>

namespace fuhyo::bench {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;
using Type = memory::data_type;

// Convolutions and a dense layer, in the order of their use; weights of any size, as speed does not depend on them.
class Network {
 public:
  Network(const nn::Shape& shape, unsigned batch) : batch_(batch) {
    const memory::dim channels = shape.channels;
    memory x = convolve(nullptr, shape.planes + shape.scalars, channels, 3, true, nullptr);
    for (unsigned block = 0; block < shape.blocks; ++block) {
      memory h = convolve(&x, channels, channels, 3, true, nullptr);
      convolve(&h, channels, channels, 3, true, &x);
    }
    convolve(&x, channels, shape.policy_planes, 1, false, nullptr);
    dense(convolve(&x, channels, shape.value_planes, 1, true, nullptr), shape.value_planes, shape.value_hidden);
  }

  double run() {
    for (auto& [primitive, arguments] : steps_) primitive.execute(stream_, arguments);
    stream_.wait();
    return static_cast<double>(batch_);
  }

 private:
  using Arguments = std::unordered_map<int, memory>;

  memory filled(const memory::desc& what, float scale) {
    memory out(what, engine_);
    auto* const values = static_cast<float*>(out.get_data_handle());
    for (std::size_t i = 0; i < what.get_size() / sizeof(float); ++i) {
      values[i] = scale * (static_cast<float>(i * 2654435761U >> 20 & 255) / 128 - 1);
    }
    return out;
  }

  // The result, which is `sum` itself if there is one to add to.
  memory convolve(const memory* in, memory::dim inputs, memory::dim outputs, memory::dim kernel, bool relu,
                  const memory* sum) {
    dnnl::post_ops after;
    if (sum != nullptr) after.append_sum(1);
    if (relu) after.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(after);
    const memory::dim n = batch_, pad = kernel / 2;
    const memory::desc source = in != nullptr ? in->get_desc() : memory::desc({n, inputs, 9, 9}, Type::f32, Tag::any);
    const memory::desc target =
        sum != nullptr ? sum->get_desc() : memory::desc({n, outputs, 9, 9}, Type::f32, Tag::any);
    const dnnl::convolution_forward::desc what(
        dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_auto, source,
        memory::desc({outputs, inputs, kernel, kernel}, Type::f32, Tag::any),
        memory::desc({outputs}, Type::f32, Tag::a), target, {1, 1}, {pad, pad}, {pad, pad});
    const dnnl::convolution_forward::primitive_desc how(what, attributes, engine_);
    const memory from = in != nullptr ? *in : filled(how.src_desc(), 1);
    const memory to = sum != nullptr ? *sum : filled(how.dst_desc(), 0);
    steps_.emplace_back(dnnl::convolution_forward(how), Arguments{{DNNL_ARG_SRC, from},
                                                                  {DNNL_ARG_WEIGHTS, filled(how.weights_desc(), 0.01F)},
                                                                  {DNNL_ARG_BIAS, filled(how.bias_desc(), 0.1F)},
                                                                  {DNNL_ARG_DST, to}});
    return to;
  }

  void dense(const memory& in, memory::dim planes, memory::dim outputs) {
    const memory::dim n = batch_;
    const dnnl::inner_product_forward::desc what(dnnl::prop_kind::forward_inference, in.get_desc(),
                                                 memory::desc({outputs, planes, 9, 9}, Type::f32, Tag::any),
                                                 memory::desc({n, outputs}, Type::f32, Tag::nc));
    const dnnl::inner_product_forward::primitive_desc how(what, engine_);
    steps_.emplace_back(dnnl::inner_product_forward(how),
                        Arguments{{DNNL_ARG_SRC, in},
                                  {DNNL_ARG_WEIGHTS, filled(how.weights_desc(), 0.01F)},
                                  {DNNL_ARG_DST, filled(how.dst_desc(), 0)}});
  }

  memory::dim batch_;
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  std::vector<std::pair<dnnl::primitive, Arguments>> steps_;
};

// oneDNN would spread each call over all cores; here a thread is one core. Its OpenMP keeps that number by thread.
void stay_on_one_core() {
  using SetThreads = void (*)(int);
  if (auto* const set = reinterpret_cast<SetThreads>(::dlsym(RTLD_DEFAULT, "omp_set_num_threads"))) set(1);
}

}  // namespace

std::string start_onednn(std::string_view kernels) {
  // What a primitive does is decided when it is made, also for how many threads.
  stay_on_one_core();
  if (kernels == "avx2") dnnl::set_max_cpu_isa(dnnl::cpu_isa::avx2);
  const dnnl_version_t* const version = dnnl_version();
  return fmt::format("oneDNN {}.{}.{}", version->major, version->minor, version->patch);
}

std::vector<std::function<double()>> onednn_jobs(const nn::Shape& shape, unsigned batch, unsigned threads) {
  std::vector<std::function<double()>> jobs;
  for (unsigned t = 0; t < threads; ++t) {
    jobs.emplace_back([network = std::make_shared<Network>(shape, batch)] {
      stay_on_one_core();
      return network->run();
    });
  }
  return jobs;
}

}  // namespace fuhyo::bench
#endif

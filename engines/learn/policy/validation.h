// Validates a network with samples that it has not learnt. It is evaluated as in engines: norms folded, by the kernels
// of evaluation. One thread at a time; the pool's threads help.
#pragma once

#include <expected>
#include <span>
#include <string>

#include "engines/learn/policy/sample.h"
#include "engines/learn/policy/validation_result.h"
#include "engines/learn/train/thread_pool.h"
#include "engines/nn/kernels.h"
#include "engines/nn/model.h"

namespace fuhyo::learn::policy {

// An error: a sample is invalid.
std::expected<ValidationResult, std::string> validate(const nn::Model& model, std::span<const Sample> samples,
                                                      double lambda, const nn::Kernels& kernels, ThreadPool& pool);

// The mean cross-entropy of results (0 to 1) and sigmoid(a score / 600 + b), with the a and b that make it least.
double logistic_loss(std::span<const std::pair<double, double>> scores_and_results);

}  // namespace fuhyo::learn::policy

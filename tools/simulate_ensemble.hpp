// SPDX-License-Identifier: MIT
//
// Runs of livi-simulate under noise: many paths, and means over them.
#pragma once

#include <livi/catalogue/ensemble.hpp>
#include <livi/trajectory/checkpoint.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulate_run.hpp"
#include "simulate_settings.hpp"

namespace livi {

/// The options of a run under noise, as Settings.
struct EnsembleSettings {
  const StochasticSystemEntry* system = nullptr;
  const StochasticMethodEntry* method = nullptr;
  AnyNoise noise;
  Vector<double, Dynamic> q, v;
  StochasticOptions method_options;
  EnsembleOptions ensemble;
  std::vector<long> shown;  ///< paths that --single-out shows
  double h = 0, end_time = 0;
  long steps = 0, every = 1;
  std::vector<std::pair<std::string, std::string>> words;
};

/// Returns whether these options are of a run under noise.
bool is_under_noise(const Options& options);
/// Resolves what was given. Throws InvalidParameter for what cannot be meant.
EnsembleSettings resolve_ensemble(const Options& given, bool shows_paths);
/// Runs it, from a checkpoint if there is one. Returns the exit status.
int run_ensemble(EnsembleSettings settings, Files files, std::optional<Checkpoint> resumed);
/// Prints the systems and methods of such runs.
void print_stochastic_list();

}  // namespace livi

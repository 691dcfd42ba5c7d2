// SPDX-License-Identifier: MIT
//
// What all runs of livi-simulate have in common.
#pragma once

#include <filesystem>

namespace livi {

/// The exit status after a signal, and after a numerical failure.
inline constexpr int interrupted_status = 130, failed_status = 1;

struct Files {
  std::filesystem::path out, checkpoint;
  std::filesystem::path single_out, ended_out;  ///< for runs under noise
  bool checkpoint_on_interruption_only = false;
  double interval = 60;  ///< seconds between checkpoints
  long stop_after = -1;  ///< as if interrupted after this step; -1 never
  unsigned threads = 1;  ///< for runs under noise
};

}  // namespace livi

// SPDX-License-Identifier: MIT
//
// Independent cases over the processors. What is computed does not depend on how many threads there are: each case is
// computed by one thread, from its index alone, and stored at its index.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace livi {

/// {f(0), ..., f(n-1)} by `threads` threads. The result of f is default-constructible. The first exception that a case
/// throws is thrown again when the others have ended.
template <class F>
auto for_each_case(std::size_t n, unsigned threads, const F& f) {
  std::vector<std::invoke_result_t<const F&, std::size_t>> results(n);
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto work = [&] {
    for (std::size_t i = next++; i < n; i = next++) {
      try {
        results[i] = f(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!thrown) thrown = std::current_exception();
        next = n;
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned k = 1; k < std::min<std::size_t>(threads, n); ++k) others.emplace_back(work);
    work();
  }
  if (thrown) std::rethrow_exception(thrown);
  return results;
}

/// As many threads as the machine runs at once, one if that is not known.
inline unsigned processors() { return std::max(1U, std::thread::hardware_concurrency()); }

}  // namespace livi

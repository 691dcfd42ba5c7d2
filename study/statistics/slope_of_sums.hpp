// SPDX-License-Identifier: MIT
#pragma once

namespace livi {

/// Least-squares slope of y over x from sums: the points of a long run need not be kept.
class SlopeOfSums {
 public:
  void add(double x, double y) {
    n_ += 1;
    x_ += x;
    y_ += y;
    xx_ += x * x;
    xy_ += x * y;
  }
  [[nodiscard]] double slope() const { return (n_ * xy_ - x_ * y_) / (n_ * xx_ - x_ * x_); }

 private:
  double n_ = 0, x_ = 0, y_ = 0, xx_ = 0, xy_ = 0;
};

}  // namespace livi

// SPDX-License-Identifier: MIT
//
// The integrals of Brownian motions over steps one after the other, without an end and without a stored path. Time is cut
// into spans, and a step is h = span/2^level. Each span is divided as in brownian_path.hpp, and its nodes have the numbers
//
//   seed and path;   level L with the noise;   the number of the node of level L, counted from the time zero.
//
// So runs with h, h/2, h/4, ... have one path for one span, whatever their end and wherever they begin, and over the
// first span the integrals are those of BrownianPath and BrownianPathWithProducts, bit for bit.
//
// Squares and products are exact from `refinement` halvings of a step upwards, and the mean under increment and I10
// there. So they are those of a path whose finest level is level + refinement.
#pragma once

#include <livi/stochastic/brownian_products.hpp>

namespace livi {

/// The integrals over steps of one path, in their order. Memory: some numbers for each level and noise. Time: on average
/// two divisions for each step and noise, and 2^(refinement + 1) with products.
class BrownianSteps {
 public:
  static constexpr int most_levels = 40, most_refinement = 12;

  /// Begins with step number `first`. Throws InvalidParameter unless 0 <= level <= 40, 0 <= refinement <= 12, the span is
  /// finite and > 0, and there is a noise.
  BrownianSteps(std::uint64_t seed, std::uint64_t path, int noises, double span, int level, int refinement = 0,
                std::uint64_t first = 0)
      : normal_(seed, path), noises_(noises), span_(span), level_(level), refinement_(refinement), step_(first) {
    if (!(std::isfinite(span) && span > 0))
      throw InvalidParameter("span of Brownian steps", span, "must be finite and > 0");
    if (noises < 1) throw InvalidParameter("number of noises", noises, "must be at least 1");
    if (level < 0 || level > most_levels)
      throw InvalidParameter("level of Brownian steps", level, "must be from 0 to " + std::to_string(most_levels));
    if (refinement < 0 || refinement > most_refinement)
      throw InvalidParameter("refinement of Brownian steps", refinement,
                             "must be from 0 to " + std::to_string(most_refinement));
    const auto count = static_cast<std::size_t>(noises);
    const Node node{std::vector<BrownianIntegrals>(count), std::vector<double>(count * (count - 1) / 2)};
    halves_.assign(static_cast<std::size_t>(level + refinement) + 1, {node, node});
    divided_.assign(halves_.size(), none);
  }

  /// Returns the number of the step that next() is about.
  [[nodiscard]] std::uint64_t step() const { return step_; }
  [[nodiscard]] double h() const { return std::ldexp(span_, -level_); }

  /// Returns the integrals over the next step, of products as well. They are valid until it is called again.
  StepNoise<double> next() {
    Node& node = find(level_, step_++);
    complete(node, level_, step_ - 1);
    return {StepNoise<double>::noises_type(node.noises), std::span<const double>(node.products)};
  }

 private:
  struct Node {
    std::vector<BrownianIntegrals> noises;
    std::vector<double> products;
  };
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  /// Returns node `index` of a level, with its increments and I10.
  Node& find(int level, std::uint64_t index) {
    const auto l = static_cast<std::size_t>(level);
    if (level == 0) {
      if (divided_[0] != index) {
        divided_[0] = index;
        for (int noise = 0; noise < noises_; ++noise) {
          double xi[2];
          normal_(index, draw_of(0, noise), xi, 2);
          halves_[0][0].noises[static_cast<std::size_t>(noise)] = undivided(span_, xi);
        }
      }
      return halves_[0][0];
    }
    // The halves of a node stay until those of another one are asked for.
    if (divided_[l] != index / 2) halve(find(level - 1, index / 2), level - 1, index / 2);
    return halves_[l][index % 2];
  }
  /// Divides a node of a level into those of the next.
  void halve(const Node& whole, int level, std::uint64_t index) {
    auto& halves = halves_[static_cast<std::size_t>(level) + 1];
    divided_[static_cast<std::size_t>(level) + 1] = index;
    const double h = std::ldexp(span_, -level);
    for (int noise = 0; noise < noises_; ++noise) {
      double xi[2];
      normal_(index, draw_of(level + 1, noise), xi, 2);
      const auto i = static_cast<std::size_t>(noise);
      divide(whole.noises[i], h, xi, halves[0].noises[i], halves[1].noises[i]);
    }
  }
  /// Finds squares and products of a node, from its increments and I10.
  void complete(Node& node, int level, std::uint64_t index) {
    const double h = std::ldexp(span_, -level);
    const std::size_t count = node.noises.size();
    if (level == level_ + refinement_) {
      for (BrownianIntegrals& of : node.noises) of.squared = mean_of_square(of, h);
      std::size_t pair = 0;
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = i + 1; j < count; ++j, ++pair)
          node.products[pair] = mean_of_product(node.noises[i], node.noises[j], h);
      return;
    }
    halve(node, level, index);
    auto& [a, b] = halves_[static_cast<std::size_t>(level) + 1];
    complete(a, level + 1, 2 * index);
    complete(b, level + 1, 2 * index + 1);
    std::size_t pair = 0;
    for (std::size_t i = 0; i < count; ++i) {
      node.noises[i].squared = joined(a.noises[i], b.noises[i], h / 2).squared;
      for (std::size_t j = i + 1; j < count; ++j, ++pair)
        node.products[pair] = joined_product({a.noises[i], a.noises[j]}, a.products[pair], {b.noises[i], b.noises[j]},
                                             b.products[pair], h / 2);
    }
  }

  NormalNumbers normal_;
  int noises_;
  double span_;
  int level_, refinement_;
  std::uint64_t step_;
  std::vector<std::array<Node, 2>> halves_;  ///< nodes of each level: those of level 0 have no other half
  std::vector<std::uint64_t> divided_;       ///< which node the halves on each level are of
};

}  // namespace livi

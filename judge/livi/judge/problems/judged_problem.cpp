// SPDX-License-Identifier: MIT
#include <livi/judge/problems/judged_problem.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include <livi/judge/problems/attitude.hpp>
#include <livi/judge/problems/number_text.hpp>

namespace livi {
namespace {

template <class S>
S power(const S& x, int exponent) {
  S result = x;
  for (int k = 1; k < exponent; ++k) result = result * x;
  return result;
}

/// Returns x with the time as its last variable.
template <class S>
std::vector<S> with_time(const std::vector<S>& x, const S& t) {
  std::vector<S> all = x;
  all.push_back(t);
  return all;
}

/// Returns the angular velocity of a body, from its momentum, in its axes.
template <class S>
std::vector<S> angular_velocity(const JudgedProblem& problem, const std::vector<S>& momentum) {
  using namespace foreign_detail;
  const auto inertia = taken<Nine<S>>(problem.masses);
  return listed(solved(inertia, taken<Three<S>>(momentum)));
}

}  // namespace

DyadicPolynomial& DyadicPolynomial::add(double coefficient, std::vector<int> variables) {
  std::map<int, int> exponents;
  for (const int variable : variables) ++exponents[variable];
  terms.push_back({coefficient, {exponents.begin(), exponents.end()}});
  return *this;
}

template <class S>
S DyadicPolynomial::value(const std::vector<S>& x) const {
  S sum(0);
  for (const Monomial& term : terms) {
    S product(term.coefficient);
    for (const auto& [variable, exponent] : term.factors)
      product = product * power(x[static_cast<std::size_t>(variable)], exponent);
    sum = sum + product;
  }
  return sum;
}

template <class S>
std::vector<S> DyadicPolynomial::gradient(const std::vector<S>& x, int n) const {
  std::vector<S> result(static_cast<std::size_t>(n), S(0));
  for (const Monomial& term : terms)
    for (const auto& [variable, exponent] : term.factors) {
      if (variable >= n) continue;
      S product(term.coefficient * exponent);
      for (const auto& [other, its] : term.factors) {
        const int remaining = other == variable ? its - 1 : its;
        if (remaining > 0) product = product * power(x[static_cast<std::size_t>(other)], remaining);
      }
      auto& entry = result[static_cast<std::size_t>(variable)];
      entry = entry + product;
    }
  return result;
}

DyadicPolynomial DyadicPolynomial::derivative(int variable) const {
  DyadicPolynomial result;
  for (const Monomial& term : terms) {
    Monomial of{term.coefficient, {}};
    bool depends = false;
    for (const auto& [other, exponent] : term.factors) {
      if (other != variable) {
        of.factors.emplace_back(other, exponent);
        continue;
      }
      depends = true;
      of.coefficient *= exponent;
      if (exponent > 1) of.factors.emplace_back(other, exponent - 1);
    }
    if (depends) result.terms.push_back(std::move(of));
  }
  return result;
}

int DyadicPolynomial::degree(int n) const {
  int largest = 0;
  for (const Monomial& term : terms) {
    int degree_of_term = 0;
    for (const auto& [variable, exponent] : term.factors)
      if (variable < n) degree_of_term += exponent;
    largest = std::max(largest, degree_of_term);
  }
  return largest;
}

std::string DyadicPolynomial::text(const std::string& letter, int n) const {
  std::string result;
  for (const Monomial& term : terms) {
    const bool minus = term.coefficient < 0;
    result += result.empty() ? (minus ? "-" : "") : (minus ? " - " : " + ");
    std::string product;
    if (std::abs(term.coefficient) != 1 || term.factors.empty())
      product = number_text(std::abs(term.coefficient), NumberForm::decimal);
    for (const auto& [variable, exponent] : term.factors) {
      if (!product.empty()) product += "*";
      product += variable < n ? letter + std::to_string(variable + 1) : "t";
      if (exponent > 1) product += "^" + std::to_string(exponent);
    }
    result += product;
  }
  return result.empty() ? "0" : result;
}

template <class S>
Forces<S>::Forces(const JudgedProblem& problem) : problem_(&problem) {}

template <class S>
std::vector<S> Forces<S>::noise(std::size_t count) {
  std::vector<S> numbers(count, S(0));
  for (std::size_t i = 0; i < count && asked + i < normals.size(); ++i) numbers[i] = normals[asked + i];
  asked += count;
  return numbers;
}

template <class S>
std::vector<S> Forces<S>::gradient(const S& t, const std::vector<S>& q) {
  ++gradients;
  return problem_->potential.gradient(with_time(q, t), problem_->size());
}

template <class S>
std::vector<S> Forces<S>::velocity(const std::vector<S>& p) {
  ++velocities;
  if (problem_->kind == ProblemKind::separable) return problem_->kinetic.gradient(p, problem_->size());
  if (problem_->kind == ProblemKind::body) return angular_velocity(*problem_, p);
  std::vector<S> v;
  for (std::size_t i = 0; i < p.size(); ++i) v.push_back(p[i] / S(problem_->masses[i]));
  return v;
}

template <class S>
std::vector<S> Forces<S>::hessian(const S& t, const std::vector<S>& q) {
  ++hessians;
  const int n = problem_->size();
  std::vector<S> result;
  for (int i = 0; i < n; ++i) {
    const auto row = problem_->potential.derivative(i).gradient(with_time(q, t), n);
    result.insert(result.end(), row.begin(), row.end());
  }
  return result;
}

template <class S>
std::vector<S> Forces<S>::third(const S& t, const std::vector<S>& q, const std::vector<S>& a, const std::vector<S>& b) {
  ++thirds;
  const int n = problem_->size();
  std::vector<S> result(static_cast<std::size_t>(n), S(0));
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < n; ++k) {
      const auto entries = problem_->potential.derivative(j).derivative(k).gradient(with_time(q, t), n);
      for (std::size_t i = 0; i < entries.size(); ++i)
        result[i] = result[i] + entries[i] * a[static_cast<std::size_t>(j)] * b[static_cast<std::size_t>(k)];
    }
  return result;
}

template <class S>
S Forces<S>::value(const S& t, const std::vector<S>& q) {
  ++values;
  return problem_->potential.value(with_time(q, t));
}

template <class S>
std::vector<S> Forces<S>::torque(const std::vector<S>& q) {
  ++gradients;
  using foreign_detail::Nine, foreign_detail::taken;
  const std::vector<S> g = problem_->potential.gradient(q, problem_->size());
  return foreign_detail::listed(foreign_detail::torque_of(taken<Nine<S>>(q), taken<Nine<S>>(g)));
}

template <class S>
std::vector<S> Forces<S>::constraint(const std::vector<S>& q) {
  ++constraints;
  std::vector<S> result;
  for (const DyadicPolynomial& g : problem_->constraints) result.push_back(g.value(q));
  return result;
}

template <class S>
std::vector<S> Forces<S>::constraint_jacobian(const std::vector<S>& q) {
  ++jacobians;
  std::vector<S> result;
  for (const DyadicPolynomial& g : problem_->constraints) {
    const std::vector<S> row = g.gradient(q, problem_->size());
    result.insert(result.end(), row.begin(), row.end());
  }
  return result;
}

template <class S>
S Forces<S>::energy(const TimedPoint<S>& z) const {
  S sum = problem_->potential.value(with_time(z.q, z.t));
  if (problem_->kind == ProblemKind::separable) return sum + problem_->kinetic.value(z.p);
  if (problem_->kind == ProblemKind::body)
    return sum +
           foreign_detail::dot(foreign_detail::taken<foreign_detail::Three<S>>(z.p),
                               foreign_detail::taken<foreign_detail::Three<S>>(angular_velocity(*problem_, z.p))) /
               S(2);
  for (std::size_t i = 0; i < z.p.size(); ++i) sum = sum + z.p[i] * z.p[i] / S(2 * problem_->masses[i]);
  return sum;
}

template double DyadicPolynomial::value(const std::vector<double>&) const;
template std::complex<double> DyadicPolynomial::value(const std::vector<std::complex<double>>&) const;
template Float50 DyadicPolynomial::value(const std::vector<Float50>&) const;
template Rational DyadicPolynomial::value(const std::vector<Rational>&) const;
template class Forces<double>;
template class Forces<std::complex<double>>;
template class Forces<Float50>;
template class Forces<Rational>;

}  // namespace livi

// SPDX-License-Identifier: MIT
#include <livi/certificate_file.hpp>

#include <algorithm>
#include <livi/claims/battery/step_statements.hpp>
#include <livi/trajectory/checkpoint.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

namespace livi {

namespace {

using nlohmann::json;
using Operation = StraightLineProgram::Operation;

/// Returns all exponents of n variables with a sum of at most `degree`.
std::vector<std::vector<int>> exponents_up_to(std::size_t n, int degree) {
  std::vector<std::vector<int>> result;
  std::vector<int> exponents(n, 0);
  const auto extend = [&](auto&& self, std::size_t from, int left) -> void {
    result.push_back(exponents);
    for (std::size_t i = from; left > 0 && i < n; ++i) {
      ++exponents[i];
      self(self, i, left - 1);
      --exponents[i];
    }
  };
  extend(extend, 0, degree);
  return result;
}

/// Returns the monomials of V, a polynomial of degree at most four, by Newton's interpolation at points with whole
/// coordinates. Throws std::domain_error if V is no such polynomial: the result is compared with V at other points.
std::vector<PolynomialPotential<Rational>::Monomial> monomials_of(const AnyPotential<Rational>& potential,
                                                                  std::size_t n) {
  constexpr int degree = 4;
  const auto value_at = [&](const std::vector<int>& at) {
    Vector<Rational, Dynamic> q(static_cast<Eigen::Index>(n));
    for (std::size_t i = 0; i < n; ++i) q(static_cast<Eigen::Index>(i)) = Rational(at[i]);
    return potential.value(q);
  };
  // These are coefficients of the products of binomials (q_i over a_i), from differences in one variable after another.
  const auto all = exponents_up_to(n, degree);
  std::map<std::vector<int>, Rational> table;
  for (const auto& a : all) table[a] = value_at(a);
  for (std::size_t i = 0; i < n; ++i)
    for (int round = 1; round <= degree; ++round)
      for (int at = degree; at >= round; --at)
        for (const auto& a : all) {
          if (a[i] != at) continue;
          auto below = a;
          --below[i];
          table[a] -= table[below];
        }
  // (q over k) as a polynomial in q, lowest power first.
  std::vector<std::vector<Rational>> binomials{{Rational(1)}};
  for (int k = 1; k <= degree; ++k) {
    std::vector<Rational> next(static_cast<std::size_t>(k) + 1, Rational(0));
    for (std::size_t j = 0; j < binomials.back().size(); ++j) {
      next[j + 1] += binomials.back()[j] / Rational(k);
      next[j] -= binomials.back()[j] * Rational(k - 1) / Rational(k);
    }
    binomials.push_back(next);
  }
  std::map<std::vector<int>, Rational> coefficients;
  for (const auto& [a, factor] : table) {
    if (factor == 0) continue;
    for (const auto& m : all) {
      Rational product = factor;
      for (std::size_t i = 0; i < n && product != 0; ++i)
        product *=
            m[i] <= a[i] ? binomials[static_cast<std::size_t>(a[i])][static_cast<std::size_t>(m[i])] : Rational(0);
      if (product != 0) coefficients[m] += product;
    }
  }
  PolynomialPotential<Rational> result;
  for (const auto& [m, c] : coefficients)
    if (c != 0 && std::accumulate(m.begin(), m.end(), 0) > 0) result.monomials.push_back({c, m});
  for (int k = 0; k < 4; ++k) {
    Vector<Rational, Dynamic> q(static_cast<Eigen::Index>(n)), gradient = q, of_polynomial = q;
    for (Eigen::Index i = 0; i < q.size(); ++i) q(i) = ratio<Rational>(7 * (k + 1) - 5 * static_cast<int>(i), 3 + k);
    potential.gradient(q, gradient);
    result.gradient(q, of_polynomial);
    for (Eigen::Index i = 0; i < q.size(); ++i)
      if (gradient(i) != of_polynomial(i)) throw std::domain_error("the potential is no polynomial of degree four");
  }
  return result.monomials;
}

PolynomialProblem polynomial_problem(std::size_t problem) {
  const TestProblem<Rational> in_rationals = test_problem<Rational>(problem);
  const auto n = static_cast<std::size_t>(in_rationals.system.size());
  return {in_rationals.system.mass().matrix(), monomials_of(in_rationals.system.potential(), n),
          in_rationals.symmetries};
}

json text_of(const std::vector<std::uint64_t>& numbers) {
  json result = json::array();
  for (const std::uint64_t x : numbers) result.push_back(std::to_string(x));
  return result;
}
json matrix_of(const Matrix<Rational, Dynamic>& m) {
  json rows = json::array();
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    json row = json::array();
    for (Eigen::Index j = 0; j < m.cols(); ++j) row.push_back(m(i, j).str());
    rows.push_back(row);
  }
  return rows;
}
json data_of(const PolynomialProblem& problem) {
  json potential = json::array(), symmetries = json::array();
  for (const auto& [coefficient, exponents] : problem.potential)
    potential.push_back({{"coefficient", coefficient.str()}, {"exponents", exponents}});
  for (const auto& symmetry : problem.symmetries) {
    const Matrix<Rational, Dynamic> translation = symmetry.translation.transpose();
    symmetries.push_back({{"name", symmetry.name},
                          {"generator", matrix_of(symmetry.generator)},
                          {"translation", matrix_of(translation)[0]},
                          {"is_translation", symmetry.is_translation}});
  }
  return {{"mass", matrix_of(problem.mass)}, {"potential", potential}, {"symmetries", symmetries}};
}

std::string text_of(const StraightLineProgram& program) {
  std::string text;
  for (const auto& [operation, a, b] : program.instructions) {
    if (!text.empty()) text += ' ';
    const std::string first = std::to_string(a), both = first + "," + std::to_string(b);
    switch (operation) {
      case Operation::variable:
        text += "v" + first;
        break;
      case Operation::constant:
        text += "c" + first;
        break;
      case Operation::add:
        text += "+" + both;
        break;
      case Operation::subtract:
        text += "-" + both;
        break;
      case Operation::multiply:
        text += "*" + both;
        break;
      case Operation::divide:
        text += "/" + both;
        break;
      case Operation::negate:
        text += "n" + first;
    }
  }
  return text;
}

/// Adds to an object the checksum of its compact text.
json traced(json object) {
  Checksum checksum;
  checksum.add(object.dump());
  object["trace"] = checksum.text();
  return object;
}

/// Returns whether a step from the end of another, backwards or reversed, is the step of the file from there. A method
/// that remembers more than a point may take another step.
bool is_its_own_inverse_step(const RecordedStatement& step, const std::vector<std::uint64_t>& values) {
  const std::size_t n = step.values.size() / 2;  // of q, p and h
  const auto negate = [&](std::uint64_t& x) { x = x == 0 ? 0 : step.prime - x; };
  const auto difference = [&](std::uint64_t a, std::uint64_t b) { return a >= b ? a - b : a + (step.prime - b); };
  std::vector<std::uint64_t> back = step.outputs, turned = step.outputs, functions;
  back.push_back(step.values.back());
  turned.push_back(step.values.back());
  negate(back.back());
  std::for_each(turned.begin() + static_cast<std::ptrdiff_t>(n), turned.end() - 1, negate);
  back = replay(step.program, back, step.prime).outputs;
  turned = replay(step.program, turned, step.prime).outputs;
  std::for_each(turned.begin() + static_cast<std::ptrdiff_t>(n), turned.end(), negate);
  for (const auto& point : {back, turned})
    for (std::size_t i = 0; i < point.size(); ++i) functions.push_back(difference(point[i], step.values[i]));
  return functions == values;
}

json json_of(const StatementInFile& statement) {
  const StraightLineProgram& program = statement.step.program;
  const RecordedStatement& step = statement.step;
  json variables = json::array(), constants = json::array(), comparisons = json::array();
  for (std::size_t i = 0; i < program.variables.size(); ++i)
    variables.push_back({{"name", program.variables[i]}, {"value", std::to_string(step.values.at(i))}});
  for (const std::int64_t c : program.constants) constants.push_back(std::to_string(c));
  for (const auto& [number, zero] : program.comparisons) comparisons.push_back({number, zero ? 1 : 0});
  const auto split = static_cast<std::ptrdiff_t>(program.outputs.size() - statement.held);
  using Numbers = std::vector<std::uint32_t>;
  using Values = std::vector<std::uint64_t>;
  return traced({{"method", statement.method},
                 {"source", statement.source},
                 {"property", statement.property},
                 {"problem", statement.problem},
                 {"data", statement.data ? data_of(*statement.data) : json()},
                 {"finding", statement.finding == Certificate::Finding::proved ? "proved" : "disproved"},
                 {"seed", std::to_string(step.seed)},
                 {"assumed", step.assumed},
                 {"prime", std::to_string(step.prime)},
                 {"variables", variables},
                 {"constants", constants},
                 {"program", text_of(program)},
                 {"end", Numbers(program.outputs.begin(), program.outputs.begin() + split)},
                 {"end_values", text_of(Values(step.outputs.begin(), step.outputs.begin() + split))},
                 {"held", Numbers(program.outputs.begin() + split, program.outputs.end())},
                 {"comparisons", comparisons},
                 {"values", text_of(statement.values)}});
}

}  // namespace

StraightLineProgram without_repetitions(const StraightLineProgram& program) {
  StraightLineProgram merged;
  merged.variables = program.variables;
  std::map<std::tuple<Operation, std::int64_t, std::uint32_t>, std::uint32_t> known;
  std::vector<std::uint32_t> moved;
  for (const auto& [operation, a, b] : program.instructions) {
    const bool is_constant = operation == Operation::constant,
               is_leaf = is_constant || operation == Operation::variable;
    const bool is_unary = is_leaf || operation == Operation::negate;
    const std::uint32_t first = is_leaf ? a : moved[a], second = is_unary ? 0 : moved[b];
    const auto [at, is_new] =
        known.try_emplace({operation, is_constant ? program.constants[a] : std::int64_t(first), second}, 0u);
    if (is_new)
      at->second = is_constant ? merged.append_constant(program.constants[a]) : merged.append(operation, first, second);
    moved.push_back(at->second);
  }
  std::vector<bool> used(merged.instructions.size(), false);
  for (const std::uint32_t output : program.outputs) used[moved[output]] = true;
  for (const auto& comparison : program.comparisons) used[moved[comparison.number]] = true;
  for (std::size_t i = used.size(); i-- > 0;) {
    const auto& [operation, a, b] = merged.instructions[i];
    if (!used[i] || operation == Operation::variable || operation == Operation::constant) continue;
    used[a] = true;
    if (operation != Operation::negate) used[b] = true;
  }
  StraightLineProgram result;
  result.variables = merged.variables;
  std::vector<std::uint32_t> number(merged.instructions.size(), 0);
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    const auto& [operation, a, b] = merged.instructions[i];
    number[i] = operation == Operation::constant   ? result.append_constant(merged.constants[a])
                : operation == Operation::variable ? result.append(operation, a)
                                                   : result.append(operation, number[a], number[b]);
  }
  for (const std::uint32_t output : program.outputs) result.outputs.push_back(number[moved[output]]);
  for (const auto& [compared, zero] : program.comparisons) {
    const std::uint32_t at = number[moved[compared]];
    if (std::none_of(result.comparisons.begin(), result.comparisons.end(),
                     [&](const auto& known_one) { return known_one.number == at; }))
      result.comparisons.push_back({at, zero});
  }
  return result;
}

void CertificateFile::add(StatementInFile statement) {
  const auto without = [&](const std::string& why) {
    leave_out({statement.method, statement.property, statement.problem, why});
  };
  if (statement.finding == Certificate::Finding::undecided) return without("it is undecided");
  statement.step.program = without_repetitions(statement.step.program);
  if (statement.operations > most_operations)
    return without("it takes " + std::to_string(statement.operations) + " operations; at most " +
                   std::to_string(most_operations) + " are written");
  statements_.push_back(std::move(statement));
}

void CertificateFile::add(const Subject& subject) {
  using namespace battery_detail;
  const Properties declared = subject.declares();
  const auto& problems = subject.problems();
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (is_decided(problems[i])) {
      order.push_back(i);
    } else {
      leave_out({declared.name, "all", problems[i].name, "the battery decides nothing on it"});
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return problems[a].points.front().q.size() < problems[b].points.front().q.size();
  });
  for (const std::size_t i : order)
    for (const auto& asked :
         {std::pair(Statement::symplectic, "symplectic"), std::pair(Statement::symmetric, "symmetric"),
          std::pair(Statement::translations, "linear momentum"), std::pair(Statement::rotations, "angular momentum")}) {
      const Statement statement = asked.first;
      const std::string property = asked.second;
      StatementInFile entry{
          .method = declared.name, .source = declared.source, .property = property, .problem = problems[i].name};
      try {
        if (!subject.in_residues(i)) {
          leave_out({declared.name, property, entry.problem, "this kind of problem has no exact form"});
          continue;
        }
        const CertificateOptions options = options_of_certificates();
        const Certificate certificate =
            certify([&](Draw<Residue>& draw) { return step_statement(subject, i, statement, draw); }, options);
        if (certificate.points > 0 && certificate.functions == 0) continue;  // no such symmetry
        entry.finding = certificate.finding;
        if (certificate.finding == Certificate::Finding::undecided) {
          leave_out({declared.name, property, entry.problem, certificate.note});
          continue;
        }
        // An equal seed gives an equal prime and point.
        const RecordedStatement functions =
            record_statement([&](Draw<Residue>& draw) { return step_statement(subject, i, statement, draw); }, options);
        entry.step = record_statement([&](Draw<Residue>& draw) { return step_end(subject, i, draw); }, options);
        entry.step.assumed = functions.assumed;
        entry.values = functions.outputs;
        entry.operations = without_repetitions(functions.program).instructions.size();
        if (statement == Statement::symmetric && !is_its_own_inverse_step(entry.step, entry.values)) {
          leave_out({declared.name, property, entry.problem,
                     "a step from where another ends is not the step from a fresh start there"});
          continue;
        }
        entry.data = polynomial_problem(i);
        add(std::move(entry));
      } catch (const std::exception& error) {
        leave_out({declared.name, property, problems[i].name, error.what()});
      }
    }
}

std::string CertificateFile::text() const {
  json certificates = json::array(), left_out = json::array();
  std::map<std::string, int> methods;
  for (const StatementInFile& statement : statements_) {
    certificates.push_back(json_of(statement));
    ++methods[statement.method];
  }
  for (const auto& [method, property, problem, why] : left_out_)
    left_out.push_back({{"method", method}, {"property", property}, {"problem", problem}, {"why", why}});
  const json file = traced({{"format", "livi-certificates-2"},
                            {"methods", methods},
                            {"certificates", certificates},
                            {"left_out", left_out}});
  return file.dump(1) + "\n";
}

}  // namespace livi

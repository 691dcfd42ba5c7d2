// SPDX-License-Identifier: MIT
//
// A method of this process before the judge as if it were another's: behind the lines of docs/protocol.md, or behind the
// functions of livi_judge.h. In both it asks for its forces from outside.
#pragma once

#include <livi/foreign/livi_judge.h>
#include <livi/judge/doors/pipe_subject.hpp>
#include <livi/judge/method/foreign_subject.hpp>
#include <livi/judge/problems/number_text.hpp>

#include <algorithm>
#include <cstring>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace livi {

/// Forces that somebody else computes: asked by the words of the protocol.
class AskedForces final : public Forces<double> {
 public:
  using Ask = std::function<std::vector<double>(
      const std::string& what, const std::vector<std::vector<double>>& vectors, std::optional<double> t)>;
  AskedForces(const JudgedProblem& problem, Ask ask) : Forces(problem), ask_(std::move(ask)) {}
  std::vector<double> gradient(const double& t, const std::vector<double>& q) override {
    return ask_("gradient", {q}, t);
  }
  std::vector<double> velocity(const std::vector<double>& p) override { return ask_("velocity", {p}, std::nullopt); }
  std::vector<double> hessian(const double& t, const std::vector<double>& q) override {
    return ask_("hessian", {q}, t);
  }
  std::vector<double> third(const double& t, const std::vector<double>& q, const std::vector<double>& a,
                            const std::vector<double>& b) override {
    return ask_("third", {q, a, b}, t);
  }
  double value(const double& t, const std::vector<double>& q) override { return ask_("value", {q}, t).at(0); }
  std::vector<double> torque(const std::vector<double>& q) override { return ask_("torque", {q}, std::nullopt); }
  std::vector<double> constraint(const std::vector<double>& q) override {
    return ask_("constraint", {q}, std::nullopt);
  }
  std::vector<double> constraint_jacobian(const std::vector<double>& q) override {
    return ask_("constraint_jacobian", {q}, std::nullopt);
  }

 private:
  Ask ask_;
};

/// Returns a declaration as the words of the protocol that say it; an order of zero, and that one of two
/// momenta is not conserved, cannot be said.
inline std::string declaration_words(const ForeignDeclaration& declares) {
  std::string line = "name=\"" + declares.name + "\" form=hex";
  const auto add = [&](const char* key, const std::optional<bool>& value) {
    if (value) line += std::string(" ") + key + (*value ? "=yes" : "=no");
  };
  if (declares.order.value_or(0) > 0) line += " order=" + std::to_string(*declares.order);
  add("symplectic", declares.symplectic);
  add("symmetric", declares.symmetric);
  const bool linear = declares.linear_momentum == true, angular = declares.angular_momentum == true;
  if (linear || angular) {
    line += std::string(" momentum=") + (linear ? "linear" : "") + (linear && angular ? "," : "") +
            (angular ? "angular" : "");
  } else if (declares.linear_momentum == false && declares.angular_momentum == false) {
    line += " momentum=no";
  }
  if (declares.gradients) line += " gradients=" + std::to_string(static_cast<long>(*declares.gradients));
  if (declares.stability_limit) line += " stability=" + number_text(*declares.stability_limit, NumberForm::decimal);
  if (declares.memory) line += " memory=yes";
  add("hidden", declares.hidden);
  add("casimir", declares.casimir);
  line += " kinds=";
  for (const ProblemKind kind : declares.kinds) line += std::string(line.back() == '=' ? "" : ",") + kind_name(kind);
  return line;
}

/// A saved state has lines; the protocol has one for it.
inline std::string in_one_line(std::string text) {
  std::ranges::replace(text, '\n', '|');
  return text;
}
inline std::string in_lines(std::string text) {
  std::ranges::replace(text, '|', '\n');
  return text;
}

/// Answers the judge's lines on the standard streams until it says goodbye.
inline int serve_lines(ForeignSubject& subject) {
  const auto say = [](const std::string& line) { std::cout << line << std::endl; };
  const auto numbers = [](const std::vector<std::string>& words, std::size_t from) {
    std::vector<double> x;
    for (std::size_t k = from; k < words.size(); ++k) x.push_back(parse_double(words[k]).value());
    return x;
  };
  const auto written = [](const std::vector<double>& x) {
    std::string text;
    for (const double entry : x) text += " " + number_text(entry, NumberForm::hex);
    return text;
  };
  JudgedProblem problem;
  std::optional<AskedForces> forces;
  std::unique_ptr<ForeignRun<double>> run;
  std::string line;
  while (std::getline(std::cin, line)) {
    const std::vector<std::string> words = words_of(line);
    const std::string& what = words.at(0);
    if (what == "livi") {
      say("livi 1 " + declaration_words(subject.declares()));
    } else if (what == "problem") {
      problem = {
          .name = "asked", .kind = kind_named(words.at(2)).value(), .masses = numbers(words, 4), .potential = {}};
      if (problem.has_constraints()) {
        problem.constraints.resize(static_cast<std::size_t>(problem.masses.back()));
        problem.masses.pop_back();
      }
      forces.emplace(problem, [&](const std::string& question, const std::vector<std::vector<double>>& vectors,
                                  std::optional<double> t) {
        std::string asked = question;
        for (const std::vector<double>& x : vectors) asked += written(x);
        if (t) asked += written({*t});
        say(asked);
        std::string answer;
        if (!std::getline(std::cin, answer)) std::exit(0);
        return numbers(words_of(answer), 1);
      });
      run = subject.in_double(*forces);
      say("ok");
    } else if (what == "start") {
      const std::vector<double> x = numbers(words, 1);
      const auto middle = x.begin() + 1 + problem.size();
      run->start({x.at(0), {x.begin() + 1, middle}, {middle, x.end()}});
      say("ok");
    } else if (what == "step") {
      try {
        run->step(parse_double(words.at(1)).value(), std::stol(words.at(2)));
        const TimedPoint<double> z = run->point();
        say("state" + written(z.q) + written(z.p));
      } catch (const ForeignRefusal& refusal) {
        say(std::string("failed ") + refusal.what());
      }
    } else if (what == "save") {
      const std::optional<std::string> text = run->save();
      say(text ? "saved " + in_one_line(*text) : "unsupported");
    } else if (what == "restore") {
      run->restore(in_lines(line.substr(std::strlen("restore "))));
      say("ok");
    } else if (what == "bye") {
      return 0;
    } else {
      say("unsupported");
    }
  }
  return 0;
}

/// The functions of livi_judge.h but for the version, on a subject.
class SubjectFunctions {
 public:
  explicit SubjectFunctions(std::shared_ptr<ForeignSubject> subject)
      : subject_(std::move(subject)), declares_(declaration_words(subject_->declares())) {}
  [[nodiscard]] const char* declares() const { return declares_.c_str(); }
  void start(const livi_judge_problem* problem, double t, const double* q, const double* p) {
    begin(problem);
    run_->start({t, {q, q + problem_.size()}, {p, p + problem_.momenta()}});
  }
  int step(double h, long count, double* q, double* p) {
    try {
      run_->step(h, count);
    } catch (const ForeignRefusal&) {
      return 1;
    }
    const TimedPoint<double> z = run_->point();
    std::copy(z.q.begin(), z.q.end(), q);
    std::copy(z.p.begin(), z.p.end(), p);
    return 0;
  }
  int save(char* text, long size) {
    const std::optional<std::string> saved = run_->save();
    if (!saved || static_cast<long>(saved->size()) >= size) return 1;
    std::memcpy(text, in_one_line(*saved).c_str(), saved->size() + 1);
    return 0;
  }
  int restore(const livi_judge_problem* problem, const char* text) {
    begin(problem);
    run_->restore(in_lines(text));
    return 0;
  }

 private:
  void begin(const livi_judge_problem* problem) {
    const ProblemKind kind = kind_named(problem->kind).value();
    const int size = kind == ProblemKind::body ? 9 : problem->n;
    problem_ = {.name = "asked", .kind = kind, .masses = {problem->masses, problem->masses + size}, .potential = {}};
    problem_.constraints.resize(static_cast<std::size_t>(problem->constraints));
    forces_.emplace(problem_, [problem](const std::string& what, const std::vector<std::vector<double>>& x,
                                        std::optional<double> t) {
      const auto n = static_cast<std::size_t>(problem->n), count = static_cast<std::size_t>(problem->constraints);
      const std::size_t size_of_answer = what == "hessian"               ? n * n
                                         : what == "value"               ? 1
                                         : what == "constraint"          ? count
                                         : what == "constraint_jacobian" ? count * n
                                                                         : n;
      std::vector<double> answer(size_of_answer);
      if (what == "gradient") problem->gradient(problem->judge, *t, x[0].data(), answer.data());
      if (what == "velocity") problem->velocity(problem->judge, x[0].data(), answer.data());
      if (what == "hessian") problem->hessian(problem->judge, *t, x[0].data(), answer.data());
      if (what == "third") problem->third(problem->judge, *t, x[0].data(), x[1].data(), x[2].data(), answer.data());
      if (what == "value") answer[0] = problem->value(problem->judge, *t, x[0].data());
      if (what == "torque") problem->torque(problem->judge, x[0].data(), answer.data());
      if (what == "constraint") problem->constraint(problem->judge, x[0].data(), answer.data());
      if (what == "constraint_jacobian") problem->constraint_jacobian(problem->judge, x[0].data(), answer.data());
      return answer;
    });
    run_ = subject_->in_double(*forces_);
  }

  std::shared_ptr<ForeignSubject> subject_;
  std::string declares_;
  JudgedProblem problem_;
  std::optional<AskedForces> forces_;
  std::unique_ptr<ForeignRun<double>> run_;
};

/// A subject with another declaration: that which the protocol can say.
class Redeclared final : public ForeignSubject {
 public:
  explicit Redeclared(std::shared_ptr<ForeignSubject> subject)
      : subject_(std::move(subject)),
        declaration_(parse_hello("livi 1 " + declaration_words(subject_->declares())).declaration) {}
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  [[nodiscard]] std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return subject_->in_double(forces);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<Redeclared>(subject_->another());
  }

 private:
  std::shared_ptr<ForeignSubject> subject_;
  ForeignDeclaration declaration_;
};

}  // namespace livi

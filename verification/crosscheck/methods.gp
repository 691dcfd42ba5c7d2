\\ SPDX-License-Identifier: MIT
\\
\\ Integrators written once more, from the formulas of the papers, for PARI/GP, to compare with what livi wrote into a file
\\ (lib/livi/certificate_file.hpp; check_methods makes of it what this reads). Of each certificate, from its
\\ problem, prime and point: the end of the step and the functions that the property says vanish, equal to those of the file; and
\\ whether they vanish at three random points modulo random primes, as the file found.
\\
\\ Derivatives are coefficients of e in numbers modulo e^2.

wrong = 0; checked = 0; compared = 0;
refuse(name, why) = { wrong++; print("REFUSED ", name, ": ", why) };

\\ --- numbers a + b e modulo a prime
value(x) = if(type(x) == "t_POLMOD", polcoef(component(x, 2), 0, e), x);
slope(x) = if(type(x) == "t_POLMOD", polcoef(component(x, 2), 1, e), 0 * x);
dual(a, b) = Mod(a + b * e, e^2);
unit_vector(n, j) = vectorv(n, i, i == j);

\\ --- M q'' = -grad V, as [mass, V, gradient, Hessian, third derivatives] in the variables x1, ..., xn
coordinate(i) = eval(Str("x", i));
mechanical(mass, terms, p) = {
  my(n = #mass, x = vector(n, i, coordinate(i)), V, g);
  V = sum(t = 1, #terms, terms[t][1] * Mod(1, p) * prod(i = 1, n, x[i]^terms[t][2][i]));
  g = vectorv(n, i, deriv(V, x[i]));
  [matrix(n, n, i, j, mass[i][j] * Mod(1, p)), x, g, matrix(n, n, i, j, deriv(g[i], x[j])),
   vector(n, k, matrix(n, n, i, j, deriv(deriv(g[i], x[j]), x[k])))];
};
at(f, x, q) = substvec(f, x, Vec(q));
gradient(s, q) = vectorv(#q, i, at(s[3][i], s[2], q));
hessian(s, q) = matrix(#q, #q, i, j, at(s[4][i, j], s[2], q));
\\ a . V'''(q) . a
third(s, q, a) = vectorv(#q, i, sum(j = 1, #q, sum(k = 1, #q, at(s[5][k][i, j], s[2], q) * a[j] * a[k])));

\\ x + h v + h^2/2 f, then v + h/2 (f + f'): TO14 (21)
kick_drift_kick(f, q, v, h) = { my(a = f(q), r = q + h * v + h^2 / 2 * a); [r, v + h / 2 * (a + f(r))] };
\\ Swope et al. 1982: f = -M^-1 grad V
velocity_verlet(s, q, v, h) = kick_drift_kick(x -> -s[1]^-1 * gradient(s, x), q, v, h);
\\ TO14 (3), beta = 1/4
zhang_skeel_force(s, x, c) = { my(a = -(s[1] + c * hessian(s, x))^-1 * gradient(s, x)); a - c^2 / 2 * s[1]^-1 * third(s, x, a) };
zhang_skeel(s, q, v, h) = kick_drift_kick(x -> zhang_skeel_force(s, x, h^2 / 4), q, v, h);
\\ TO14 (18), beta = 1/4
simplified_zhang_skeel(s, q, v, h) = kick_drift_kick(x -> -(s[1] + h^2 / 4 * hessian(s, x))^-1 * gradient(s, x), q, v, h);
\\ Kutta 1901 for (q, v)' = (v, -M^-1 grad V(q))
runge_kutta_4(s, q, v, h) = {
  my(n = #q, F = z -> concat(z[n + 1 .. 2 * n], -s[1]^-1 * gradient(s, z[1 .. n])), z = concat(q, v), k1, k2, k3, k4);
  k1 = F(z); k2 = F(z + h / 2 * k1); k3 = F(z + h / 2 * k2); k4 = F(z + h * k3);
  z += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  [z[1 .. n], z[n + 1 .. 2 * n]];
};
{methods = Map(["VelocityVerlet", velocity_verlet; "ZhangSkeel", zhang_skeel; "SimplifiedZhangSkeel", simplified_zhang_skeel;
  "RungeKutta4", runge_kutta_4])};
\\ (q, p) to (q, p)
step(method, s, q, p, h) = { my(z = mapget(methods, method)(s, q, s[1]^-1 * p, h)); [z[1], s[1] * z[2]] };

momentum(symmetry, q, p) = { my(n = #q); sum(i = 1, n, p[i] * (symmetry[3][i] + sum(j = 1, n, symmetry[2][i][j] * q[j]))) };
\\ [functions, end]
mechanical_statement(method, property, s, symmetries, q, p, h) = {
  my(n = #q, z = step(method, s, q, p, h), end = concat(z[1], z[2]), f = [], J, Omega, D, back, turned);
  if (property == "symplectic",
    J = matconcat(vector(2 * n, j, my(y = step(method, s, vectorv(n, i, dual(q[i], i == j)), vectorv(n, i, dual(p[i], n + i == j)), h));
      vectorv(2 * n, i, slope(if(i <= n, y[1][i], y[2][i - n])))));
    Omega = matrix(2 * n, 2 * n, i, j, (j == i + n) - (i == j + n));
    D = J~ * Omega * J - Omega;
    for (a = 1, 2 * n, for (b = a + 1, 2 * n, f = concat(f, [D[a, b]]))));
  if (property == "symmetric",
    back = step(method, s, z[1], z[2], -h);
    turned = step(method, s, z[1], -z[2], h);
    f = Vec(concat([back[1] - q, back[2] - p, turned[1] - q, -turned[2] - p])));
  if (property == "linear momentum" || property == "angular momentum",
    f = [momentum(y, z[1], z[2]) - momentum(y, q, p) | y <- symmetries, y[1] == (property == "linear momentum")]);
  [f, Vec(end)];
};

\\ --- bodies
hat(x) = [0, -x[3], x[2]; x[3], 0, -x[1]; -x[2], x[1], 0];
cross(a, b) = hat(a) * b;
cay(x) = (matid(3) - hat(x) / 2)^-1 * (matid(3) + hat(x) / 2);
\\ U = tr(C'Q) + tr(D'Q)^2/2; the torque is minus the derivative of U in Q hat(y)
torque(C, D, Q) = { my(G = C + trace(D~ * Q) * D); vectorv(3, i, -trace(G~ * Q * hat(unit_vector(3, i)))) };
\\ mu . (eta x zeta) + eta . rho - nu . zeta, on two variations [Q' dQ, dmu]
form(mu, a, b) = mu~ * cross(a[1], b[1]) + a[1]~ * b[2] - a[2]~ * b[1];
vee(A) = [A[3, 2], A[1, 3], A[2, 1]]~;
flat(A) = vector(9, k, A[(k - 1) % 3 + 1, (k - 1) \ 3 + 1]);
\\ Functions and end of a map (x, W) -> [Q, mu, Q', mu'].
body_statement(ends, x, w) = {
  my(variations = [[], []], f = [], z);
  for (j = 1, 6,
    z = ends(vectorv(3, i, dual(x[i], i == j)), vectorv(3, i, dual(w[i], i + 3 == j)));
    for (k = 1, 2, my(Q = z[2 * k - 1], mu = z[2 * k]);
      variations[k] = concat(variations[k], [[vee(apply(value, Q)~ * apply(slope, Q)), apply(slope, mu), apply(value, mu)]])));
  for (a = 1, 6, for (b = a + 1, 6,
    f = concat(f, [form(variations[2][a][3], variations[2][a], variations[2][b]) - form(variations[1][a][3], variations[1][a], variations[1][b])])));
  [f, apply(value, concat([flat(z[1]), Vec(z[2]), flat(z[3]), Vec(z[4])]))];
};
\\ BOS09 (8)-(10) from Q_k = cay(x) and W_{k+1/2} = w
lie_verlet(inertia, C, D, h, x, w) = {
  my(Q = cay(x), R = Q * cay(h * w), square = h / 2 * (w~ * inertia * w) * w, gyroscopic = cross(inertia * w, w));
  [Q, inertia * w - h / 2 * (gyroscopic - square + torque(C, D, Q)), R, inertia * w + h / 2 * (gyroscopic + square + torque(C, D, R))];
};
\\ BOS09 (4)-(6), where (6) holds with W_{k+1} = last at the point: its derivative makes that of W_{k+1}.
lie_newmark(inertia, C, h, x, w, last) = {
  my(Q = cay(x), F = v -> cross(inertia * v, v), middle = w + h / 2 * inertia^-1 * (F(w) + torque(C, 0 * C, Q)), R = Q * cay(h * middle), residual, K);
  residual = inertia * (last - middle) - h / 2 * (F(last) + torque(C, 0 * C, R));
  if (apply(value, residual) != 0, error("(6) does not hold"));
  K = matconcat(vector(3, i, my(y = unit_vector(3, i)); inertia * y - h / 2 * (cross(inertia * y, last) + cross(inertia * last, y))));
  [Q, inertia * w, R, inertia * (last - K^-1 * residual)];
};

\\ --- variables by name
named(point, name) = { for (i = 1, #point, if (point[i][1] == name, return(point[i][2]))); error("no variable ", name) };
named_vector(point, name, n) = vectorv(n, i, named(point, Str(name, i - 1)));
columns(v) = matrix(3, 3, i, j, v[3 * (j - 1) + i]);

statement(method, property, mass, terms, symmetries, point, p) = {
  my(h = named(point, "h"), n = #mass);
  if (n > 0, return(mechanical_statement(method, property, mechanical(mass, terms, p), symmetries,
    named_vector(point, "q", n), named_vector(point, "p", n), h)));
  my(inertia = matrix(3, 3, i, j, named(point, Str("I", max(i, j) - 1, min(i, j) - 1))), x = named_vector(point, "x", 3),
    w = named_vector(point, "w", 3));
  if (method == "LieVerlet", my(C = columns(named_vector(point, "c", 9)), D = columns(named_vector(point, "d", 9)));
    return(body_statement((dx, dw) -> lie_verlet(inertia, C, D, h, dx, dw), x, w)));
  if (method != "LieNewmark", error("no formulas of ", method));
  my(middle = named_vector(point, "m", 3), last = named_vector(point, "l", 3), Q = cay(x), R = Q * cay(h * middle), F = v -> cross(inertia * v, v),
    basis = vector(6, a, columns(named_vector(point, Str("c", a - 1, "_"), 9))), T, C);
  T = matconcat(vector(6, a, concat(torque(basis[a], 0 * Q, Q), torque(basis[a], 0 * Q, R))));
  T = T^-1 * concat(2 / h * inertia * (middle - w) - F(w), 2 / h * inertia * (last - middle) - F(last));
  C = sum(a = 1, 6, T[a] * basis[a]);
  body_statement((dx, dw) -> lie_newmark(inertia, C, h, dx, dw, last), x, w);
};

certificate(method, property, problem, finding, p, point, mass, terms, symmetries, values, end_values) = {
  my(name = Str(method, ", ", property, ", ", problem), there, other, q, nonzero);
  checked++;
  if (!isprime(p), refuse(name, Str(p, " is no prime")); return);
  there = statement(method, property, mass, terms, symmetries, [[v[1], Mod(v[2], p)] | v <- point], p);
  if (lift(there[1]) != values, refuse(name, "the functions have other values at its point"); return);
  if (lift(there[2]) != end_values, refuse(name, "the step ends elsewhere"); return);
  compared += #values + #end_values;
  for (k = 1, 3,
    q = randomprime([2^60, 2^61]);
    other = statement(method, property, mass, terms, symmetries, [[v[1], Mod(random(q), q)] | v <- point], q);
    nonzero = sum(i = 1, #other[1], other[1][i] != 0);
    if ((finding == "proved") != (nonzero == 0), refuse(name, Str(nonzero, " functions do not vanish modulo ", q, ", found was: ", finding)); return));
  print(name, ": ", finding, ", the same ", #values, " functions and ", #end_values, " numbers of the end; so at 3 other points");
};
finish() = {
  if (checked == 0, print("no certificates"); quit(2));
  print(checked, " certificates, ", compared, " values compared, 3 other points each: ", if (wrong, Str(wrong, " refused"), "all agree"));
  quit(if (wrong, 1, 0));
};

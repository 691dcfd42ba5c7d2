% SPDX-License-Identifier: MIT
% Velocity Verlet: livi-judge -- matlab -batch verlet (the protocol: docs/protocol.md). Untested: no test runs Matlab.
% Octave has its own: ../octave/verlet.m.
m = []; q = []; p = [];
while true
  words = strsplit(input('', 's'), ' ');
  switch words{1}
    case 'livi'
      say('livi 1 name=Verlet order=2 symplectic=yes symmetric=yes gradients=2', []);
    case 'problem'
      m = str2double(words(5:end))';
      say('ok', []);
    case 'start'
      x = str2double(words(3:end))';
      q = x(1:numel(m));
      p = x(numel(m) + 1:end);
      say('ok', []);
    case 'step'
      h = str2double(words{2});
      for k = 1:str2double(words{3})
        p = p - h / 2 * gradient(q);
        q = q + h * p ./ m;
        p = p - h / 2 * gradient(q);
      end
      say('state', [q; p]);
    case 'bye'
      break
    otherwise
      say('unsupported', []);
  end
end
function say(what, x)
  fprintf('%s\n', [what, sprintf(' %.17g', x)]);
end
function g = gradient(q)
  say('gradient', q);
  words = strsplit(input('', 's'), ' ');
  g = str2double(words(2:end))';
end

% SPDX-License-Identifier: MIT
% Velocity Verlet; wrong: the second half of the kick is missing. See docs/protocol.md.
1;
function say (what, x)
  fprintf ("%s\n", [what, sprintf(" %.17g", x)]);
  fflush (stdout);
end
function g = gradient (q)
  say ("gradient", q);
  g = sscanf (input ("", "s")(10:end), "%f");
end
while true
  [word, rest] = strtok (input ("", "s")); % fgetl would wait for the line after this one
  switch word
    case "livi"
      say ("livi 1 name=Verlet order=2 symplectic=yes symmetric=yes gradients=1", []);
    case "problem"
      words = strsplit (rest);
      m = str2double (words(5:end))';
      say ("ok", []);
    case "start"
      x = sscanf (rest, "%f");
      q = x(2:1 + numel (m));
      p = x(2 + numel (m):end);
      say ("ok", []);
    case "step"
      x = sscanf (rest, "%f");
      h = x(1);
      for k = 1:x(2)
        p -= h / 2 * gradient (q);
        q += h * p ./ m;
      end
      say ("state", [q; p]);
    case "bye"
      break
    otherwise
      say ("unsupported", []);
  end
end

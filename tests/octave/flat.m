% SPDX-License-Identifier: Apache-2.0
% flat(x, path): every value of an answer on a line, numbers as their bits.
function flat (x, path)
  if (isstruct (x) && numel (x) == 1)
    for [value, key] = x
      flat (value, [path "." key]);
    endfor
  elseif (isstruct (x))
    for i = 1:numel (x)
      flat (x(i), sprintf ("%s.%d", path, i - 1));
    endfor
  elseif (iscell (x) && numel (x) == 1)
    flat (x{1}, path);
  elseif (iscell (x))
    for i = 1:numel (x)
      flat (x{i}, sprintf ("%s.%d", path, i - 1));
    endfor
  elseif (ischar (x))
    printf ("%s\ttext\t%s\n", path, x);
  elseif (islogical (x))
    printf ("%s\tflag\t%d\n", path, x);
  elseif (isscalar (x))
    printf ("%s\tnumber\t%s\n", path, num2hex (x));
  else
    for i = 1:numel (x)
      printf ("%s.%d\tnumber\t%s\n", path, i - 1, num2hex (x(i)));
    endfor
  endif
endfunction

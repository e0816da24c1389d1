import { expect, test } from 'vitest';
import { splitStatements } from './support/split-statements.ts';

test.each<[what: string, text: string, statements: readonly string[]]>([
  ['at semicolons', 'select 1; select 2;\n', ['select 1', 'select 2']],
  ['not in strings, where quotes are doubled', `select 'a;''b;'; select 2`, [`select 'a;''b;'`, 'select 2']],
  [
    'nor after a backslash that escapes',
    String.raw`select e'a\';'; select 2`,
    [String.raw`select e'a\';'`, 'select 2'],
  ],
  [
    'a backslash in a plain string ends it',
    String.raw`select 'a\'; select 2`,
    [String.raw`select 'a\'`, 'select 2'],
  ],
  ['not in names', 'select 1 as "a;""b"; select 2', ['select 1 as "a;""b"', 'select 2']],
  [
    'not in comments, which stay',
    '-- a; b\nselect 1; select 2 -- c;',
    ['-- a; b\nselect 1', 'select 2 -- c;'],
  ],
  [
    'nor in comments within comments',
    '/* a; /* b; */ c; */ select 1; select 2',
    ['/* a; /* b; */ c; */ select 1', 'select 2'],
  ],
  [
    'not between dollars',
    'do $$ a; b; $$; do $x$ a; $$; $x$; c',
    ['do $$ a; b; $$', 'do $x$ a; $$; $x$', 'c'],
  ],
  ['a dollar in a name opens nothing', 'select a$b; select c$b', ['select a$b', 'select c$b']],
  ['not in parentheses', 'create rule r as do (a; b); c', ['create rule r as do (a; b)', 'c']],
  [
    'nor in an atomic body, whatever ends within it',
    'create function f() begin atomic select case when a then 1 end; select 2; end; select 3',
    ['create function f() begin atomic select case when a then 1 end; select 2; end', 'select 3'],
  ],
])('statements are split %s', (_what, text, statements) => {
  expect(splitStatements(text)).toEqual(statements);
});

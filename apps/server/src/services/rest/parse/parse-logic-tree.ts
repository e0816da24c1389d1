import type { Outcome } from '../rest-error.ts';
import { ANY_NAME, takeField } from './parse-field.ts';
import { takeLogicValue, takeOperation } from './parse-operation.ts';
import type { LogicTree } from './request-ast.ts';
import { parseWith, type Scanner } from './scanner.ts';

/** Deep enough for any screen; far from the depth at which Postgres or the parser would run out of stack. */
const MAX_DEPTH = 40;

const GROUP = /\s*(not\.)?(and|or)[ \t]*\(/y;

/**
 * The value of `or=`, `and=`, `not.or=` or `not.and=`: `(a.eq.1,and(b.gt.2,not.or(c.is.null,d.in.(1,2))))`.
 * @param operator the key that held it, `not.` included.
 */
export function parseLogicTree(operator: string, text: string): Outcome<LogicTree> {
  return parseWith('logic tree', operator + text, (scanner) => takeTree(scanner, 0), text);
}

function takeTree(scanner: Scanner, depth: number): LogicTree {
  if (depth > MAX_DEPTH) scanner.fail(`at most ${MAX_DEPTH} levels of and/or`);
  const group = scanner.match(GROUP);
  if (group === undefined) {
    // The key itself is the outermost operator: without its list it would read as part of a column's name.
    if (depth === 0) scanner.fail('"("');
    return takeLogicFilter(scanner);
  }
  const children: LogicTree[] = [];
  do children.push(takeTree(scanner, depth + 1));
  while (scanner.take(','));
  scanner.expect(')');
  scanner.skipBlanks();
  return {
    kind: 'group',
    operator: group[2] === 'or' ? 'or' : 'and',
    negated: group[1] !== undefined,
    children,
  };
}

function takeLogicFilter(scanner: Scanner): LogicTree {
  const field = takeField(scanner, `${ANY_NAME}, negation operator (not) or logic operator (and, or)`);
  scanner.expect('.');
  const { negated, operation } = takeOperation(scanner, takeLogicValue);
  return { kind: 'filter', field, negated, operation };
}

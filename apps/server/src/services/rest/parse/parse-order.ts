import type { Outcome } from '../outcome.ts';
import { takeField, takeJsonPath, takeName } from './parse-field.ts';
import type { OrderTerm } from './request-ast.ts';
import { parseWith, type Scanner } from './scanner.ts';

const DIRECTION = /\.(asc|desc)(?=[., ]|$)/y;
const NULLS = /\.nulls(first|last)(?=[, ]|$)/y;

/** `order=name.desc.nullslast,categories(name),data->>age.asc`. */
export function parseOrder(text: string): Outcome<readonly OrderTerm[]> {
  return parseWith('order', text, (scanner) => {
    const terms: OrderTerm[] = [];
    do terms.push(takeTerm(scanner));
    while (scanner.take(','));
    return terms;
  });
}

function takeTerm(scanner: Scanner): OrderTerm {
  scanner.skipBlanks();
  const name = takeName(scanner);
  const related = scanner.take('(');
  const field = related ? takeField(scanner) : { name, path: takeJsonPath(scanner) };
  if (related) scanner.expect(')');
  const direction = scanner.match(DIRECTION)?.[1] as 'asc' | 'desc' | undefined;
  const nulls = scanner.match(NULLS)?.[1] as 'first' | 'last' | undefined;
  if (direction === undefined && nulls === undefined && scanner.take('.'))
    scanner.fail('"asc", "desc", "nullsfirst" or "nullslast"');
  scanner.skipBlanks();
  if (!scanner.done && !scanner.sees(',')) scanner.fail('delimiter (.), "," or end of input');
  return { relation: related ? name : undefined, field, direction, nulls };
}

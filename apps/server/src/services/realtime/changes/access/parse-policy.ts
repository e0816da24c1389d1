import { type PolicyList, type PolicyRule, UNDECIDED } from './policy-rule.ts';

/** A word, an operator or a sign; quoted names and strings are no words. A list is what stood in parentheses. */
type Token = { readonly text: string; readonly kind: 'word' | 'name' | 'string' | 'sign' };
type Node = Token | readonly Node[];

const TOKEN =
  /\s+|(?<word>[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|\d[\w.]*)|"(?<name>(?:[^"]|"")+)"|(?<string>'(?:[^']|'')*')|(?<sign>::|[+\-*/<>=~!@#%^&|`?]+|[.,()[\];:])/y;

/**
 * Reads a policy's expression as Postgres writes it (`pg_get_expr`, every operation in parentheses, every name in full).
 * What is not understood to the last sign is undecided: nothing is guessed.
 */
export function parsePolicy(expression: string): PolicyRule {
  const tokens = tokenize(expression);
  const nodes = tokens && nest(tokens);
  return nodes ? toRule(nodes) : UNDECIDED;
}

function tokenize(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const groups = TOKEN.exec(text)?.groups;
    // No match resets the position; an escaped string (E'…') is a word that touches a string and ends up undecided.
    if (groups === undefined) return undefined;
    for (const kind of ['word', 'name', 'string', 'sign'] as const) {
      const found = groups[kind];
      if (found !== undefined)
        tokens.push({ kind, text: kind === 'name' ? found.replaceAll('""', '"') : found });
    }
  }
  return tokens;
}

function nest(tokens: readonly Token[]): readonly Node[] | undefined {
  const open: Node[][] = [[]];
  for (const token of tokens) {
    if (isSign(token, '(')) open.push([]);
    else if (isSign(token, ')')) {
      const closed = open.pop();
      const parent = open.at(-1);
      if (closed === undefined || parent === undefined) return undefined;
      parent.push(closed);
    } else open.at(-1)?.push(token);
  }
  return open.length === 1 ? open[0] : undefined;
}

function toRule(nodes: readonly Node[]): PolicyRule {
  const [first] = nodes;
  if (first === undefined) return UNDECIDED;
  if (nodes.length === 1) {
    if (isList(first)) return toRule(first);
    if (isWord(first, 'true') || isWord(first, 'false'))
      return { kind: 'constant', value: isWord(first, 'true') };
    return UNDECIDED;
  }
  const allowing = toAllowing(print(nodes));
  if (allowing) return { kind: 'is_allowed', list: allowing };
  for (const kind of ['or', 'and'] as const) {
    const parts = split(nodes, kind.toUpperCase());
    if (parts.length > 1) return { kind, rules: parts.map(toOperand) };
  }
  if (isWord(first, 'NOT') && nodes.length === 2) return { kind: 'not', rule: toOperand(nodes.slice(1)) };
  if (isWord(first, 'CASE')) return toCase(nodes);
  return toComparison(nodes);
}

/** What stands between AND and OR must be one thing: else the precedence would have to be known. */
function toOperand(nodes: readonly Node[]): PolicyRule {
  return nodes.length === 1 || isCase(nodes) ? toRule(nodes) : UNDECIDED;
}

/** Whether the nodes are one CASE … END from the first to the last. */
function isCase(nodes: readonly Node[]): boolean {
  const ends = nodes.filter((node) => isWord(node, 'END'));
  return isWord(nodes[0], 'CASE') && isWord(nodes.at(-1), 'END') && ends.length === 1;
}

/** Splits at the keyword, but not inside of CASE … END. */
function split(nodes: readonly Node[], keyword: string): readonly (readonly Node[])[] {
  const parts: Node[][] = [[]];
  let depth = 0;
  for (const node of nodes) {
    if (isWord(node, 'CASE')) depth += 1;
    if (isWord(node, 'END')) depth -= 1;
    if (depth === 0 && isWord(node, keyword)) parts.push([]);
    else parts.at(-1)?.push(node);
  }
  return parts;
}

/** `CASE WHEN … THEN … ELSE … END`, nothing behind it, no other case directly inside. */
function toCase(nodes: readonly Node[]): PolicyRule {
  if (!isCase(nodes) || !isWord(nodes[1], 'WHEN')) return UNDECIDED;
  const [whens = [], otherwise, ...more] = split(nodes.slice(1, -1), 'ELSE');
  if (more.length > 0 || otherwise === undefined) return UNDECIDED;
  const branches = [];
  for (const branch of split(whens, 'WHEN').slice(1)) {
    const [when, result, ...rest] = split(branch, 'THEN');
    if (when === undefined || result === undefined || rest.length > 0) return UNDECIDED;
    branches.push({ when: toOperand(when), result: toOperand(result) });
  }
  return { kind: 'case', branches, otherwise: toOperand(otherwise) };
}

/** `column = (select auth.uid())` and `column = (select lower(auth.email()))`, either way round. */
function toComparison(nodes: readonly Node[]): PolicyRule {
  const at = nodes.findIndex((node) => isSign(node, '='));
  if (at < 0) return UNDECIDED;
  const left = nodes.slice(0, at);
  const right = nodes.slice(at + 1);
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const column = toColumn(one);
    const what = CALLER_EXPRESSIONS.get(print(other));
    if (column !== undefined && what !== undefined) return { kind: 'is_caller', column, what };
  }
  const [column, list] = [toColumn(left), toPolicyList(print(right))];
  return column !== undefined && list !== undefined ? { kind: 'in_list', column, list } : UNDECIDED;
}

/** `ANY (( SELECT schema.function() AS function)::uuid[])`: without the cast it would be the rows that are compared. */
const CALLER_SET =
  /^ANY \( \( SELECT (?<schema>[\w$]+) \. (?<name>[\w$]+) \( \) AS [\w$]+ \) :: (?<type>uuid|text) \[ \] \)$/;

function toPolicyList(printed: string): PolicyList | undefined {
  const { schema, name, type } = CALLER_SET.exec(printed)?.groups ?? {};
  if (schema === undefined || name === undefined) return undefined;
  const expression = `"${schema}"."${name}"()::${type}[]`;
  return { schema, name, type: type === 'uuid' ? 'uuid' : 'text', expression };
}

/** `( SELECT schema.function() AS function)`: alone it can only be a boolean. */
const CALLER_ALLOWING = /^SELECT (?<schema>[\w$]+) \. (?<name>[\w$]+) \( \) AS [\w$]+$/;

function toAllowing(printed: string): PolicyList | undefined {
  const { schema, name } = CALLER_ALLOWING.exec(printed)?.groups ?? {};
  if (schema === undefined || name === undefined) return undefined;
  return { schema, name, type: 'text', expression: `array["${schema}"."${name}"()::text]` };
}

const CALLER_EXPRESSIONS: ReadonlyMap<string, 'id' | 'email'> = new Map([
  ['auth . uid ( )', 'id'],
  ['( SELECT auth . uid ( ) AS uid )', 'id'],
  ['lower ( auth . email ( ) )', 'email'],
  ['( SELECT lower ( auth . email ( ) ) AS lower )', 'email'],
]);

/** A bare name, which at the top of a policy can only be a column of its table. */
function toColumn(nodes: readonly Node[]): string | undefined {
  const [node] = nodes;
  if (nodes.length !== 1 || node === undefined || isList(node)) return undefined;
  return node.kind === 'word' || node.kind === 'name' ? node.text : undefined;
}

/** A quoted name keeps its quotes, so that it is never taken for a word. */
function print(nodes: readonly Node[]): string {
  const texts = nodes.map((node) => {
    if (isList(node)) return node.length === 0 ? '( )' : `( ${print(node)} )`;
    return node.kind === 'name' ? `"${node.text}"` : node.text;
  });
  return texts.join(' ');
}

function isList(node: Node): node is readonly Node[] {
  return Array.isArray(node);
}
function isWord(node: Node | undefined, text: string): boolean {
  return node !== undefined && !isList(node) && node.kind === 'word' && node.text === text;
}
function isSign(node: Node, text: string): boolean {
  return !isList(node) && node.kind === 'sign' && node.text === text;
}

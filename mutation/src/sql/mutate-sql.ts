import { type SqlToken, tokenizeSql } from './tokenize-sql.ts';

/** One small change of a text. */
export type SqlMutation = {
  /** What was changed into what. */
  readonly what: string;
  /** The line it is in, before the change. */
  readonly line: string;
  /** The whole text, changed. */
  readonly text: string;
};

/** A change of a piece of the text, before it is applied. */
type Edit = { readonly start: number; readonly end: number; readonly by: string; readonly what: string };

const WORDS: Readonly<Record<string, string>> = {
  and: 'or',
  or: 'and',
  true: 'false',
  false: 'true',
  greatest: 'least',
  least: 'greatest',
  min: 'max',
  max: 'min',
  asc: 'desc',
  desc: 'asc',
};
const FUNCTIONS = new Set(['greatest', 'least', 'min', 'max']);
const COMPARISONS: Readonly<Record<string, string>> = {
  '=': '<>',
  '<>': '=',
  '!=': '=',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
};
const REVERSED: Readonly<Record<string, string>> = { '<': '>', '<=': '>', '>': '<', '>=': '<' };

/**
 * Every small change of a function's body, or of a condition, that a test should notice. A changed text may be no SQL any more: Postgres
 * says so when it is applied.
 */
export function mutateSql(source: string, kind: 'body' | 'condition'): readonly SqlMutation[] {
  const tokens = tokenizeSql(source).filter((token) => token.kind !== 'space' && token.kind !== 'comment');
  const edits = [
    ...tokens.flatMap((_, index) => changeToken(tokens, index)),
    ...dropOperands(tokens, kind),
    ...(kind === 'body' ? dropStatements(tokens) : []),
  ];
  const seen = new Map<string, number>();
  return edits.map(({ start, end, by, what }) => {
    const line = lineAt(source, start);
    const before = seen.get(`${line}\n${what}`) ?? 0;
    seen.set(`${line}\n${what}`, before + 1);
    return {
      what: before === 0 ? what : `${what} (${before + 1})`,
      line,
      text: source.slice(0, start) + by + source.slice(end),
    };
  });
}

function lineAt(source: string, position: number): string {
  const from = source.lastIndexOf('\n', position - 1) + 1;
  const to = source.indexOf('\n', position);
  return source.slice(from, to === -1 ? undefined : to).trim();
}

/** What can be done to one token, or to a few words that belong together. */
function changeToken(tokens: readonly SqlToken[], index: number): Edit[] {
  const token = tokens[index] as SqlToken;
  const word = (offset: number) => tokens[index + offset]?.word ?? '';
  const replace = (by: string, length = 1): Edit[] => {
    const end = tokens[index + length - 1]?.end ?? token.end;
    const before = tokens.slice(index, index + length).map(({ text }) => text);
    return [{ start: token.start, end, by, what: `${before.join(' ')} → ${by === '' ? 'nothing' : by}` }];
  };
  if (token.kind === 'number') return replace(String(Number(token.text) + 1));
  if (token.kind === 'string')
    return changeString(token, tokens.slice(Math.max(0, index - 3), index), replace);
  if (token.kind === 'operator') return changeOperator(tokens, index, replace);
  if (token.kind !== 'name' || word(-1) === '.') return [];
  if (token.word === 'is') {
    if (word(1) === 'null') return replace('is not null', 2);
    if (word(1) === 'not' && word(2) === 'null') return replace('is null', 3);
    if (word(1) === 'distinct') return replace('is not distinct', 2);
    if (word(1) === 'not' && word(2) === 'distinct') return replace('is distinct', 3);
    return [];
  }
  if (token.word === 'between' || (token.word === 'and' && belongsToBetween(tokens, index))) return [];
  if (token.word === 'not') return word(-1) === 'is' || word(1) === 'null' ? [] : replace('');
  if (token.word === 'exists') return word(-1) === 'not' ? [] : replace('not exists');
  if (token.word === 'distinct')
    return word(-1) === 'is' || word(-1) === 'not' || word(1) === 'on' ? [] : replace('');
  if (token.word === 'left' && word(1) === 'join') return replace('join', 2);
  if (token.word === 'union' && word(1) === 'all') return replace('union', 2);
  if (token.word === 'skip' && word(1) === 'locked') return replace('', 2);
  if (token.word === 'for') return dropRowLock(tokens, index, replace);
  const other = WORDS[token.word];
  if (other === undefined || (FUNCTIONS.has(token.word) && word(1) !== '(')) return [];
  // An argument or a variable of that name.
  if (FUNCTIONS.has(token.word) === (word(1) === '(') || !FUNCTIONS.has(token.word)) return replace(other);
  return [];
}

type Replace = (by: string, length?: number) => Edit[];

function dropRowLock(tokens: readonly SqlToken[], index: number, replace: Replace): Edit[] {
  const words = tokens.slice(index, index + 8).map(({ word }) => word);
  const [lock] =
    /^for (?:no key update|key share|update|share)\b(?: of \w+(?: , \w+)*)?(?: skip locked| nowait)?/.exec(
      words.join(' '),
    ) ?? [];
  return lock === undefined ? [] : replace('', lock.split(' ').length);
}

function changeString(token: SqlToken, before: readonly SqlToken[], replace: Replace): Edit[] {
  const [, amount, unit] = /^'(\d+) ((?:second|minute|hour|day|week|month|year)s?)'$/.exec(token.text) ?? [];
  if (amount !== undefined) return replace(`'${Number(amount) + 1} ${unit}'`);
  const words = before.map(({ word }) => word);
  const isCompared = ['=', '<>', 'when', '(', ',', '['].includes(words.at(-1) ?? '');
  const isList = words.at(-1) === '=' || words.at(-1) === '<>' || words.at(-1) === 'when';
  // What a message says is for people to read, and where an error belongs is for logs.
  const isProse = ['message', 'detail', 'table', 'schema', 'format', 'exception'].some((word) =>
    words.slice(-2).includes(word),
  );
  const isInList = isCompared && (words.includes('in') || words.includes('array'));
  if (isProse || !/^'[\w.]+'$/.test(token.text) || !(isList || isInList)) return [];
  return replace(`${token.text.slice(0, -1)}~'`);
}

function changeOperator(tokens: readonly SqlToken[], index: number, replace: Replace): Edit[] {
  const { text } = tokens[index] as SqlToken;
  const previous = tokens[index - 1];
  if (text === '+' || text === '-') {
    const isBinary =
      previous !== undefined &&
      (/^(?:name|number|string)$/.test(previous.kind) || /[)\]]/.test(previous.text));
    return isBinary && !['select', 'return', 'then', 'else'].includes(previous.word)
      ? replace(text === '+' ? '-' : '+')
      : [];
  }
  const other = COMPARISONS[text];
  if (other === undefined) return [];
  // No two readings of a clock are equal, so that the boundary itself cannot be told apart; the direction can.
  const around = tokens.slice(Math.max(0, index - 4), index + 5).map(({ word }) => word);
  const isClock = around.includes('now') || around.includes('clock_timestamp');
  return replace((isClock ? REVERSED[text] : undefined) ?? other);
}

function belongsToBetween(tokens: readonly SqlToken[], index: number): boolean {
  let depth = 0;
  for (let at = index - 1; at >= 0; at -= 1) {
    const { word } = tokens[at] as SqlToken;
    if (word === ')') depth += 1;
    if (word === '(') depth -= 1;
    if (depth < 0) return false;
    if (depth > 0) continue;
    if (word === 'between') return true;
    if (['and', 'or', 'where', 'on', 'if', 'when', ';', ','].includes(word)) return false;
  }
  return false;
}

/** Where a condition begins. */
const LEADS = new Set(['where', 'having', 'if', 'elsif', 'when', 'on', 'while']);
/** What ends an operand and begins something that may be one, as `select a and b`. */
const STARTS = new Set([
  'select',
  'return',
  ',',
  ':=',
  'then',
  'else',
  'as',
  'into',
  'check',
  'using',
  '=>',
  'default',
]);
/** What ends an operand, and what comes next is none. */
const ENDS = new Set(
  'group order limit returning union for ; join left right inner cross full loop do set window offset end values intersect except begin declare'.split(
    ' ',
  ),
);

type Frame = { start: number; lead: string; betweens: number };

/** Leaves one operand of a condition out: of `a and b` each, and the whole where it is the only one. */
function dropOperands(tokens: readonly SqlToken[], kind: 'body' | 'condition'): Edit[] {
  const edits: Edit[] = [];
  const first: Frame = { start: 0, lead: kind === 'condition' ? 'where' : '', betweens: 0 };
  const frames = [first];
  const cases: boolean[] = [];
  const close = (frame: Frame, end: number, by: string) => {
    const [from, to] = [tokens[frame.start], tokens[end - 1]];
    if (frame.lead !== '' && from !== undefined && to !== undefined && end > frame.start)
      edits.push(...dropOperand(tokens.slice(frame.start, end), frame.lead, by));
  };
  const begin = (frame: Frame, start: number, lead: string) =>
    Object.assign(frame, { start, lead, betweens: 0 });
  for (const [index, { word }] of tokens.entries()) {
    const frame = frames.at(-1) ?? first;
    const next = tokens[index + 1]?.word;
    const previous = tokens[index - 1]?.word;
    if (previous === '.') continue;
    if (word === 'case') cases.push(next === 'when');
    if (word === '(') frames.push({ start: index + 1, lead: 'group', betweens: 0 });
    else if (word === ')') {
      close(frame, index, ')');
      if (frames.length > 1) frames.pop();
    } else if (word === 'between') frame.betweens += 1;
    else if (word === 'and' && frame.betweens > 0) frame.betweens -= 1;
    else if (word === 'and' || word === 'or') {
      close(frame, index, word);
      begin(frame, index + 1, word);
    } else if (
      LEADS.has(word) &&
      !(word === 'on' && (next === 'conflict' || previous === 'distinct')) &&
      !(word === 'if' && previous === 'end')
    ) {
      close(frame, index, word);
      begin(frame, index + 1, word === 'when' && cases.at(-1) === false ? '' : word);
    } else if (STARTS.has(word)) {
      close(frame, index, word);
      begin(frame, index + 1, 'group');
    } else if (ENDS.has(word) && !(word === 'left' && next === '(')) {
      close(frame, index, word);
      begin(frame, index + 1, 'group');
      if (word === 'end' && next !== 'if' && next !== 'loop') cases.pop();
    }
  }
  close(first, tokens.length, '');
  return edits;
}

function dropOperand(operand: readonly SqlToken[], lead: string, by: string): Edit[] {
  const [from, to] = [operand[0] as SqlToken, operand.at(-1) as SqlToken];
  const isPart = (connective: string) => lead === connective || by === connective;
  const values = isPart('and')
    ? ['true']
    : isPart('or')
      ? ['false']
      : lead === 'group'
        ? []
        : lead === 'where' || lead === 'on' || lead === 'having'
          ? ['true']
          : ['true', 'false'];
  const text = operand.map((token) => token.text).join(' ');
  const short = text.length > 60 ? `${text.slice(0, 57)}…` : text;
  return values
    .filter((value) => value !== from.word || operand.length > 1)
    .map((value) => ({ start: from.start, end: to.end, by: value, what: `${short} → ${value}` }));
}

const STATEMENTS = new Set([
  'raise',
  'perform',
  'insert',
  'update',
  'delete',
  'return',
  'select',
  'with',
  'execute',
  'lock',
]);

/** Leaves one statement of a body out. */
function dropStatements(tokens: readonly SqlToken[]): Edit[] {
  const edits: Edit[] = [];
  const begin = tokens.findIndex(({ word }) => word === 'begin');
  let depth = 0;
  for (let index = Math.max(begin, 0); index < tokens.length; index += 1) {
    const { word } = tokens[index] as SqlToken;
    if (word === '(') depth += 1;
    if (word === ')') depth -= 1;
    const isStart = depth === 0 && [';', 'then', 'else', 'begin', 'loop'].includes(word);
    const [next, second] = [tokens[index + 1], tokens[index + 2]];
    if (!isStart || next === undefined || !(STATEMENTS.has(next.word) || second?.word === ':=')) continue;
    const end = endOfStatement(tokens, index + 1);
    const last = tokens[end];
    // The last statement of SQL is the answer; without it there is nothing to call.
    if (last === undefined) continue;
    const head = tokens.slice(index + 1, Math.min(end, index + 9)).map(({ text }) => text);
    edits.push({
      start: next.start,
      end: last.start,
      by: begin === -1 ? 'select' : 'null',
      what: `without: ${head.join(' ')}`,
    });
  }
  return edits;
}

function endOfStatement(tokens: readonly SqlToken[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at += 1) {
    const { word } = tokens[at] as SqlToken;
    if (word === '(') depth += 1;
    if (word === ')') depth -= 1;
    if (word === ';' && depth === 0) return at;
  }
  return tokens.length;
}

import { afterValue, findFault, type HtmlContext, joinContexts, readHtml, TEXT } from './html-context.ts';
import { GoTemplateError, lexGoTemplate, type Part, type Token } from './lex-go-template.ts';

export type Expression =
  | { readonly kind: 'field'; readonly path: readonly string[]; readonly fromRoot: boolean }
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'call'; readonly name: string; readonly values: readonly Expression[] };

export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  /** Undefined context: plain text, which escapes nothing. */
  | { readonly kind: 'value'; readonly of: Expression; readonly context: HtmlContext | undefined }
  | {
      readonly kind: 'if' | 'with';
      readonly of: Expression;
      readonly nodes: readonly TemplateNode[];
      readonly otherwise: readonly TemplateNode[];
    };

export type GoTemplate = { readonly nodes: readonly TemplateNode[] };

/** Functions of Go's templates that ours know. */
export const FUNCTION_NAMES = ['eq', 'ne', 'and', 'or', 'not', 'printf', 'print', 'len', 'index', 'urlquery'];

type Options = {
  /** `html` escapes each value for where it stands; `text` escapes nothing. */
  readonly as: 'html' | 'text';
  /** Names that may stand after the first dot. */
  readonly variables: readonly string[];
};

/**
 * Reads a template in Go's language, as far as mails need it: values, `if`, `with`, comparisons, `printf`, pipes and comments.
 * @throws GoTemplateError for what is not understood, an unknown variable, or a value where none may stand
 */
export function parseGoTemplate(source: string, { as, variables }: Options): GoTemplate {
  const reader = new Reader(lexGoTemplate(source), variables, as === 'html');
  const { nodes, end } = reader.readNodes(TEXT, []);
  if (end.word !== '') throw new GoTemplateError(`"${end.word}" sem começo`, end.line);
  return { nodes };
}

type End = { readonly word: string; readonly line: number; readonly rest: readonly Token[] };
type Block = { readonly nodes: readonly TemplateNode[]; readonly context: HtmlContext; readonly end: End };

/** One walk over the parts; it knows where in the document it is. */
class Reader {
  private at = 0;
  private readonly parts: readonly Part[];
  private readonly variables: readonly string[];
  private readonly isHtml: boolean;

  constructor(parts: readonly Part[], variables: readonly string[], isHtml: boolean) {
    this.parts = parts;
    this.variables = variables;
    this.isHtml = isHtml;
  }

  /** Until `else`, `end` or the end of all. @param inside blocks that are open, the innermost last */
  readNodes(start: HtmlContext, inside: readonly ('if' | 'with')[]): Block {
    const nodes: TemplateNode[] = [];
    let context = start;
    let line = 1;
    for (let part = this.parts[this.at]; part !== undefined; part = this.parts[this.at]) {
      this.at += 1;
      if (part.kind === 'text') {
        nodes.push(part);
        if (this.isHtml) context = readHtml(context, part.text);
        continue;
      }
      ({ line } = part);
      const [first, ...rest] = part.tokens;
      const word = first?.kind === 'word' ? first.text : '';
      if (word === 'else' || word === 'end') return { nodes, context, end: { word, line, rest } };
      if (word === 'if' || word === 'with') {
        const block = this.readBlock(word, rest, { context, line, inside });
        nodes.push(block.node);
        ({ context } = block);
        continue;
      }
      const of = this.readPipeline(part.tokens, line, inside);
      const fault = this.isHtml ? findFault(context) : undefined;
      if (fault !== undefined) throw new GoTemplateError(`nenhum valor pode ficar ${fault}`, line);
      nodes.push({ kind: 'value', of, context: this.isHtml ? context : undefined });
      context = afterValue(context);
    }
    if (inside.length > 0) throw new GoTemplateError('falta {{ end }}', line);
    return { nodes, context, end: { word: '', line, rest: [] } };
  }

  private readBlock(
    kind: 'if' | 'with',
    tokens: readonly Token[],
    place: { context: HtmlContext; line: number; inside: readonly ('if' | 'with')[] },
  ): { readonly node: TemplateNode; readonly context: HtmlContext } {
    const { context, line, inside } = place;
    const of = this.readPipeline(tokens, line, inside);
    const first = this.readNodes(context, [...inside, kind]);
    const other = this.readOtherwise(first.end, { ...place, kind });
    const joined = joinContexts(first.context, other.context);
    if (joined === undefined)
      throw new GoTemplateError(`os dois lados de {{ ${kind} }} terminam em lugares diferentes`, line);
    return { node: { kind, of, nodes: first.nodes, otherwise: other.nodes }, context: joined };
  }

  private readOtherwise(
    { word, rest, line }: End,
    {
      context,
      inside,
      kind,
    }: { context: HtmlContext; inside: readonly ('if' | 'with')[]; kind: 'if' | 'with' },
  ): Pick<Block, 'nodes' | 'context'> {
    if (word === 'end') return { nodes: [], context };
    const [next, ...tokens] = rest;
    if (next?.kind === 'word' && (next.text === 'if' || next.text === 'with')) {
      const block = this.readBlock(next.text, tokens, { context, line, inside });
      return { nodes: [block.node], context: block.context };
    }
    if (next !== undefined) throw new GoTemplateError('depois de "else" só pode vir "if"', line);
    const block = this.readNodes(context, [...inside, kind]);
    if (block.end.word !== 'end') throw new GoTemplateError('um segundo "else"', block.end.line);
    return block;
  }

  private readPipeline(
    tokens: readonly Token[],
    line: number,
    inside: readonly ('if' | 'with')[],
  ): Expression {
    const roots = this.variables;
    const variables = inside.includes('with') ? undefined : roots;
    return readPipe({ tokens, line, variables, roots }, { at: 0 });
  }
}

type Source = {
  readonly tokens: readonly Token[];
  readonly line: number;
  /** What may stand after the first dot; undefined where the dot is something else. */
  readonly variables: readonly string[] | undefined;
  readonly roots: readonly string[];
};
type Cursor = { at: number };

function readPipe(source: Source, cursor: Cursor, isInner = false): Expression {
  let expression = readCommand(source, cursor);
  for (;;) {
    const token = source.tokens[cursor.at];
    if (token === undefined && !isInner) return expression;
    cursor.at += 1;
    if (token?.kind === 'mark' && token.text === ')' && isInner) return expression;
    if (token?.kind !== 'mark' || token.text !== '|')
      throw new GoTemplateError(isInner ? 'falta ")"' : 'uma expressão que não acaba', source.line);
    const next = readCommand(source, cursor);
    if (next.kind !== 'call') throw new GoTemplateError('depois de "|" vem uma função', source.line);
    expression = { ...next, values: [...next.values, expression] };
  }
}

function readCommand(source: Source, cursor: Cursor): Expression {
  const values: Expression[] = [];
  const [first] = source.tokens.slice(cursor.at);
  const name = first?.kind === 'word' ? first.text : undefined;
  if (name !== undefined) {
    if (!FUNCTION_NAMES.includes(name))
      throw new GoTemplateError(`"${name}" não é conhecido aqui`, source.line);
    cursor.at += 1;
  }
  for (;;) {
    const token = source.tokens[cursor.at];
    if (token === undefined || (token.kind === 'mark' && token.text !== '(')) break;
    cursor.at += 1;
    values.push(readOperand(source, cursor, token));
  }
  if (name !== undefined) return { kind: 'call', name, values };
  const [only, another] = values;
  if (!only || another) throw new GoTemplateError('aqui cabe um valor', source.line);
  return only;
}

function readOperand(source: Source, cursor: Cursor, token: Token): Expression {
  if (token.kind === 'mark') return readPipe(source, cursor, true);
  if (token.kind === 'word') {
    // A function without arguments; none of ours is one.
    throw new GoTemplateError(`"${token.text}" fora do lugar`, source.line);
  }
  if (token.kind === 'literal') return token;
  const known = token.fromRoot ? source.roots : source.variables;
  const [name] = token.path;
  if (known && name !== undefined && !known.includes(name))
    throw new GoTemplateError(`a variável .${name} não existe`, source.line);
  return token;
}

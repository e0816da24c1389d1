import { escapeFor } from './html-context.ts';
import type { Expression, GoTemplate, TemplateNode } from './parse-go-template.ts';

type Data = Readonly<Record<string, unknown>>;
type Scope = { readonly root: Data; readonly dot: unknown };

/** Writes a template with its values in it. What is not there is empty. */
export function renderGoTemplate({ nodes }: GoTemplate, data: Data): string {
  return renderNodes(nodes, { root: data, dot: data });
}

function renderNodes(nodes: readonly TemplateNode[], scope: Scope): string {
  return nodes.map((node) => renderNode(node, scope)).join('');
}

function renderNode(node: TemplateNode, scope: Scope): string {
  if (node.kind === 'text') return node.text;
  const value = evaluate(node.of, scope);
  if (node.kind === 'value') {
    const text = toText(value);
    return node.context ? escapeFor(node.context, text) : text;
  }
  if (!isTrue(value)) return renderNodes(node.otherwise, scope);
  return renderNodes(node.nodes, node.kind === 'with' ? { ...scope, dot: value } : scope);
}

function evaluate(expression: Expression, scope: Scope): unknown {
  if (expression.kind === 'literal') return expression.value;
  if (expression.kind === 'call') {
    const values = expression.values.map((value) => evaluate(value, scope));
    return FUNCTIONS[expression.name]?.(values);
  }
  return expression.path.reduce(pick, expression.fromRoot ? scope.root : scope.dot);
}

function pick(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Data)[name]
    : undefined;
}

/** (Source: Go, `text/template`, predefined global functions.) */
const FUNCTIONS: Readonly<Record<string, (values: readonly unknown[]) => unknown>> = {
  eq: ([first, ...others]) => others.some((other) => isEqual(first, other)),
  ne: ([first, other]) => !isEqual(first, other),
  and: (values) => values.find((value) => !isTrue(value)) ?? values.at(-1),
  or: (values) => values.find(isTrue) ?? values.at(-1),
  not: ([value]) => !isTrue(value),
  len: ([value]) =>
    typeof value === 'string' || Array.isArray(value) ? value.length : Object.keys(Object(value)).length,
  index: ([value, ...names]) => names.reduce((inner, name) => pick(inner, toText(name)), value),
  print: (values) => values.map(toText).join(''),
  printf: ([format, ...values]) => {
    let next = 0;
    return toText(format).replace(/%([svdq%])/g, (_, verb: string) => {
      if (verb === '%') return '%';
      const text = toText(values[next]);
      next += 1;
      return verb === 'q' ? JSON.stringify(text) : text;
    });
  },
  urlquery: (values) => encodeURIComponent(values.map(toText).join('').toWellFormed()),
};

/** An empty value of Go's: false, 0, nil, and texts, lists and maps without anything in them. */
function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

function isEqual(one: unknown, other: unknown): boolean {
  return (one ?? '') === (other ?? '');
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

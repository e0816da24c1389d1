import type { AtPath, EmbedItem, FieldItem, LogicTree, OrderTerm, SelectItem } from '../parse/request-ast.ts';
import { fail, type Outcome, ok, restError } from '../rest-error.ts';

/** All that a request says of one resource: the root, or one embed. */
export type RequestNode = {
  readonly item: EmbedItem | undefined;
  readonly fields: readonly FieldItem[];
  readonly children: readonly RequestNode[];
  readonly logic: LogicTree[];
  order: readonly OrderTerm[];
  limit: number | undefined;
  offset: number | undefined;
};

export type RequestParts = {
  readonly select: readonly SelectItem[];
  readonly logic: readonly AtPath<LogicTree>[];
  readonly order: readonly AtPath<readonly OrderTerm[]>[];
  readonly limits: readonly AtPath<number>[];
  readonly offsets: readonly AtPath<number>[];
};

/** Brings filters, order and limits to the resource that their path leads to. */
export function buildRequestTree(parts: RequestParts): Outcome<RequestNode> {
  const root = toNode(parts.select, undefined);
  const missing =
    place(root, parts.logic, (node, tree) => node.logic.push(tree)) ??
    // Of several orders the first one counts, of several limits the last one, as in PostgREST.
    place(root, parts.order, (node, terms) => (node.order = node.order.length === 0 ? terms : node.order)) ??
    place(root, parts.limits, (node, limit) => (node.limit = limit)) ??
    place(root, parts.offsets, (node, offset) => (node.offset = offset));
  return missing === undefined ? ok(root) : fail(restError.notEmbedded(missing));
}

function toNode(items: readonly SelectItem[], item: EmbedItem | undefined): RequestNode {
  const fields: FieldItem[] = [];
  const children: RequestNode[] = [];
  for (const part of items) {
    if (part.kind === 'field') fields.push(part);
    else children.push(toNode(part.items, part));
  }
  return { item, fields, children, logic: [], order: [], limit: undefined, offset: undefined };
}

/** @returns the name of the first step that leads nowhere. */
function place<T>(
  root: RequestNode,
  parts: readonly AtPath<T>[],
  put: (node: RequestNode, value: T) => unknown,
): string | undefined {
  for (const { path, value } of parts) {
    let node = root;
    for (const name of path) {
      const next = node.children.find((child) => child.item?.name === name || child.item?.alias === name);
      if (next === undefined) return name;
      node = next;
    }
    put(node, value);
  }
  return undefined;
}

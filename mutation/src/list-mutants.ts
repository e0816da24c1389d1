import ts from 'typescript';

/** One small fault: what stands between two offsets of a file is replaced. */
export type Mutant = {
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly operator: string;
  readonly original: string;
  readonly replacement: string;
};

export type MutantOptions = {
  /** Also every number by one: for files whose figures are the rule. */
  readonly numbers?: boolean;
};

/** What an operator is exchanged for. Each fault is one that a hurried person makes. */
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '+=': ['-='],
  '-=': ['+='],
};

/** Methods whose twin reads as plausibly. */
const TWINS: ReadonlyMap<string, string> = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
]);

/** Methods that give back what they were called on, changed: without the call the code still makes sense. */
const DROPPABLE = new Set(['filter', 'sort', 'toSorted', 'reverse', 'toReversed', 'trim', 'toLowerCase']);

/** Every fault that can be put into a text, in the order of the text. Types, imports and words are left alone. */
export function listMutants(file: string, text: string, { numbers = false }: MutantOptions = {}): Mutant[] {
  const kind = file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true, kind);
  const mutants: Mutant[] = [];

  const add = (operator: string, node: ts.Node, replacement: string) => {
    const [start, end] = [node.getStart(source), node.getEnd()];
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    mutants.push({ file, line, start, end, operator, original: text.slice(start, end), replacement });
  };

  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isTypeAliasDeclaration(node)) return;
    for (const mutate of MUTATORS) mutate(node, add);
    if (numbers && ts.isNumericLiteral(node)) add('number', node, `(${node.getText()} + 1)`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The text with the fault in it. */
export function applyMutant(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

type Add = (operator: string, node: ts.Node, replacement: string) => void;

const MUTATORS: readonly ((node: ts.Node, add: Add) => void)[] = [
  mutateOperator,
  mutateCondition,
  mutateLiteral,
  mutateCall,
  removeStatement,
  removeBody,
];

function mutateOperator(node: ts.Node, add: Add): void {
  if (ts.isBinaryExpression(node)) {
    const isText =
      node.operatorToken.kind === ts.SyntaxKind.PlusToken && (isWords(node.left) || isWords(node.right));
    if (isText) return;
    for (const other of OPERATORS[node.operatorToken.getText()] ?? [])
      add('operator', node.operatorToken, other);
  }
  if (!ts.isPrefixUnaryExpression(node) && !ts.isPostfixUnaryExpression(node)) return;
  const operand = node.operand.getText();
  if (node.operator === ts.SyntaxKind.ExclamationToken) add('negation', node, operand);
  if (node.operator === ts.SyntaxKind.PlusPlusToken) add('operator', node, `${operand}--`);
  if (node.operator === ts.SyntaxKind.MinusMinusToken) add('operator', node, `${operand}++`);
}

function mutateCondition(node: ts.Node, add: Add): void {
  if (ts.isIfStatement(node)) {
    add('condition', node.expression, 'true');
    add('condition', node.expression, 'false');
  }
  if (ts.isConditionalExpression(node)) {
    add('condition', node.condition, 'true');
    add('condition', node.condition, 'false');
  }
  if (ts.isWhileStatement(node)) add('condition', node.expression, 'false');
}

function mutateLiteral(node: ts.Node, add: Add): void {
  if (node.kind === ts.SyntaxKind.TrueKeyword) add('boolean', node, 'false');
  if (node.kind === ts.SyntaxKind.FalseKeyword) add('boolean', node, 'true');
}

function mutateCall(node: ts.Node, add: Add): void {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
  const { name, expression } = node.expression;
  const twin = TWINS.get(name.text);
  if (twin !== undefined) add('method', name, twin);
  if (DROPPABLE.has(name.text)) add('method', node, expression.getText());
}

/** A call whose answer nobody takes, a refusal, an answer. */
function removeStatement(node: ts.Node, add: Add): void {
  if (ts.isThrowStatement(node)) add('statement', node, ';');
  if (ts.isReturnStatement(node) && node.expression && !isNothing(node.expression))
    add('answer', node.expression, 'undefined');
  if (!ts.isExpressionStatement(node)) return;
  const inner = ts.isAwaitExpression(node.expression) || ts.isVoidExpression(node.expression);
  const call = inner
    ? (node.expression as ts.AwaitExpression | ts.VoidExpression).expression
    : node.expression;
  if (ts.isCallExpression(call)) add('statement', node, ';');
}

function removeBody(node: ts.Node, add: Add): void {
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body) && !isNothing(node.body))
    add('answer', node.body, 'undefined');
  if (!ts.isBlock(node) || node.statements.length === 0) return;
  // The branch of an `if` is emptied by its condition; a body of one statement, by that statement.
  if (ts.isIfStatement(node.parent) && node.parent.thenStatement === node) return;
  if (node.statements.length === 1 && !ts.isReturnStatement(node.statements[0] as ts.Statement)) {
    const [only] = node.statements;
    if (only && (ts.isExpressionStatement(only) || ts.isThrowStatement(only))) return;
  }
  if (node.statements.length === 1 && ts.isReturnStatement(node.statements[0] as ts.Statement)) return;
  add('body', node, '{}');
}

const isWords = (node: ts.Expression): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && (isWords(node.left) || isWords(node.right)));

const isNothing = (node: ts.Node): boolean =>
  node.kind === ts.SyntaxKind.NullKeyword || node.getText() === 'undefined' || node.getText() === '{}';

import ts from 'typescript';

/** Attributes whose value a person reads or hears. */
const READABLE_ATTRIBUTES = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'aria-valuetext',
  'description',
  'heading',
  'hint',
  'label',
  'placeholder',
  'subtitle',
  'text',
  'title',
]);

const ACCENT = /[À-ÖØ-öø-ÿ]/;
const STARTS_A_SENTENCE = /^\p{Lu}\p{L}*[ ,.!?:…]/u;
const IS_SQL = /^\s*(?:select|insert|update|delete|with)\s/;
const HAS_A_WORD = /\p{L}{2}/u;

/**
 * The words of a TypeScript file that reach a screen or a mail, each with the line it stands on. Names in the code,
 * class lists, SQL and the English of errors made for engineers are left out.
 * @param {string} path
 * @param {string} source
 * @param {{ everyLiteral?: boolean, accentedOnly?: boolean }} [options] `everyLiteral` for files made of texts,
 *   `accentedOnly` for files whose other sentences are English on purpose.
 * @returns {{ line: number, text: string }[]} lines from 0.
 */
export function collectReadableTexts(path, source, { everyLiteral = false, accentedOnly = false } = {}) {
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, kind);
  const found = [];

  const take = (node, text) => {
    const words = text.replaceAll(/<[^>]*>/g, ' ');
    if (!HAS_A_WORD.test(words)) return;
    found.push({ line: file.getLineAndCharacterOfPosition(node.getStart(file)).line, text: words });
  };
  const isReadable = (node, text) => {
    if (isCodeOnly(node) || IS_SQL.test(text)) return false;
    if (ACCENT.test(text)) return true;
    if (accentedOnly) return false;
    return everyLiteral || STARTS_A_SENTENCE.test(text) || isReadableAttribute(node);
  };

  const visit = (node) => {
    if (ts.isJsxText(node)) take(node, node.text);
    else if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      if (isReadable(node, node.text)) take(node, node.text);
    } else if (ts.isTemplateExpression(node)) {
      const text = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join(' … ');
      if (isReadable(node, text)) take(node, text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Strings that no person reads: module names, types, class lists, keys, patterns, errors for engineers. */
function isCodeOnly(node) {
  const { parent } = node;
  if (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isExternalModuleReference(parent)
  )
    return true;
  if (ts.isLiteralTypeNode(parent) || ts.isElementAccessExpression(parent)) return true;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return true;
  if (ts.isTaggedTemplateExpression(parent)) return true;
  for (let above = parent; above !== undefined && !ts.isStatement(above); above = above.parent) {
    if (ts.isJsxAttribute(above)) return /class/i.test(above.name.getText());
    if (ts.isNewExpression(above) && /Error$/.test(above.expression.getText())) return true;
  }
  return false;
}

function isReadableAttribute(node) {
  for (let above = node.parent; above !== undefined; above = above.parent) {
    if (ts.isJsxAttribute(above)) return READABLE_ATTRIBUTES.has(above.name.getText());
    if (!ts.isJsxExpression(above) && !ts.isConditionalExpression(above)) return false;
  }
  return false;
}

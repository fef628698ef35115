/**
 * All small faults that can be put into a file, and the file with all of them in it, each behind a switch: MUTANT tells
 * at load which one is on, so that a file is compiled once however many faults are tried. Faults are those that people
 * make: a condition turned round or left out, a comparison off by one, a call forgotten, a constant changed, a value not
 * returned. Texts for people are left alone.
 */
import ts from 'typescript';

export interface Mutant {
  /** From 1, in the order of the text. */
  readonly id: number;
  readonly line: number;
  readonly operator: string;
  readonly original: string;
  readonly mutated: string;
}

export interface Instrumented {
  readonly text: string;
  readonly mutants: readonly Mutant[];
}

interface Change {
  readonly operator: string;
  readonly mutated: string;
}

/** Its name in an instrumented file; no identifier of ours looks like it. */
const SWITCH = '$mutant$';

export function instrument(file: string, source: string): Instrumented {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TS);
  const mutants: Mutant[] = [];
  const plain = (node: ts.Node): string => node.getText(tree);

  const register = (node: ts.Node, change: Change): number => {
    const id = mutants.length + 1;
    mutants.push({
      id,
      line: tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1,
      operator: change.operator,
      original: plain(node),
      mutated: change.mutated,
    });
    return id;
  };

  /** The text of a node with all faults below it in place. */
  const inner = (node: ts.Node): string => {
    const children: ts.Node[] = [];
    ts.forEachChild(node, (child) => void children.push(child));
    let at = node.getStart(tree);
    let text = '';
    for (const child of children) {
      const start = child.getStart(tree);
      // Such as the parts of a template, which lie outside what their parent shows.
      if (start < at) continue;
      text += source.slice(at, start) + written(child);
      at = child.getEnd();
    }
    return text + source.slice(at, node.getEnd());
  };

  const written = (node: ts.Node): string => {
    if (isLeftAlone(node)) return plain(node);
    if (ts.isExpressionStatement(node)) {
      const change = forgotten(node, plain);
      if (!change) return inner(node);
      const id = register(node, change);
      // In braces, or an `else` behind it would be taken for its own.
      return `{ if (${SWITCH} !== ${id}) { ${inner(node)} } }`;
    }
    if (ts.isPropertyAccessExpression(node)) {
      const other = otherMethod(node);
      if (!other) return inner(node);
      const id = register(node.name, { operator: 'method', mutated: other });
      const link = node.questionDotToken ? '?.' : '';
      return `${written(node.expression)}${link}[${SWITCH} === ${id} ? '${other}' : '${node.name.text}']`;
    }
    if (!ts.isExpression(node) || !isValue(node)) return inner(node);
    const changes = changesOf(node, plain, tree);
    if (changes.length === 0) return inner(node);
    const ids = changes.map((change) => register(node, change));
    const original = inner(node);
    return `(${changes.map(({ mutated }, place) => `${SWITCH} === ${ids[place]} ? (${mutated}) : `).join('')}(${original}))`;
  };

  const body = tree.statements
    .map((statement) => source.slice(statement.getFullStart(), statement.getStart(tree)) + written(statement))
    .join('');
  const head = `const ${SWITCH} = Number(process.env.MUTANT ?? 0); `;
  return { text: head + body, mutants };
}

const IS_LOG = /(?:^|\.)log(?:\.|\[|$)|^log(?:Fault|Outage)$/;

/** Types, imports and lines of the log have no effect that a test could see. */
function isLeftAlone(node: ts.Node): boolean {
  return (
    ts.isTypeNode(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isTaggedTemplateExpression(node) ||
    (ts.isCallExpression(node) && IS_LOG.test(node.expression.getText())) ||
    // A name or a marker rather than a value.
    (ts.isAsExpression(node) && node.type.getText() === 'const' && ts.isStringLiteral(node.expression))
  );
}

/** Whether a switch may stand in its place: not on the left of an assignment, not as a name. */
function isValue(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent) || ts.isEnumMember(parent))
    return parent.name !== (node as ts.Node);
  if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken)
    return parent.left !== node;
  if (
    ts.isLiteralTypeNode(parent) ||
    ts.isExternalModuleReference(parent) ||
    ts.isExpressionStatement(parent)
  )
    return false;
  return !ts.isPostfixUnaryExpression(parent) && !ts.isDeleteExpression(parent);
}

const COMPARISONS: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '&&': ['||'],
  '||': ['&&'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '+': ['-'],
};

const METHODS: Readonly<Record<string, string>> = {
  every: 'some',
  some: 'every',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
};

function otherMethod(node: ts.PropertyAccessExpression): string | undefined {
  if (!ts.isCallExpression(node.parent) || node.parent.expression !== node) return undefined;
  return Object.hasOwn(METHODS, node.name.text) ? METHODS[node.name.text] : undefined;
}

function changesOf(node: ts.Expression, plain: (node: ts.Node) => string, tree: ts.SourceFile): Change[] {
  const changes: Change[] = [];
  const add = (operator: string, ...texts: readonly string[]): void =>
    texts.forEach((mutated) => void changes.push({ operator, mutated }));
  if (ts.isBinaryExpression(node)) addBinary(node, plain, tree, add);
  if (isCondition(node)) add('condition', ...(isLoop(node) ? ['false'] : ['true', 'false']));
  if (
    ts.isPrefixUnaryExpression(node) &&
    node.operator === ts.SyntaxKind.ExclamationToken &&
    !isCondition(node)
  )
    add('negation', plain(node.operand));
  if (node.kind === ts.SyntaxKind.TrueKeyword) add('constant', 'false');
  if (node.kind === ts.SyntaxKind.FalseKeyword) add('constant', 'true');
  if (ts.isNumericLiteral(node)) add('constant', `${plain(node)} + 1`);
  if (ts.isStringLiteral(node) && isMeant(node)) add('constant', "''");
  if (ts.isRegularExpressionLiteral(node)) add('pattern', ...withoutAnchors(plain(node)));
  if (ts.isTemplateLiteral(node) || ts.isStringLiteral(node))
    add('statement', ...withoutConditions(plain(node)));
  if (isReturned(node)) add('return', 'undefined');
  return changes;
}

function addBinary(
  node: ts.BinaryExpression,
  plain: (node: ts.Node) => string,
  tree: ts.SourceFile,
  add: (operator: string, ...texts: readonly string[]) => void,
): void {
  const operator = node.operatorToken.getText(tree);
  const { left, right } = node;
  if (operator === '??') return add('fallback', plain(left));
  if (!Object.hasOwn(COMPARISONS, operator)) return;
  // A plus between texts is no arithmetic.
  if (operator === '+' && [left, right].some(isText)) return;
  const others = COMPARISONS[operator] as readonly string[];
  add(
    operator.length > 1 || '<>'.includes(operator) ? 'comparison' : 'arithmetic',
    ...others.map((other) => `(${plain(left)}) ${other} (${plain(right)})`),
  );
}

const isText = (node: ts.Expression): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && (isText(node.left) || isText(node.right))) ||
  (ts.isCallExpression(node) &&
    /\.(?:slice|join|toString|padStart|toLowerCase)$/.test(node.expression.getText()));

const isCondition = (node: ts.Expression): boolean => {
  const { parent } = node;
  if (ts.isIfStatement(parent)) return parent.expression === node;
  if (ts.isConditionalExpression(parent)) return parent.condition === node;
  return isLoop(node);
};

const isLoop = ({ parent, ...node }: ts.Expression): boolean =>
  (ts.isWhileStatement(parent) && parent.expression.pos === node.pos) ||
  (ts.isForStatement(parent) && parent.condition?.pos === node.pos);

/** A word that something is compared with, looked up by or chosen from; sentences and types of content are not. */
function isMeant(node: ts.StringLiteral): boolean {
  const { parent } = node;
  if (node.text === '' || /\s/.test(node.text) || node.text.length > 40) return false;
  return (
    ts.isBinaryExpression(parent) ||
    ts.isCaseClause(parent) ||
    ts.isArrayLiteralExpression(parent) ||
    (ts.isCallExpression(parent) && parent.arguments[0] !== undefined)
  );
}

/** What `if (x) return y` gives, and what an arrow function of one expression gives; nothing is already nothing. */
function isReturned(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isIdentifier(node) && node.text === 'undefined') return false;
  // Of a condition or a word both ends are tried anyway.
  if (ts.isConditionalExpression(node)) return false;
  return (
    ts.isReturnStatement(parent) ||
    (ts.isArrowFunction(parent) && parent.body === node && !ts.isVoidExpression(node))
  );
}

function forgotten(node: ts.ExpressionStatement, plain: (node: ts.Node) => string): Change | undefined {
  let called: ts.Expression = node.expression;
  while (ts.isAwaitExpression(called) || ts.isVoidExpression(called) || ts.isParenthesizedExpression(called))
    called = called.expression;
  if (!ts.isCallExpression(called)) return undefined;
  const name = plain(called.expression);
  return name === 'super' || IS_LOG.test(name) ? undefined : { operator: 'call', mutated: '' };
}

function withoutAnchors(pattern: string): string[] {
  const end = pattern.lastIndexOf('/');
  const [text, flags] = [pattern.slice(1, end), pattern.slice(end + 1)];
  const without: string[] = [];
  if (text.startsWith('^')) without.push(`/${text.slice(1)}/${flags}`);
  if (/[^\\]\$$/.test(text)) without.push(`/${text.slice(0, -1)}/${flags}`);
  if (flags.includes('i')) without.push(`/${text}/${flags.replace('i', '')}`);
  return without.filter((one) => !one.startsWith('//'));
}

const IS_SQL = /\b(?:select|update|insert into|delete from)\b[^]*\b(?:where|on conflict)\b/;
const SQL_CONDITION =
  / (where|and) \(?(?!true)[\w.]+(?: (?:is (?:not )?null|(?:=|<>|<|>|<=|>=) (?:any\()?(?:'[^']*'|\$\d+|[\w.]+)(?:::\w+(?:\[\])?)?\)?))(?=\s|\)|`|'|$)/g;

/** Statements of SQL without one of their conditions. */
function withoutConditions(text: string): string[] {
  if (!IS_SQL.test(text)) return [];
  return (
    [...text.matchAll(SQL_CONDITION)]
      // A bracket that opens within the condition would stay open.
      .filter(([found]) => found.split('(').length === found.split(')').length)
      .map(
        ({ 0: found, 1: word, index }) =>
          `${text.slice(0, index)} ${word} true${text.slice(index + found.length)}`,
      )
  );
}

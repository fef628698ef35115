/**
 * The vocabulary of schema.org as data: which type has which properties, and what may stand in them. Read from the
 * declarations of `schema-dts` (Google, Apache-2.0), which are generated from schema.org's own definitions.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

interface Vocabulary {
  /** Properties that an interface adds: its ranges by name. */
  readonly properties: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
  readonly parents: ReadonlyMap<string, readonly string[]>;
  /** Members of `type X = …`: names, and strings as `"…"`. */
  readonly unions: ReadonlyMap<string, readonly string[]>;
}

type Node = Readonly<Record<string, unknown>>;

const vocabulary = readVocabulary();

/** What is wrong with a JSON-LD document, by path; nothing where it is valid. */
export function faultsOf(document: Node): string[] {
  const graph = document['@graph'] as Node[];
  const byId = new Map(graph.map((node) => [node['@id'], node]));
  const faults = document['@context'] === 'https://schema.org' ? [] : ['@context'];
  graph.forEach((node, index) => checkNode(node, `${String(node['@type'])}[${index}]`));
  return faults;

  function checkNode(node: Node, path: string): void {
    const type = node['@type'] as string;
    const known = propertiesOf(`${type}Leaf`);
    if (known.size === 0) faults.push(`${path}: unknown type`);
    for (const [name, value] of Object.entries(node)) {
      if (name.startsWith('@')) continue;
      const input = name.endsWith('-input') && known.has(name.slice(0, -'-input'.length));
      const range = input ? ['PropertyValueSpecification', 'Text'] : known.get(name);
      if (!range) faults.push(`${path}.${name}: no property of ${type}`);
      else [value].flat().forEach((one) => checkValue(one, range, `${path}.${name}`));
    }
  }

  function checkValue(value: unknown, range: readonly string[], path: string): void {
    if (typeof value !== 'object' || value === null) {
      if (!range.some((name) => takesLiteral(name, value)))
        faults.push(`${path}: ${String(value)} is no ${range.join()}`);
      return;
    }
    const named = value as Node;
    const isReference = !('@type' in named);
    const node = isReference ? byId.get(named['@id']) : named;
    if (!node) faults.push(`${path}: ${String(named['@id'])} is not in the graph`);
    else if (!range.some((name) => isA(node['@type'] as string, name))) {
      faults.push(`${path}: ${String(node['@type'])} is no ${range.join()}`);
    } else if (!isReference) checkNode(node, path);
  }
}

const isA = (type: string, name: string): boolean => type === name || membersOf(name).has(`${type}Leaf`);

const ISO_DATE = /^\d{4}-\d\d-\d\d$/;
const ISO_DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)$/;

function takesLiteral(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return name === 'Boolean';
  if (typeof value === 'number')
    return ['Number', 'Integer', 'Float'].includes(name) && Number.isFinite(value);
  if (typeof value !== 'string' || value === '') return false;
  if (name === 'Date') return ISO_DATE.test(value) && !Number.isNaN(Date.parse(value));
  if (name === 'DateTime') return ISO_DATE_TIME.test(value) && !Number.isNaN(Date.parse(value));
  if (name === 'URL') return URL.canParse(value);
  return name === 'Text' || membersOf(name).has(JSON.stringify(value));
}

function propertiesOf(name: string): Map<string, readonly string[]> {
  const own = vocabulary.properties.get(name) ?? [];
  return new Map([
    ...(vocabulary.parents.get(name) ?? []).flatMap((parent) => [...propertiesOf(parent)]),
    ...own,
  ]);
}

function membersOf(name: string, found = new Set<string>()): Set<string> {
  for (const member of vocabulary.unions.get(name) ?? []) {
    if (found.has(member)) continue;
    found.add(member);
    membersOf(member, found);
  }
  return found;
}

function readVocabulary(): Vocabulary {
  const path = join(dirname(require.resolve('schema-dts/package.json')), 'dist/schema.d.ts');
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  const properties = new Map<string, Map<string, string[]>>();
  const parents = new Map<string, string[]>();
  const unions = new Map<string, string[]>();
  for (const statement of source.statements) {
    if (ts.isTypeAliasDeclaration(statement)) {
      unions.set(statement.name.text, namesIn(statement.type, source));
    } else if (ts.isInterfaceDeclaration(statement)) {
      const name = statement.name.text;
      parents.set(
        name,
        (statement.heritageClauses ?? []).flatMap(({ types }) =>
          types.map((type) => type.expression.getText(source)),
        ),
      );
      properties.set(
        name,
        new Map(
          statement.members.filter(ts.isPropertySignature).flatMap((member) => rangeOf(member, source)),
        ),
      );
    }
  }
  return { properties, parents, unions };
}

/** Of `"name"?: SchemaValue<A | B | IdReference, "name">`. */
function rangeOf(member: ts.PropertySignature, source: ts.SourceFile): [string, string[]][] {
  const { type, name } = member;
  if (!ts.isStringLiteral(name) || !type || !ts.isTypeReferenceNode(type) || !type.typeArguments?.[0])
    return [];
  return [[name.text, namesIn(type.typeArguments[0], source)]];
}

function namesIn(type: ts.TypeNode, source: ts.SourceFile): string[] {
  if (ts.isUnionTypeNode(type)) return type.types.flatMap((member) => namesIn(member, source));
  if (ts.isTypeReferenceNode(type)) return [type.typeName.getText(source)];
  return [type.getText(source)];
}

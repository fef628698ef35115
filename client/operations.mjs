/**
 * The names of operations, from paths and methods: `GET /core/v2/posts` is `posts.list`, `PATCH /core/v2/posts/{id}` is
 * `posts.update`. What belongs to core/v2 stands at the top, everything else below the name of its service, so that a new
 * resource never changes the name of another one.
 */

const CORE = 'content';

/** `places` are what has names: the services, and what stands beside them. */
export function operationsOf(document, places) {
  const tree = {};
  for (const [path, operations] of Object.entries(document.paths)) {
    const service = places.find(({ namespace }) => path.startsWith(`/${namespace}/`));
    // Of the indexes nothing is to be named.
    if (!service) continue;
    const steps = path.slice(service.namespace.length + 2).split('/');
    const names = steps.filter((step) => !isVariable(step)).map(camel);
    const place = [...(service.name === CORE ? [] : [service.name]), ...names];
    const isItem = isVariable(steps.at(-1));
    const hasItems = Object.keys(document.paths).some(
      (other) => /^\/\{[^/]+$/.test(other.slice(path.length)) && other.startsWith(path),
    );
    for (const [method, operation] of Object.entries(operations)) {
      const isList = !isItem && (hasItems || cursorOf(operation) !== undefined);
      const name = nameOf({ method, operation, isItem, isList });
      put(tree, place, name, { method, path, operation, document });
    }
  }
  return `export const operations = ${written(tree, 0)} as const;\n`;
}

const isVariable = (step) => step.startsWith('{');
const camel = (name) => name.replace(/[-_]+(\w)/g, (_, letter) => letter.toUpperCase());

function nameOf({ method, operation, isItem, isList }) {
  if (method === 'get') return isList ? 'list' : 'get';
  if (method === 'patch' || method === 'put') return 'update';
  if (method === 'delete') return isList ? 'deleteAll' : 'delete';
  if (fileOf(operation)) return 'upload';
  return isItem || isList ? 'create' : 'send';
}

function put(tree, place, name, row) {
  const group = place.reduce((node, step) => {
    if (Array.isArray(node[step]?.row)) throw new Error(`${place.join('.')} is an operation and a group`);
    return (node[step] ??= {});
  }, tree);
  if (group[name]) throw new Error(`two operations are called ${[...place, name].join('.')}`);
  group[name] = { row: rowOf(row), summary: row.operation.summary };
}

function rowOf({ method, path, operation, document }) {
  const file = fileOf(operation);
  if (file) return [method, path, { file }];
  const cursor = cursorOf(operation);
  if (cursor !== undefined) return [method, path, { cursor, key: listKey(operation, document) }];
  const size = sizeOf(operation);
  if (size === undefined) return [method, path];
  const key = listKey(operation, document);
  const id = idOf(path, document);
  return [method, path, { size, ...(key === undefined ? {} : { key }), ...(id === 'id' ? {} : { id }) }];
}

/** What tells the items of a list apart: the variable by which one of them is read. */
function idOf(path, { paths }) {
  const below = Object.keys(paths).filter((other) => other.startsWith(path));
  const [id] = below.flatMap((other) => /^\/\{(\w+)\}$/.exec(other.slice(path.length))?.[1] ?? []);
  if (!id) throw new Error(`${path} lists what cannot be read by itself`);
  return id;
}

/** The part of a form that is a file. */
function fileOf({ requestBody }) {
  const { schema } = requestBody?.content['multipart/form-data'] ?? {};
  return Object.entries(schema?.properties ?? {}).find(([, { format }]) => format === 'binary')?.[0];
}

const inQuery = ({ parameters }, name) => parameters.find((one) => one.name === name && one.in === 'query');

/** The most that a page holds; undefined where there are no pages, or none that are counted. */
function sizeOf(operation) {
  const isCounted = operation.responses[200]?.headers?.['X-Total'] !== undefined;
  return isCounted ? (inQuery(operation, 'per_page').schema.maximum ?? 50) : undefined;
}

const CURSOR = 'older_than';

/** What asks for the next page where a page names it in its `next`. */
const cursorOf = (operation) => (inQuery(operation, CURSOR) ? CURSOR : undefined);

/** Where the items are, in answers that are no lists themselves. */
function listKey({ responses }, { components }) {
  const { schema } = responses[200].content['application/json'];
  const body = schema.$ref ? components.schemas[schema.$ref.split('/').at(-1)] : schema;
  if (body.type === 'array') return undefined;
  const lists = Object.entries(body.properties).filter(([, { type }]) => type === 'array');
  if (lists.length !== 1) throw new Error('a list with pages has no items, or two kinds of them');
  return lists[0][0];
}

function written(tree, depth) {
  const pad = '  '.repeat(depth + 1);
  const lines = Object.entries(tree).flatMap(([name, node]) =>
    node.row
      ? [`${pad}/** ${node.summary} */`, `${pad}${name}: ${JSON.stringify(node.row)},`]
      : [`${pad}${name}: ${written(node, depth + 1)},`],
  );
  return `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`;
}

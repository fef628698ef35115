/**
 * What is packed: compiled code with what it reads while it runs, and the description of its packages; no sources, no tests, nothing that
 * only building needs. Each workspace is looked at in the same way, so a new service is packed without a line here.
 */
import { Buffer } from 'node:buffer';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../build/sources.mjs';

/** Holds tests alone. */
const TESTS = 'test';
/** One machine as a whole: servers that come from the registry, and the command line. */
const LOCAL = 'deploy/local';
/** What the command line asks a site with. */
const CLIENT = 'client';
const LEFT_OUT = [
  /^(src|node_modules)\//,
  /(^|\/)\./,
  /^tsconfig\..*/,
  /\.mjs$/,
  /^dist\/.*\.d\.ts$/,
  /^dist\/.*\.test\.js(\.map)?$/,
  /^dist\/(.*\/)?(testing|test-support)(\/.*|\.js(\.map)?)$/,
];

const json = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const text = (value) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

/** What is for developing alone. */
const without = (described) =>
  Object.fromEntries(Object.entries(described).filter(([name]) => name !== 'devDependencies'));

const foldersOf = (pattern) =>
  pattern.endsWith('/*')
    ? readdirSync(path.join(root, pattern.slice(0, -2)), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => `${pattern.slice(0, -1)}${entry.name}`)
    : [pattern];

/**
 * By path, sorted: the same sources make the same pack. Without the local stack it is what an image holds: the gateway and the
 * services, whose servers are elsewhere.
 */
export function packedFiles({ withLocal = true } = {}) {
  const { name, version, description, license, engines, workspaces, allowScripts, overrides } =
    json('package.json');
  const notPacked = withLocal ? [TESTS] : [TESTS, LOCAL, CLIENT];
  const packed = workspaces.filter((one) => !notPacked.includes(one));
  const described = {
    name,
    version,
    private: true,
    description,
    license,
    engines,
    workspaces: packed,
    scripts: withLocal
      ? { start: 'exec node --enable-source-maps deploy/local/dist/main.js', cli: 'node deploy/cli.mjs' }
      : {},
    allowScripts,
    // Those of packages that are packed; the others name what is for developing.
    overrides: Object.fromEntries(Object.entries(overrides).filter(([, to]) => typeof to === 'string')),
  };
  const folders = packed.flatMap(foldersOf);
  const single = ['LICENSE', '.npmrc', ...(withLocal ? ['deploy/cli.mjs'] : [])];
  const files = new Map(single.map((file) => [file, readFileSync(path.join(root, file))]));
  files.set('package.json', text(described));
  files.set('package-lock.json', text(lockFor(json('package-lock.json'), described, folders, notPacked)));
  if (withLocal) files.set('README.md', Buffer.from(readme(version)));
  for (const folder of folders) for (const [file, bytes] of filesOf(folder)) files.set(file, bytes);
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function filesOf(folder) {
  const names = readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(path.join(root, folder), path.join(entry.parentPath, entry.name)))
    .filter((name) => name !== 'package.json' && !LEFT_OUT.some((pattern) => pattern.test(name)));
  return [
    [`${folder}/package.json`, text(without(json(`${folder}/package.json`)))],
    ...names.map((name) => [`${folder}/${name}`, readFileSync(path.join(root, folder, name))]),
  ];
}

/** Of the lock what the packed packages need; npm refuses one that does not fit their descriptions. */
function lockFor(lock, described, folders, notPacked) {
  const { name, version, license, workspaces, engines } = described;
  const kept = Object.entries(lock.packages).flatMap(([where, entry]) => {
    if (where === '') return [['', { name, version, license, workspaces, engines }]];
    if (folders.includes(where)) return [[where, without(entry)]];
    const isOther = notPacked.some(
      (one) => where === one || where.startsWith(`${one}/`) || entry.resolved === one,
    );
    return entry.dev || isOther ? [] : [[where, entry]];
  });
  return { ...lock, name, version, packages: Object.fromEntries(kept) };
}

const readme = (version) => `# Sevenfold ${version}

Compiled; needs Node and what npm brings.

\`\`\`sh
npm ci --omit=dev && npm start     # starts everything, prints how to log in, ends with: ready http://127.0.0.1:8080
npm run cli -- --help              # what an operator does from a shell
\`\`\`

The front page of the started site has a tour. [deploy/local/README.md](deploy/local/README.md): settings, data, backup.
`;

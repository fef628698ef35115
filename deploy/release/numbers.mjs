/**
 * The one number of a release, and each place that says it. Some say it by reading it: the chart's image tag is its appVersion,
 * documents of OpenAPI and the packed artefact ask their package, and the Compose file is made anew (`npm run chart`).
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { inRoot } from '../build/sources.mjs';

/** As semver.org has it, without what is added after a plus: tags of images have none. */
export const isVersion = (text) =>
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/.test(text);

const OWN = /^@sevenfold\//;
const CHART = 'deploy/helm/sevenfold/Chart.yaml';
const COMPOSE = 'deploy/compose.yaml';

const read = (file) => readFileSync(inRoot(file), 'utf8');
const folders = (pattern) =>
  pattern.endsWith('/*')
    ? readdirSync(inRoot(pattern.slice(0, -2)), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${pattern.slice(0, -1)}${name}`)
    : [pattern];
const workspaces = () => JSON.parse(read('package.json')).workspaces.flatMap(folders);

/** A package's own number, and those of its neighbours that it asks for, through `tell(where, number)` which answers the new one. */
function ofPackage(described, tell) {
  if (described.version) described.version = tell('version', described.version);
  for (const kind of ['dependencies', 'devDependencies'])
    for (const name of Object.keys(described[kind] ?? {}))
      if (OWN.test(name)) described[kind][name] = tell(`${kind} ${name}`, described[kind][name]);
}

function ofLock(lock, own, tell) {
  lock.version = tell('version', lock.version);
  for (const where of ['', ...own])
    ofPackage(lock.packages[where], (what, number) => tell(`${where || 'root'} ${what}`, number));
}

const json = (change) => (text, tell) => {
  const value = JSON.parse(text);
  change(value, tell);
  return `${JSON.stringify(value, null, 2)}\n`;
};
const pattern =
  (...patterns) =>
  (text, tell) =>
    patterns.reduce(
      (whole, [what, one]) =>
        whole.replace(one, (_, before, number, after) => `${before}${tell(what, number)}${after}`),
      text,
    );

function places() {
  const own = workspaces();
  return [
    ...['package.json', ...own.map((folder) => `${folder}/package.json`)].map((file) => [
      file,
      json(ofPackage),
    ]),
    ['package-lock.json', json((lock, tell) => ofLock(lock, own, tell))],
    [CHART, pattern(['version', /^(version: )(.*)($)/m], ['appVersion', /^(appVersion: )(.*)($)/m])],
    [COMPOSE, pattern(['image', /(image: '\$\{SEVENFOLD_IMAGE:-sevenfold:)([^}]*)(\}')/])],
  ];
}

/** Every number that is said, as `{ file, what, number }`. */
export function numbers() {
  const said = [];
  for (const [file, visit] of places())
    visit(read(file), (what, number) => {
      said.push({ file, what, number });
      return number;
    });
  return said;
}

/** Makes all of them this one. Answers the files that changed. */
export function setNumbers(wanted) {
  return places().flatMap(([file, visit]) => {
    const before = read(file);
    const after = visit(before, () => wanted);
    if (after === before) return [];
    writeFileSync(inRoot(file), after);
    return [file];
  });
}

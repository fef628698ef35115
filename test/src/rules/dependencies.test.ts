/**
 * Rules over what is installed, read from the lock file: every package of a running process takes every Node that is
 * supported, comes in a version whose published advisories are mended, and is pinned by whoever asks for it.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { satisfies } from 'semver';

interface Package {
  readonly version?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly os?: readonly string[];
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Record<string, string>;
}

const root = path.resolve(__dirname, '../../..');
const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Package>;
};

/** The oldest of each line that is supported; see `engines` of the root. */
const NODES = ['20.19.0', '22.15.0', '24.0.0'];

/**
 * Packages that parse what strangers or other processes send, with the first version after the last advisory known on
 * 2026-11-21 (DECISIONS). An advisory that is published later raises its row.
 */
const MENDED: Record<string, string> = {
  '@grpc/grpc-js': '1.14.4',
  'body-parser': '2.3.0',
  busboy: '1.0.0',
  express: '5.2.0',
  'follow-redirects': '1.16.0',
  'http-proxy': '1.18.1',
  'http-proxy-middleware': '3.0.7',
  micromatch: '4.0.8',
  msgpackr: '1.10.1',
  'path-to-regexp': '8.4.0',
  picomatch: '2.3.2',
  protobufjs: '7.6.5',
  qs: '6.16.0',
  send: '1.0.0',
  sharp: '0.35.4',
  undici: '7.29.0',
};

const nameOf = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 13);

/** What `npm ci --omit=dev` installs on Linux, by place in the tree. */
const running = Object.entries(packages).filter(
  ([place, { dev, link, os }]) =>
    place.includes('node_modules/') && !dev && !link && (os?.includes('linux') ?? true),
);

test('every package of a running process takes every supported Node', () => {
  const narrow = running
    .filter(([, { engines }]) => !NODES.every((node) => satisfies(node, engines?.node ?? '*')))
    .map(([place, { version, engines }]) => `${place} ${version} wants ${engines?.node}`);
  expect(narrow).toEqual([]);
});

test('the root says which Node is supported', () => {
  const range = packages['']?.engines?.node as string;
  expect(NODES.filter((node) => !satisfies(node, range))).toEqual([]);
  expect(['20.18.3', '21.7.3', '22.14.0', '23.11.0'].filter((node) => satisfies(node, range))).toEqual([]);
});

test('no copy of a package is older than its last mended advisory', () => {
  const names = new Set(running.map(([place]) => nameOf(place)));
  expect(Object.keys(MENDED).filter((name) => !names.has(name))).toEqual([]);
  const old = running
    .filter(([place, { version }]) => {
      const floor = MENDED[nameOf(place)];
      return floor !== undefined && !satisfies(version as string, `>=${floor}`);
    })
    .map(([place, { version }]) => `${place} ${version}`);
  expect(old).toEqual([]);
});

test('workspaces pin what they ask for, all the same version', () => {
  const asked = new Map<string, Set<string>>();
  for (const [place, { dependencies }] of Object.entries(packages)) {
    if (place.includes('node_modules/')) continue;
    for (const [name, range] of Object.entries(dependencies ?? {}))
      asked.set(name, (asked.get(name) ?? new Set()).add(range));
  }
  const loose = [...asked].filter(
    ([, ranges]) => ranges.size !== 1 || [...ranges].some((range) => !/^\d+\.\d+\.\d+/.test(range)),
  );
  expect(loose.map(([name, ranges]) => `${name}: ${[...ranges].join(', ')}`)).toEqual([]);
});

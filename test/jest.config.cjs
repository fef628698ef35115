// TypeScript is only stripped here (tsc checks the types); workspaces resolve to their sources, so no build is needed.
const path = require('node:path');

const root = path.resolve(__dirname, '..');
const needsNoServers = { globalSetup: undefined, globalTeardown: undefined };

// Folders of test/src with a command of their own (`npm run test:…`), which names them in TEST_APART.
const apart = {
  // Each alert, with a fault made for it.
  alerts: {},
  // Of the chart alone: needs helm.
  chart: needsNoServers,
  // On a control plane that test/cluster.mjs has started. Controllers, scheduler and nodes are at work beside it.
  cluster: { ...needsNoServers, maxWorkers: 1, testTimeout: 600_000 },
  // Of a site as the chart starts it, from what is installed: needs helm, Linux and root.
  pods: { maxWorkers: 1 },
  // A server that is put back to a moment.
  restore: {},
};
const only = process.env.TEST_APART;
const place = (folder) => `/test/src/${folder}/`;

module.exports = {
  rootDir: root,
  testMatch: [only ? `<rootDir>${place(only)}**/*.test.ts` : '**/src/**/*.test.ts'],
  modulePathIgnorePatterns: ['/dist/'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', ...(only ? [] : Object.keys(apart).map(place))],
  transform: {
    '^.+\\.[tj]s$': [
      '@swc/jest',
      {
        jsc: { target: 'es2022', parser: { syntax: 'typescript' }, keepClassNames: true },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  // Written for `import` alone: Node takes that from `require`, Jest does not.
  transformIgnorePatterns: ['/node_modules/(?!jose/)'],
  moduleNameMapper: {
    '^@sevenfold/client$': '<rootDir>/client/src/index.ts',
    '^@sevenfold/local/(.*)$': '<rootDir>/deploy/local/src/$1',
    '^@sevenfold/(gateway|proto|test)/(.*)$': '<rootDir>/$1/src/$2',
    '^@sevenfold/(\\w+)/(.*)$': '<rootDir>/services/$1/src/$2',
  },
  globalSetup: path.join(__dirname, 'src/global-setup.ts'),
  globalTeardown: path.join(__dirname, 'src/global-teardown.ts'),
  // A limit for what never ends, not for what is slow: it must hold on a machine that does ten other things.
  testTimeout: 300_000,
  // The longest files wait more than they work: of two workers one core was idle for a third of the time.
  maxWorkers: 4,
  // What modules of files that are done leave behind is collected in seconds during which nothing in a worker answers.
  workerIdleMemoryLimit: '1GB',
  ...apart[only],
};

// TypeScript is only stripped here (tsc checks the types); workspaces resolve to their sources, so no build is needed.
const path = require('node:path');

const root = path.resolve(__dirname, '..');
module.exports = {
  rootDir: root,
  testMatch: ['**/src/**/*.test.ts'],
  modulePathIgnorePatterns: ['/dist/'],
  // By commands of their own: of the chart, of what it starts, and of a server that is put back to a moment.
  testPathIgnorePatterns: [
    '/node_modules/',
    '/dist/',
    '/test/src/chart/',
    '/test/src/cluster/',
    '/test/src/pods/',
    '/test/src/restore/',
  ],
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
  transformIgnorePatterns: ['/node_modules/'],
  moduleNameMapper: {
    '^@sevenfold/local/(.*)$': '<rootDir>/deploy/local/src/$1',
    '^@sevenfold/(gateway|proto|test)/(.*)$': '<rootDir>/$1/src/$2',
    '^@sevenfold/(\\w+)/(.*)$': '<rootDir>/services/$1/src/$2',
  },
  globalSetup: path.join(__dirname, 'src/global-setup.ts'),
  globalTeardown: path.join(__dirname, 'src/global-teardown.ts'),
  // A limit for what never ends, not for what is slow: it must hold on a machine that does ten other things.
  testTimeout: 300_000,
  maxWorkers: 2,
};

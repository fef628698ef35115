// On a control plane that test/cluster.mjs has started: needs neither PostgreSQL nor Redis.
const usual = require('./jest.config.cjs');

module.exports = {
  ...usual,
  globalSetup: undefined,
  globalTeardown: undefined,
  testMatch: ['<rootDir>/test/src/cluster/**/*.test.ts'],
  testPathIgnorePatterns: usual.testPathIgnorePatterns.filter((one) => !one.includes('cluster')),
  // Controllers, scheduler and nodes are at work beside it.
  maxWorkers: 1,
  testTimeout: 600_000,
};

// Of the chart alone: needs helm, and neither PostgreSQL nor Redis.
const usual = require('./jest.config.cjs');

module.exports = {
  ...usual,
  globalSetup: undefined,
  globalTeardown: undefined,
  testMatch: ['<rootDir>/test/src/chart/**/*.test.ts'],
  testPathIgnorePatterns: usual.testPathIgnorePatterns.filter((one) => !one.includes('chart')),
};

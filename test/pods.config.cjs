// Of a site as the chart starts it, from what is installed: needs helm, Linux and root.
const usual = require('./jest.config.cjs');

module.exports = {
  ...usual,
  testMatch: ['<rootDir>/test/src/pods/**/*.test.ts'],
  testPathIgnorePatterns: usual.testPathIgnorePatterns.filter((one) => !one.includes('pods')),
  maxWorkers: 1,
};

// Who may import whom; read by `npm run lint`. Types count too: what only the compiler needs is read together all the same.
const { services, gateway } = require('../services/catalog/dist/catalog.js');

const TESTS = '(\\.test\\.ts$|/testing/|/testing\\.ts$|/test-support\\.ts$)';
const named = services.map(({ name }) => name).join('|');
/** A workspace's own code: sources when imported by a relative path, what is compiled from them otherwise. */
const own = (folder) => `^${folder}/(src|dist)/`;
const ANY_SERVICE = own(`services/(?:${named})`);

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    forbid('no-circles', 'What two files share belongs into a third.', {}, { circular: true }),
    forbid(
      'common-knows-no-resource',
      'common/ holds what resources share; what knows one of them lies in its folder.',
      { path: '^services/([^/]+)/src/common/', pathNot: TESTS },
      { path: '^services/$1/src/[^/]+/', pathNot: '^services/$1/src/(common|testing)/' },
    ),
    forbid(
      'deps-are-types',
      'What handlers work with is named by types: everything imports deps.ts, so it runs nothing.',
      { path: '^services/[^/]+/src/deps\\.ts$' },
      { dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'an-engine-knows-no-kind',
      'Venues and organizers stand on what they share (linked/), which is handed one of them.',
      { path: '^services/calendar/src/linked/', pathNot: TESTS },
      { path: '^services/calendar/src/(venues|organizers)/' },
    ),
    forbid(
      'services-stand-alone',
      'A service asks another over gRPC. Tests may run a neighbour to have something real to talk to.',
      { path: `^services/(${named})/src/`, pathNot: TESTS },
      { path: ANY_SERVICE, pathNot: own('services/$1') },
    ),
    forbid(
      'services-know-no-surroundings',
      'What starts a service or stands in front of it is not its business.',
      { path: '^services/', pathNot: TESTS },
      { path: `^(${gateway.folder}|deploy|test)/` },
    ),
    forbid(
      'gateway-stands-alone',
      'The gateway learns of services over gRPC and from the catalog.',
      { path: `^${gateway.folder}/`, pathNot: TESTS },
      { path: `${ANY_SERVICE}|^(deploy|test)/` },
    ),
    forbid(
      'ground-knows-no-service',
      'What services stand on (in services/, without a row in the catalog) must do for each of them.',
      { path: '^services/', pathNot: `${ANY_SERVICE}|${TESTS}` },
      { path: ANY_SERVICE },
    ),
    forbid(
      'chassis-knows-no-domain',
      'The chassis carries every service, so it knows none.',
      { path: '^services/chassis/' },
      {
        path: '^(services|proto|gateway|test)/',
        pathNot: `/node_modules/|${own('services/(chassis|text)')}|^proto/(src|dist)/gen/sevenfold/chassis/`,
      },
    ),
    forbid(
      'publishing-knows-no-service',
      'What published things have in common needs the chassis and functions on text, nothing else.',
      { path: '^services/publishing/' },
      {
        path: '^(services|proto|gateway|deploy|test)/',
        pathNot: `/node_modules/|${own('services/(publishing|chassis|text)')}`,
      },
    ),
    forbid(
      'text-stands-alone',
      'Functions on text need nothing but packages.',
      { path: '^services/text/' },
      { path: '^(services|proto|gateway|deploy|test)/', pathNot: own('services/text') },
    ),
    forbid(
      'catalog-stands-alone',
      'Everybody reads the catalog.',
      { path: '^services/catalog/' },
      { pathNot: own('services/catalog') },
    ),
    forbid(
      'client-stands-alone',
      'The client runs where nothing else of the site is.',
      { path: '^client/' },
      { path: '^(services|proto|gateway|deploy|test)/' },
    ),
    forbid(
      'tests-are-not-shipped',
      'What runs needs nothing that was written for tests.',
      { pathNot: `${TESTS}|^test/` },
      { path: TESTS },
    ),
    forbid(
      'no-way-around-a-workspace',
      'Another workspace is imported by its name.',
      { path: '^((?:services|deploy)/[^/]+|gateway|client|proto|test)/' },
      { path: '^(services|deploy|gateway|client|proto|test)/', pathNot: '^$1/', dependencyTypes: ['local'] },
    ),
    forbid(
      'what-is-imported-exists',
      'A typing error, or a package that is not installed.',
      {},
      { couldNotResolve: true },
    ),
  ],
  options: {
    doNotFollow: { path: '(^|/)(node_modules|dist|gen)/' },
    exclude: { path: '(^|/)samples/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'default', 'types'],
    },
  },
};

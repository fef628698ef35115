/** What is tried: the files whose faults cost most, and the tests that must see them. Quick tests come first. */
export interface Target {
  readonly area: 'rights' | 'signatures' | 'exactly once' | 'outgoing requests' | 'dates' | 'sanitising';
  readonly file: string;
  readonly tests: readonly string[];
}

const content = (area: Target['area'], file: string, ...tests: readonly string[]): Target => ({
  area,
  file: `services/content/src/${file}.ts`,
  tests: tests.map((test) => `services/content/src/${test}.test.ts`),
});
const text = (area: Target['area'], file: string, ...tests: readonly string[]): Target => ({
  area,
  file: `services/text/src/${file}.ts`,
  tests: tests.map((test) => `services/text/src/${test}.test.ts`),
});

export const targets: readonly Target[] = [
  {
    area: 'rights',
    file: 'services/publishing/src/rights.ts',
    tests: ['services/publishing/src/rights.test.ts'],
  },
  content('rights', 'posts/policy', 'posts/rights', 'posts/policy'),
  content('rights', 'comments/policy', 'comments/policy'),
  content('rights', 'terms/policy', 'terms/rights', 'terms/policy'),
  content('rights', 'users/policy', 'users/rights', 'users/policy'),
  content('rights', 'media/policy', 'media/policy'),
  content('rights', 'registries/policy', 'registries/policy'),
  content('rights', 'revisions/policy', 'revisions/policy'),
  {
    area: 'rights',
    file: 'services/calendar/src/common/policy.ts',
    tests: ['services/calendar/src/common/policy.test.ts'],
  },
  ...['statement', 'actor', 'grpc/caller'].map((name): Target => ({
    area: 'signatures',
    file: `services/chassis/src/${name}.ts`,
    tests: ['services/chassis/src/actor.test.ts'],
  })),
  {
    area: 'exactly once',
    file: 'services/chassis/src/queue/jobs.ts',
    tests: [
      'services/chassis/src/queue/once.test.ts',
      'services/chassis/src/queue/jobs.test.ts',
      'services/chassis/src/queue/outbox.test.ts',
    ],
  },
  {
    area: 'exactly once',
    file: 'services/chassis/src/queue/events.ts',
    tests: ['services/chassis/src/queue/once.test.ts', 'services/chassis/src/queue/events.test.ts'],
  },
  {
    area: 'exactly once',
    file: 'services/imports/src/batches/apply.ts',
    tests: ['services/imports/src/batches/once.test.ts', 'services/imports/src/batches/apply.test.ts'],
  },
  {
    area: 'exactly once',
    file: 'services/imports/src/callbacks/accept-batch.ts',
    tests: ['services/imports/src/callbacks/batch.test.ts'],
  },
  {
    area: 'exactly once',
    file: 'services/imports/src/callbacks/digest.ts',
    tests: ['services/imports/src/callbacks/batch.test.ts'],
  },
  content('outgoing requests', 'media/fetch-public', 'media/fetch-public'),
  text('dates', 'dates', 'dates'),
  text('dates', 'zones', 'zones', 'dates', 'free-date'),
  text('dates', 'free-date', 'free-date'),
  text('sanitising', 'markup', 'markup', 'html'),
  text('sanitising', 'html', 'html'),
];

/** What is tried: the files whose faults cost most, and the tests that must see them. Quick tests come first. */
export interface Target {
  readonly area:
    'rights' | 'signatures' | 'sessions' | 'exactly once' | 'outgoing requests' | 'dates' | 'sanitising';
  readonly file: string;
  readonly tests: readonly string[];
}

const inService =
  (service: string) =>
  (area: Target['area'], file: string, ...tests: readonly string[]): Target => ({
    area,
    file: `services/${service}/src/${file}.ts`,
    tests: tests.map((test) => `services/${service}/src/${test}.test.ts`),
  });
const [chassis, content, imports, text] = [
  inService('chassis'),
  inService('content'),
  inService('imports'),
  inService('text'),
];

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
  chassis('signatures', 'statement', 'actor'),
  chassis('signatures', 'actor', 'actor', 'capability'),
  chassis('signatures', 'grpc/caller', 'actor', 'grpc/grpc'),
  chassis('signatures', 'http/client-address', 'http/client-address'),
  {
    area: 'signatures',
    file: 'gateway/src/identity/tokens.ts',
    tests: ['gateway/src/identity/tokens.test.ts'],
  },
  content('sessions', 'sessions/refresh-token', 'sessions/sessions'),
  content('sessions', 'sessions/sessions', 'sessions/sessions'),
  content('sessions', 'sessions/store', 'sessions/sessions'),
  chassis(
    'exactly once',
    'queue/workers',
    'queue/once',
    'queue/workers',
    'queue/outbox',
    'db/shares',
    'queue/forgotten',
  ),
  chassis('exactly once', 'queue/events', 'queue/once', 'queue/events', 'queue/forgotten'),
  chassis('exactly once', 'queue/take-in', 'queue/once', 'queue/events', 'queue/deadly-events'),
  chassis('exactly once', 'queue/event-tries', 'queue/deadly-events'),
  chassis('exactly once', 'queue/left-behind', 'queue/events'),
  chassis('exactly once', 'queue/forgotten', 'queue/recall', 'queue/recalls', 'queue/forgotten'),
  imports('exactly once', 'batches/apply', 'batches/once', 'batches/apply'),
  imports('exactly once', 'callbacks/accept-batch', 'callbacks/batch'),
  imports('exactly once', 'callbacks/digest', 'callbacks/digest'),
  content('exactly once', 'webhooks/deliveries', 'webhooks/claims'),
  content('exactly once', 'webhooks/rounds', 'webhooks/claims'),
  content('exactly once', 'webhooks/deliver', 'webhooks/deliver'),
  content('outgoing requests', 'webhooks/send', 'webhooks/send'),
  content('outgoing requests', 'media/fetch-public', 'media/fetch-public'),
  {
    area: 'outgoing requests',
    file: 'services/chassis/src/outgoing.ts',
    tests: ['services/content/src/media/fetch-public.test.ts', 'services/chassis/src/outgoing.test.ts'],
  },
  text('dates', 'dates', 'dates'),
  text('dates', 'zones', 'zones', 'dates', 'free-date'),
  text('dates', 'free-date', 'free-date'),
  text('dates', 'free-date-notations', 'free-date'),
  text('sanitising', 'markup', 'markup', 'html'),
  text('sanitising', 'html', 'html'),
  text('sanitising', 'html-rules', 'html'),
];

/**
 * Faults that were once put into the code and that no test saw. Each must be seen; a row whose text is gone from its
 * file is to be written anew for what took its place, which `named.test.ts` asks for.
 */
export interface NamedFault {
  readonly name: string;
  readonly file: string;
  /** Stands once in the file. */
  readonly find: string;
  readonly replace: string;
  readonly tests: readonly string[];
}

const WORKERS = 'services/chassis/src/queue/workers.ts';

export const namedFaults: readonly NamedFault[] = [
  {
    name: 'the signature of an actor is accepted after its time',
    file: 'services/chassis/src/statement.ts',
    find: 'return claims && (claims.until as number) > now ? claims : undefined;',
    replace: 'return claims;',
    tests: ['services/chassis/src/actor.test.ts'],
  },
  {
    name: 'a second delivery of a job does it again',
    file: WORKERS,
    find: `if (!claimed) return 'repeated';`,
    replace: '',
    tests: ['services/chassis/src/queue/once.test.ts'],
  },
  {
    name: 'a second delivery of a job is not stopped at the door',
    file: WORKERS,
    find: `and name = $3 and done_at is null and failed_at is null`,
    replace: `and name = $3`,
    tests: ['services/chassis/src/queue/once.test.ts'],
  },
  {
    name: 'two deliveries of a try that fail count as two tries',
    file: WORKERS,
    find: `and failed_at is null and attempts = $6`,
    replace: `and failed_at is null and $6::int >= 0`,
    tests: ['services/chassis/src/queue/workers.test.ts'],
  },
  {
    name: 'an event under the number of an earlier one is taken for a repeated one',
    file: 'services/chassis/src/queue/take-in.ts',
    find: `where known.happened_at < excluded.happened_at`,
    replace: `where false`,
    tests: ['services/chassis/src/queue/once.test.ts'],
  },
  {
    name: 'a second delivery of a domain event is taken in again',
    file: 'services/chassis/src/queue/take-in.ts',
    find: `if (!(await noteDown(tx, one))) return 'repeated';`,
    replace: '',
    tests: ['services/chassis/src/queue/once.test.ts'],
  },
  {
    name: 'a batch is noted twice',
    file: 'services/imports/src/batches/apply.ts',
    find: 'row && number > row.applied',
    replace: 'row',
    tests: ['services/imports/src/batches/once.test.ts'],
  },
  {
    name: 'a private address is asked, redirected to or not',
    file: 'services/chassis/src/outgoing.ts',
    find: 'if (judge) requirePublicLiteral(url, judge);',
    replace: '',
    tests: ['services/content/src/media/fetch-public.test.ts'],
  },
  {
    name: 'a name with a public and a private address is asked',
    file: 'services/chassis/src/outgoing.ts',
    find: '!addresses.every((entry) => isPublic(entry.address))',
    replace: '!addresses.some((entry) => isPublic(entry.address))',
    tests: ['services/content/src/media/fetch-public.test.ts'],
  },
  {
    name: 'a post is shown by its remembered id without its condition',
    file: 'services/chassis/src/db/list.ts',
    find: 'and (${where}) is true order by',
    replace: 'and (${where}) is not null order by',
    tests: ['services/content/src/posts/remembered.test.ts'],
  },
  {
    name: 'an event is shown by its remembered id without its condition',
    file: 'services/chassis/src/db/list.ts',
    find: 'and (${where}) is true order by',
    replace: 'and (${where}) is not null order by',
    tests: ['services/calendar/src/events/remembered.test.ts'],
  },
  {
    name: "an event's text is remembered without its version",
    file: 'services/calendar/src/events/ready.ts',
    find: '`${event.id} ${event.version} ${single} ${who}`',
    replace: '`${event.id} ${single} ${who}`',
    tests: ['services/calendar/src/events/remembered.test.ts'],
  },
  {
    name: "a post's text is remembered without its version",
    file: 'services/chassis/src/http/ready.ts',
    find: 'if (entry?.version === one.version)',
    replace: 'if (entry !== undefined)',
    tests: ['services/content/src/posts/remembered.test.ts'],
  },
];

/**
 * Faults that nobody could see from outside, each with its reason: they count neither as killed nor as alive. Most are
 * bounds of memory and short cuts, which change what a thing costs and never what it says.
 */
import type { Mutant } from './operators';

export interface Equivalent {
  /** End of the path. */
  readonly file: string;
  /** Part of the line on which it stands. */
  readonly line: string;
  /** Of the line, only this change; all changes when absent. */
  readonly original?: string;
  readonly mutated?: string;
  readonly reason: string;
}

const SOON = 'how soon or how many at once, never what';
const BOUND = 'a bound of memory: what is forgotten is made anew';

export const equivalents: readonly Equivalent[] = [
  { file: 'text/src/dates.ts', line: 'abbreviations.size >= 2000', reason: BOUND },
  { file: 'text/src/dates.ts', line: 'abbreviations.set(key, found)', reason: 'only remembers' },
  {
    file: 'text/src/dates.ts',
    line: 'if (found === undefined)',
    mutated: 'true',
    reason: 'finds anew what was remembered',
  },
  {
    file: 'text/src/dates.ts',
    line: '/^[A-Z]{2,5}$/',
    reason: 'Intl writes an abbreviation or `GMT+…`, nothing else',
  },
  { file: 'text/src/zones.ts', line: 'MAX_', reason: BOUND },
  { file: 'text/src/zones.ts', line: 'zones.set(key, zone)', reason: 'only remembers' },
  { file: 'text/src/zones.ts', line: 'if (known) return known', mutated: 'false', reason: 'only remembers' },
  { file: 'text/src/zones.ts', line: 'dayTexts.set(day, text)', reason: 'only remembers' },
  { file: 'text/src/zones.ts', line: 'if (text === undefined)', mutated: 'true', reason: 'only remembers' },
  { file: 'text/src/zones.ts', line: 'days.set(key, day)', reason: 'only remembers' },
  { file: 'text/src/zones.ts', line: 'if (!day) {', mutated: 'true', reason: 'only remembers' },
  {
    file: 'text/src/zones.ts',
    line: 'if (offset === later)',
    mutated: 'false',
    reason: 'a short cut: the search for a change finds none on such a day',
  },
  {
    file: 'text/src/zones.ts',
    line: 'const EARLIEST_RULE',
    reason: 'any day before the first rule of any zone does as well',
  },
  {
    file: 'text/src/free-date.ts',
    line: 'return false',
    original: 'false',
    mutated: 'undefined',
    reason: 'whoever asks looks for a yes only',
  },
  {
    file: 'text/src/free-date-notations.ts',
    line: 'return false',
    original: 'false',
    mutated: 'undefined',
    reason: 'whoever asks looks for a yes only',
  },
  {
    file: 'text/src/free-date-notations.ts',
    line: '/^\\d/.test(word)',
    original: '/^\\d/',
    reason: 'the notation lets through digits or letters, never both',
  },
  {
    file: 'text/src/free-date.ts',
    line: 'if (first === undefined) return undefined;',
    mutated: 'false',
    reason: 'no such month has a day: NaN is in none either',
  },
  {
    file: 'text/src/free-date-notations.ts',
    line: '/^weeks?$/.test(unit!)',
    original: '/^weeks?$/',
    reason: 'the only other unit with a week in it is refused',
  },
  { file: 'chassis/src/http/client-address.ts', line: 'const MOST_REMEMBERED', reason: BOUND },
  {
    file: 'text/src/html.ts',
    line: "return '';",
    original: "''",
    mutated: 'undefined',
    reason: 'a list of parts is joined, and nothing is written for either',
  },
  {
    file: 'chassis/src/outgoing.ts',
    line: 'maxResponseSize: limitBytes + 1',
    original: '1',
    reason: 'the first of two bounds: the spool counts every byte',
  },
  {
    file: 'chassis/src/outgoing.ts',
    line: 'url.hostname.replace',
    reason: 'a host has brackets at its ends or nowhere',
  },
  {
    file: 'chassis/src/outgoing.ts',
    line: "callback(error, '', 0)",
    original: '0',
    reason: 'who gets an error looks at no address',
  },
  {
    file: 'chassis/src/outgoing.ts',
    line: "callback(new NotPublic(), '', 0)",
    original: '0',
    reason: 'who gets an error looks at no address',
  },
  {
    file: 'chassis/src/grpc/caller.ts',
    line: 'actor.capabilities.size > 0',
    mutated: '(actor.capabilities.size) >= (0)',
    reason: 'a stranger who is named is a stranger all the same',
  },
  {
    file: 'chassis/src/statement.ts',
    line: 'if (dot < 1)',
    reason: 'a short cut: without a payload no signature is right',
  },
  {
    file: 'chassis/src/statement.ts',
    line: "typeof value === 'object' && value !== null",
    reason: 'nobody who has the key signs anything but an object',
  },
  { file: 'chassis/src/statement.ts', line: 'if (!keys)', mutated: 'true', reason: 'only remembers' },
  { file: 'chassis/src/statement.ts', line: 'known.set(name, keys)', reason: 'only remembers' },
  {
    file: 'gateway/src/identity/tokens.ts',
    line: 'if (!key) throw',
    mutated: 'false',
    reason: 'with no key the library throws as well, and whatever it throws is invalid',
  },
  {
    file: 'gateway/src/identity/tokens.ts',
    line: 'if (!first) throw',
    mutated: 'false',
    reason: 'without a secret the next line throws as well',
  },
  {
    file: 'content/src/sessions/refresh-token.ts',
    line: 'const TOKEN = ',
    mutated: '/sfr_[\\w-]{64}$/',
    reason: 'what stands before it moves every byte: no family is found',
  },
  {
    file: 'content/src/sessions/sessions.ts',
    line: 'if (isUnnoted) await note',
    mutated: 'true',
    reason: 'spares a statement, which looks at the time itself',
  },
  ...['(nonce && sealed) || (sealer.secretId !== undefined)', 'true'].map((mutated) => ({
    file: 'content/src/sessions/sessions.ts',
    line: 'return nonce && sealed && sealer.secretId !== undefined',
    mutated,
    reason:
      'a row has a token before the last one together with what that opens, and a token always makes a key',
  })),
  ...[
    ['sessions/store.ts', 'passwordHash ?? null'],
    ['sessions/store.ts', 'session.applicationPassword ?? null'],
    ['webhooks/deliveries.ts', 'occasion.at ?? null'],
    ['webhooks/rounds.ts', 'seconds ?? null'],
  ].map(([file, line]) => ({
    file: `content/src/${file}`,
    line: line as string,
    reason: 'the driver sends null for what is not there',
  })),
  ...['true', '(rows.length) >= (0)'].map((mutated) => ({
    file: 'content/src/webhooks/rounds.ts',
    line: 'if (rows.length > 0)',
    mutated,
    reason: 'spares a statement that would find none',
  })),
  {
    file: 'content/src/webhooks/deliveries.ts',
    line: '?.count ?? 0;',
    original: '0',
    reason: 'a count has a row, whatever it counts',
  },
  { file: 'content/src/webhooks/send.ts', line: 'const LIMIT_BYTES = 64', reason: BOUND },
  ...[
    'const MOST_WEBHOOKS',
    'const SLICE_MS',
    'const LOOK_MS',
    'const LONGEST_LOOK_MS',
    'const CALM_SECONDS',
    'const PUT_OFF_SECONDS',
    'const SLACK_MS',
    'Math.min(look * 2, LONGEST_LOOK_MS)',
    'const hasRoom =',
    'sleep(look, undefined, { ref: false })',
    'if (onTheirWay.size === 0) break',
    'while (!signal.aborted && Date.now() < until)',
  ].map((line) => ({ file: 'content/src/webhooks/deliver.ts', line, reason: SOON })),
  ...['3_600 + 1', '4 + 1'].map((mutated) => ({
    file: 'content/src/webhooks/deliver.ts',
    line: 'const LONGEST_WAIT_SECONDS',
    mutated,
    reason: 'less than the jitter',
  })),
  ...['true', 'false', '0 + 1', '(tried) >= (0)', '(tried) <= (0)'].map((mutated) => ({
    file: 'content/src/webhooks/deliver.ts',
    line: 'tried > 0 ? 0 : CALM_SECONDS',
    mutated,
    reason: SOON,
  })),
  ...[
    ['let tried = 0', '0 + 1'],
    ['return tried;', 'undefined'],
  ].map(([line, mutated]) => ({
    file: 'content/src/webhooks/deliver.ts',
    line: line as string,
    mutated,
    reason: SOON,
  })),
  {
    file: 'content/src/webhooks/deliver.ts',
    line: 'if (!(await rounds.isOpen(deps.db, payload)))',
    mutated: 'false',
    reason: 'a round that is no longer the open one claims what that would, and orders no other',
  },
  ...[
    ['(config.WEBHOOK_TIMEOUT_MS + READ_MS + SLACK_MS) / 1000', '1000 + 1', 'a thousandth of it'],
    ['outcome.ms / 1000', '1000 + 1', 'a thousandth of it'],
    ['if (Date.now() > latest)', '(Date.now()) >= (latest)', 'a millisecond of seconds'],
    [
      'base * (0.75 + Math.random() * 0.5)',
      '(base) / ((0.75 + Math.random() * 0.5))',
      'jitter about as wide',
    ],
  ].map(([line, mutated, reason]) => ({
    file: 'content/src/webhooks/deliver.ts',
    line: line as string,
    mutated,
    reason: reason as string,
  })),
  {
    file: 'content/src/webhooks/deliver.ts',
    line: 'timestamp: Math.floor(Date.now() / 1000)',
    mutated: 'ceil',
    reason: 'a second of the time for which receivers take it',
  },
  ...['0 + 1', 'undefined'].map((mutated) => ({
    file: 'content/src/webhooks/deliver.ts',
    line: "deliveries.putOff(deps.db, claimed, '', 0)",
    mutated,
    reason: 'a claim that is not given back ends by itself',
  })),
  ...['0 + 1', 'undefined'].map((mutated) => ({
    file: 'content/src/webhooks/deliver.ts',
    line: "deliveries.putOff(db, claimed, '', 0)",
    mutated,
    reason: 'a claim that is not given back ends by itself',
  })),
  ...[
    'const BLOCK_MS',
    'const NOT_CONNECTED_MS',
    'const CLAIM_AFTER_MS',
    'const LEAVE_WITHIN_MS',
    'nextClaim = performance.now() +',
    'const blockMs =',
    'pause = Math.min(',
    'if (pause > 0)',
  ].map((line) => ({ file: 'chassis/src/queue/events.ts', line, reason: SOON })),
  { file: 'chassis/src/queue/events.ts', line: 'const FORGET_AFTER_MS', reason: BOUND },
  ...[
    ['return false;', 'undefined'],
    ['return true;', 'undefined'],
    ['return true;', 'false'],
    ['let inARow = 0;', '0 + 1'],
    ["=== 'away' ? inARow + 1 : 0", '0 + 1'],
    ['if (leftBehind.has(stream)) return;', 'false'],
    ['if (stopped) return outcome;', 'undefined'],
  ].map(([line, mutated]) => ({
    file: 'chassis/src/queue/events.ts',
    line: line as string,
    mutated,
    reason: SOON,
  })),
  ...[
    'const AWAY_IN_A_ROW',
    'const FIRST_PAUSE_MS',
    'const LONGEST_PAUSE_MS',
    'let nextAt = 0',
    'if (places.size === 0) wait(FIRST_PAUSE_MS)',
    'pause: () =>',
    'wait(Math.min(pauseMs * 2, LONGEST_PAUSE_MS))',
  ].map((line) => ({
    file: 'chassis/src/queue/left-behind.ts',
    line,
    reason: SOON,
  })),
  ...["'event'", "one.message.traceparent ?? ''"].map((original) => ({
    file: 'chassis/src/queue/events.ts',
    line: "messageSpan('consumer', 'event', one.row.topic, '')",
    original,
    reason: 'whatever is no job is an event, and what names no trace begins one',
  })),
  ...['2', '8'].map((original) => ({
    file: 'chassis/src/queue/events.ts',
    line: 'Math.random().toString(36).slice(2, 8)',
    original,
    reason: 'a name of another length is a name',
  })),
  {
    file: 'chassis/src/queue/events.ts',
    line: 'if (prepared.has(stream))',
    mutated: 'false',
    reason: 'only remembers',
  },
  { file: 'chassis/src/queue/events.ts', line: 'prepared.add(stream)', reason: 'only remembers' },
  ...['false', "''"].map((mutated) => ({
    file: 'chassis/src/queue/events.ts',
    line: "error.message.includes('BUSYGROUP')",
    mutated,
    reason: 'reading from a group that could not be made fails, too, and makes it anew',
  })),
  {
    file: 'chassis/src/queue/events.ts',
    line: 'if (!row || messages.length === 0) return true;',
    reason: 'only streams of the table are read, and taking in none is nothing',
  },
  { file: 'chassis/src/queue/events.ts', line: 'clearTimeout(timer)', reason: 'it closes what is closed' },
  {
    file: 'chassis/src/queue/events.ts',
    line: 'if (reachable)',
    mutated: 'true',
    reason: 'tries in vain for a second',
  },
  {
    file: 'chassis/src/queue/event-tries.ts',
    line: 'if (events.length === 0) return',
    mutated: 'false',
    reason: 'asks for nothing what it knows to be nothing',
  },
  {
    file: 'chassis/src/queue/event-tries.ts',
    line: 'row?.tries ?? 1',
    reason: 'what is written always answers with its row',
  },
  ...['const GROUP', 'const SLICE_MS', 'const DEADLINE_MS'].map((line) => ({
    file: 'imports/src/batches/apply.ts',
    line,
    reason: SOON,
  })),
  {
    file: 'imports/src/callbacks/accept-batch.ts',
    line: 'row.accepted > 0 ?',
    mutated: 'true',
    reason: 'spares a question: no batch has the number 0',
  },
  {
    file: 'imports/src/callbacks/digest.ts',
    line: "parts.join(',')",
    mutated: "''",
    reason: 'each part begins with a name in quotes: two of them are two also without a comma',
  },
  ...[
    'const LEFT_TO_OTHERS',
    'const TAKE_OVER_MS',
    'lockDuration:',
    'stalledInterval:',
    'maxStalledCount:',
  ].map((line) => ({
    file: 'chassis/src/queue/workers.ts',
    line,
    reason: SOON,
  })),
  { file: 'chassis/src/queue/workers.ts', line: 'options.concurrency ?? 4', original: '4', reason: SOON },
  ...['max', '1'].map((original) => ({
    file: 'chassis/src/queue/workers.ts',
    line: 'const turn = openTurn(Math.max(1,',
    original,
    reason: SOON,
  })),
  { file: 'chassis/src/queue/workers.ts', line: '({ atOnce = 0 })', original: '0', reason: SOON },
  ...['const level = requestId()', 'if (later) call.log', 'else if (last) call.log'].map((line) => ({
    file: 'chassis/src/queue/workers.ts',
    line,
    reason: 'only which line is logged, and how loudly',
  })),
  ...['100', '2', '2_000'].map((original) => ({
    file: 'chassis/src/queue/workers.ts',
    line: 'for (let pause = 100',
    original,
    reason: SOON,
  })),
  ...['removeOnComplete:', 'removeOnFail:'].map((line) => ({
    file: 'chassis/src/queue/workers.ts',
    line,
    reason: BOUND,
  })),
  {
    file: 'chassis/src/queue/workers.ts',
    line: 'if (!row) throw',
    mutated: 'false',
    reason: 'without a row the next step throws as well',
  },
  ...["worker.on('error'", 'logOutage(options.log'].map((line) => ({
    file: 'chassis/src/queue/workers.ts',
    line,
    reason: 'only the log: BullMQ writes to the console what nobody hears',
  })),
  {
    file: 'chassis/src/queue/workers.ts',
    line: "patient.on('error', () => undefined)",
    reason: 'BullMQ hears the faults of its connection as soon as it has it',
  },
  ...['const LATEST', 'const ATTEMPT_SECONDS'].map((line) => ({
    file: 'queue/forgotten.ts',
    line,
    reason: 'a bound with room to spare: one more is no other',
  })),
  {
    file: 'queue/forgotten.ts',
    line: "redis.set(attempt, '1'",
    original: "'1'",
    reason: 'only whether it is there is looked at',
  },
  {
    file: 'queue/forgotten.ts',
    line: '(latest ?? [])',
    mutated: 'latest',
    reason: 'for the types: of no stream the library answers an empty list',
  },
  {
    file: 'queue/forgotten.ts',
    line: 'there[0] ?? 0',
    mutated: 'there[0]',
    reason: 'no event has the number 0, nor none',
  },
  ...['(done) <= (0)', 'undefined', '0 + 1'].map((mutated) => ({
    file: 'queue/forgotten.ts',
    line: 'return done > 0;',
    mutated,
    reason: 'what is marked is not freed: the relay looks once more',
  })),
  {
    file: 'queue/forgotten.ts',
    line: 'select distinct channel from outbox',
    reason:
      'putting back looks at the kind and the end of each row itself: more channels cost a question each',
  },
];

export function isEquivalent(file: string, source: string, { line, original, mutated }: Mutant): boolean {
  const text = source.split('\n')[line - 1] ?? '';
  return equivalents.some(
    (row) =>
      file.endsWith(row.file) &&
      text.includes(row.line) &&
      (row.original ?? original) === original &&
      (row.mutated ?? mutated) === mutated,
  );
}

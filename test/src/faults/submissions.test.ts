/**
 * Kept once, mailed at least once: people submit a form while the worker, the service, Redis, PostgreSQL and the mail server
 * are killed under them. After all of it each submission is there once, each of its mails was taken at least once under one
 * Message-ID of its own, and no mail is there that nobody asked for. Short by default; FAULTS=long sends 2,000.
 */
import { openDatabase } from '@sevenfold/chassis/db/pool';
import type { Database } from '@sevenfold/chassis/db/sql';
import { createLog } from '@sevenfold/chassis/log';
import { freePort } from '@sevenfold/chassis/ports';
import { type FakeSmtp, startSmtp } from '@sevenfold/forms/testing/smtp';
import { type TestStack, startTestStack } from '../support/stack';

const long = process.env.FAULTS === 'long';
const SUBMISSIONS = long ? 2_000 : 40;
const AT_ONCE = 6;
/** Each fault so often. */
const ROUNDS = long ? 5 : 1;

let stack: TestStack;
let forms: Database;
let smtp: FakeSmtp;
let thaw: () => void;
let form: number;

beforeAll(async () => {
  smtp = startSmtp(await freePort());
  await smtp.start();
  stack = await startTestStack(
    {
      LOG_LEVEL: 'error',
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      SMTP_TIMEOUT: '5',
      MAIL_RETRY_SECONDS: '1',
      // What a killed worker had in hand is not what the test is to wait for.
      TAKE_OVER_SECONDS: '2',
    },
    true,
  );
  // So many from one address would be spam to it; while it is away, all are accepted.
  thaw = stack.freeze('spamfilter');
  forms = openDatabase({
    url: stack.run().databases.forms as string,
    size: 2,
    application: 'faults',
    log: createLog('faults', 'test', 'silent'),
  });
  form = await makeForm();
});

afterAll(async () => {
  await forms?.close();
  thaw?.();
  await stack?.stop();
  await smtp?.stop();
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The test's own questions meet the same faults. */
async function insist<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === 600) throw error;
      await pause(200);
    }
  }
}

const FORMS = '/rest/contact-form/v1/contact-forms';

async function makeForm(): Promise<number> {
  const mail = {
    active: true,
    subject: 'A submission',
    sender: 'forms@site.test',
    recipient: 'office@site.test',
    body: 'marker=[marker];',
    additional_headers: '',
  };
  const response = await fetch(stack.url + FORMS, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: stack.administrator },
    body: JSON.stringify({
      form: '[text* marker]',
      mail,
      mail_2: { ...mail, recipient: 'sender@site.test' },
    }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: number }).id;
}

/** As somebody who does not give up: the same again, under the same key, until it is accepted. */
const submit = (marker: string): Promise<void> =>
  insist(async () => {
    const response = await fetch(`${stack.url}${FORMS}/${form}/feedback`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': marker },
      body: JSON.stringify({ marker }),
      signal: AbortSignal.timeout(20_000),
    });
    const { status } = (await response.json()) as { status?: string };
    if (status !== 'mail_sent') throw new Error(`answered with ${response.status} ${status ?? ''}`);
  });

const kill = (name: string): Promise<void> =>
  insist(async () => {
    const pid = stack.run().processes[name];
    if (pid === undefined) throw new Error(`${name} does not run`);
    process.kill(pid, 'SIGKILL');
  });

async function dropMail(): Promise<void> {
  smtp.treat = () => ({ kind: 'drop' });
  await pause(300);
  await smtp.stop();
  await pause(1_000);
  smtp.treat = () => ({ kind: 'take' });
  await smtp.start();
}

const faults = [
  () => kill('forms-worker'),
  dropMail,
  () => kill('redis'),
  () => kill('forms'),
  () => kill('postgres'),
  () => kill('forms-worker'),
];

test(
  'every submission is accepted in the end',
  async () => {
    const markers = Array.from({ length: SUBMISSIONS }, (_, n) => `m${n}x`);
    const strikes = Array.from({ length: ROUNDS }, () => faults).flat();
    const every = Math.floor(SUBMISSIONS / (strikes.length + 1));
    const struck: Promise<void>[] = [];
    let accepted = 0;
    const person = async (): Promise<void> => {
      for (let marker = markers.shift(); marker; marker = markers.shift()) {
        await submit(marker);
        accepted += 1;
        const strike = accepted % every === 0 ? strikes.shift() : undefined;
        if (strike) struck.push(strike());
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, person));
    await Promise.all(struck);
    expect([accepted, strikes.length]).toEqual([SUBMISSIONS, 0]);
  },
  long ? 1_800_000 : 240_000,
);

test(
  'each is kept once, each mail was taken at least once under one Message-ID, and none is invented',
  async () => {
    const open = (): Promise<{ n: number } | undefined> =>
      forms.first<{ n: number }>(
        `select count(*)::int as n from submissions
         where form_id = $1 and (mail <> 'sent' or mail_2 <> 'sent')`,
        [form],
      );
    while ((await insist(open))?.n !== 0) await pause(250);
    const rows = await insist(() =>
      forms.rows<{ id: number; marker: string }>(
        `select id, values->>'marker' as marker from submissions where form_id = $1`,
        [form],
      ),
    );
    const wanted = Array.from({ length: SUBMISSIONS }, (_, n) => `m${n}x`).sort();
    expect(rows.map(({ marker }) => marker).sort()).toEqual(wanted);

    const ids = new Map<string, Set<string>>();
    for (const { to, raw, messageId } of smtp.taken) {
      const key = `${/marker=(\w+);/.exec(raw)?.[1] ?? 'none'} to ${to.join()}`;
      ids.set(key, (ids.get(key) ?? new Set()).add(messageId));
    }
    const mails = wanted.flatMap((marker) => [
      `${marker} to office@site.test`,
      `${marker} to sender@site.test`,
    ]);
    expect([...ids.keys()].sort()).toEqual(mails.sort());
    expect([...ids].filter(([, all]) => all.size !== 1)).toEqual([]);
    expect(new Set([...ids.values()].flatMap((all) => [...all])).size).toBe(2 * SUBMISSIONS);
    if (long) console.log(`${smtp.taken.length} mails were taken for ${2 * SUBMISSIONS} that were promised`);
  },
  long ? 1_800_000 : 240_000,
);

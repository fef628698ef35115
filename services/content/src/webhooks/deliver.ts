/**
 * A round: delivers what is due of one webhook, so many at a time, and makes way for the next round after a while. A receiver
 * that stalls holds its own round alone. A process that dies leaves claims behind that end by themselves; what they were for is
 * sent again, under the same id.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { toApiError } from '@sevenfold/chassis/errors';
import { type Job, type JobCall, job } from '@sevenfold/chassis/queue/jobs';
import type { Log } from '@sevenfold/chassis/log';
import type { Deps } from '../deps';
import * as deliveries from './deliveries';
import { errors } from './errors';
import { attemptSeconds, deliveriesTotal } from './metrics';
import { bodyOf } from './payload';
import * as rounds from './rounds';
import { signatures } from './secrets';
import type { Outcome } from './send';
import { READ_MS } from './sources';
import * as store from './store';

type Call = Omit<JobCall<Deps, rounds.Round>, 'tx'>;

/** As many webhooks as there may be: their rounds wait for others most of the time. */
export const MOST_WEBHOOKS = 100;
const SLICE_MS = 10_000;
/** While something stalls: looked again for what came meanwhile, less and less often where nothing did. */
const LOOK_MS = 100;
const LONGEST_LOOK_MS = 1_600;
/** Between two rounds of which the first found nothing to do although something is due. */
const CALM_SECONDS = 1;
/** Something of ours is away. */
const PUT_OFF_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 4 * 3_600;

export const deliver: Job<Deps> = job<Deps, rounds.Round, number>({
  queue: rounds.QUEUE,
  name: rounds.DELIVER,
  atOnce: MOST_WEBHOOKS,
  prepare: run,
  handle: async ({ tx, payload }, tried) => {
    if (!(await rounds.lockOpen(tx, payload))) return;
    const due = await deliveries.nextDue(tx, payload.webhook);
    await rounds.next(tx, payload.webhook, due && Math.max(due, tried > 0 ? 0 : CALM_SECONDS));
  },
});

/** Answers how many it tried. */
async function run(call: Call): Promise<number> {
  const { deps, payload, signal } = call;
  const until = Date.now() + SLICE_MS;
  const onTheirWay = new Set<Promise<void>>();
  let tried = 0;
  let look = LOOK_MS;
  if (!(await rounds.isOpen(deps.db, payload))) return tried;
  while (!signal.aborted && Date.now() < until) {
    const claimed = await deliveries.claim(deps.db, payload.webhook, {
      atOnce: deps.config.WEBHOOK_AT_ONCE,
      seconds: claimSeconds(deps),
    });
    for (const one of claimed) {
      const work = attempt(call, one).finally(() => onTheirWay.delete(work));
      onTheirWay.add(work);
    }
    tried += claimed.length;
    look = claimed.length > 0 ? LOOK_MS : Math.min(look * 2, LONGEST_LOOK_MS);
    if (onTheirWay.size === 0) break;
    // What comes meanwhile does not wait for what stalls, as long as there is room for it.
    const hasRoom = onTheirWay.size < deps.config.WEBHOOK_AT_ONCE;
    await Promise.race([...onTheirWay, ...(hasRoom ? [sleep(look, undefined, { ref: false })] : [])]);
  }
  await Promise.all(onTheirWay);
  return tried;
}

/** Longer than everything that a try does. */
const claimSeconds = ({ config }: Pick<Deps, 'config'>): number =>
  (config.WEBHOOK_TIMEOUT_MS + READ_MS + SLACK_MS) / 1000;
const SLACK_MS = 5_000;

/** Never rejects: a claim that cannot be settled ends by itself. */
async function attempt({ deps, log, signal }: Call, claimed: deliveries.Claimed): Promise<void> {
  // A process that was frozen may go on when its claim has ended, and the webhook is deleted.
  const latest = Date.now() + READ_MS + SLACK_MS / 2;
  try {
    const webhook = await store.findForSending(deps.db, claimed.webhook);
    if (webhook?.state !== 'active') return void (await deliveries.putOff(deps.db, claimed, '', 0));
    const body = await bodyOf(deps, webhook, claimed);
    const secrets = await secretsOf(deps, webhook.id);
    if (Date.now() > latest) return void (await deliveries.putOff(deps.db, claimed, '', 0));
    const outcome = await send(deps, webhook.url, { claimed, body, secrets, signal });
    await settle(deps, log, { claimed, asked: webhook }, outcome);
  } catch (error) {
    const reason = toApiError(error).message;
    log.info({ delivery: claimed.id, reason }, 'a delivery was put off');
    deliveriesTotal.inc({ outcome: 'put_off' });
    await deliveries.putOff(deps.db, claimed, reason, PUT_OFF_SECONDS).catch(() => undefined);
  }
}

async function secretsOf({ db, webhookSealer }: Deps, webhook: number): Promise<string[]> {
  const sealed = await store.secretsOf(db, webhook);
  const secrets = sealed.flatMap((row) => webhookSealer.open(row) ?? []);
  if (secrets.length === 0) throw errors.secretLost();
  return secrets;
}

interface Sent {
  readonly claimed: deliveries.Claimed;
  readonly body: string;
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
}

function send(
  { webhookSender }: Deps,
  url: string,
  { claimed, body, secrets, signal }: Sent,
): Promise<Outcome> {
  const message = { id: claimed.messageId, timestamp: Math.floor(Date.now() / 1000), body };
  return webhookSender.send(url, signatures(message, secrets), body, signal);
}

interface Tried {
  readonly claimed: deliveries.Claimed;
  /** The webhook may be another one by now. */
  readonly asked: store.Asked;
}

async function settle(deps: Deps, log: Log, tried: Tried, outcome: Outcome): Promise<void> {
  const { db, config } = deps;
  const { claimed, asked } = tried;
  if (outcome.isCut) return void (await deliveries.putOff(db, claimed, '', 0));
  attemptSeconds.observe(outcome.ms / 1000);
  if (outcome.isArrived) {
    deliveriesTotal.inc({ outcome: 'delivered' });
    return deliveries.arrived(db, claimed, outcome);
  }
  const seconds = Math.max(waitSeconds(config.WEBHOOK_RETRY_SECONDS, claimed.attempts), outcome.retrySeconds);
  const after = await deliveries.failed(db, claimed, {
    ...outcome,
    asked,
    seconds,
    quietSeconds: BUSY_STATUSES.includes(outcome.status) ? outcome.retrySeconds : 0,
    hours: config.WEBHOOK_GIVE_UP_HOURS,
  });
  deliveriesTotal.inc({ outcome: after?.state === 'given_up' ? 'given_up' : 'failed' });
  if (outcome.status === GONE_STATUS) await disable(deps, log, tried, 'gone');
  else if (after?.isTooLong) await disable(deps, log, tried, 'failing');
}

/** With `Retry-After` these say when the receiver wants anything again, whatever it is; other ones speak of what they refuse. */
const BUSY_STATUSES: readonly number[] = [429, 503];
/** The receiver wants no more, ever. */
const GONE_STATUS = 410;

async function disable(
  { db }: Deps,
  log: Log,
  { claimed: { webhook }, asked }: Tried,
  reason: store.DisabledReason,
): Promise<void> {
  if (await db.transaction((tx) => store.disable(tx, webhook, reason, asked)))
    log.warn({ webhook, reason }, 'a webhook was disabled: its receiver does not take what is sent');
}

/** Four times as long after each failure, with a quarter of jitter so that failures of one cause do not return together. */
function waitSeconds(first: number, failures: number): number {
  const base = Math.min(first * 4 ** failures, LONGEST_WAIT_SECONDS);
  return base * (0.75 + Math.random() * 0.5);
}

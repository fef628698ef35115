/** Registering webhooks and changing them. Who may is judged by the callers; the rules of addresses and topics are here. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isIP } from 'node:net';
import { randomUUID } from 'node:crypto';
import type { Db } from '@sevenfold/chassis/db/sql';
import { type ParamFault, invalidParams } from '@sevenfold/chassis/errors';
import { isPublicAddress } from '@sevenfold/chassis/outgoing';
import { stripControl } from '@sevenfold/text/text';
import type { Deps } from '../deps';
import { errors } from './errors';
import { MOST_WEBHOOKS } from './deliver';
import * as deliveries from './deliveries';
import { put } from './record';
import { wake } from './rounds';
import { makeSecret } from './secrets';
import * as store from './store';
import { PING, isTopic, topics as known } from './topics';

export type WebhookDeps = Pick<Deps, 'config' | 'db' | 'webhookSealer'>;

const LONGEST_URL = 2_048;
const LONGEST_DESCRIPTION = 500;
const MOST_TOPICS = 100;

export interface WithSecret {
  readonly webhook: store.WebhookRow;
  /** Told this once. */
  readonly secret: string;
}

interface Wanted {
  readonly url?: string;
  readonly topics?: readonly string[];
  readonly audience?: string;
  readonly description?: string;
}

export async function create(
  deps: WebhookDeps,
  owner: number,
  wanted: Wanted & { readonly url: string; readonly topics: readonly string[] },
): Promise<WithSecret> {
  const { url, topics, audience = 'public', description = '' } = checked(deps, wanted);
  const secret = makeSecret();
  const sealed = sealedBy(deps, secret);
  const id = await deps.db.transaction(async (tx) => {
    if ((await store.lockAndCount(tx)) >= MOST_WEBHOOKS) throw errors.tooManyWebhooks(MOST_WEBHOOKS);
    const made = await store.insert(tx, { owner, url, topics, audience, description });
    await store.addSecret(tx, made, sealed, 0);
    return made;
  });
  return { webhook: await get(deps, id), secret };
}

export async function update(
  deps: WebhookDeps,
  id: number,
  wanted: Wanted & { readonly state?: string },
): Promise<store.WebhookRow> {
  const changes = checked(deps, wanted);
  await deps.db.transaction(async (tx) => {
    if (!(await store.lockById(tx, id))) throw errors.webhookNotFound();
    await store.update(tx, id, changes);
    // What waited for the end of a quiet that the one at the old address asked for.
    if (changes.url !== undefined) await wake(tx, [id]);
    if (wanted.state === 'active') await store.enable(tx, id);
    if (wanted.state === 'disabled') await store.disable(tx, id, 'by_hand');
  });
  return get(deps, id);
}

/** What is on its way has come to its end when this is answered, and nothing goes out afterwards. */
export async function remove(deps: WebhookDeps, id: number): Promise<store.WebhookRow> {
  const was = await get(deps, id);
  await store.beginDeleting(deps.db, id);
  const patience = Date.now() + deps.config.WEBHOOK_TIMEOUT_MS + PATIENCE_MS;
  while (Date.now() < patience && (await deliveries.isAnyOnItsWay(deps.db, id))) await sleep(LOOK_MS);
  await store.remove(deps.db, id);
  return was;
}
/** Beyond the time of a receiver: that of reading what is sent. */
const PATIENCE_MS = 10_000;
const LOOK_MS = 50;

export async function rotate(deps: WebhookDeps, id: number): Promise<WithSecret> {
  const secret = makeSecret();
  const sealed = sealedBy(deps, secret);
  await deps.db.transaction(async (tx) => {
    if (!(await store.lockById(tx, id))) throw errors.webhookNotFound();
    await store.addSecret(tx, id, sealed, deps.config.WEBHOOK_ROTATION_HOURS);
  });
  return { webhook: await get(deps, id), secret };
}

export async function ping(deps: WebhookDeps, id: number): Promise<deliveries.DeliveryRow> {
  const event = `${PING}/${randomUUID()}`;
  await deps.db.transaction(async (tx) => {
    await lockActive(tx, id);
    await store.endQuiet(tx, id);
    const row = { webhook: id, topic: PING, kind: 'webhook', object_id: String(id) };
    await put(tx, [row], { event, sequence: 0, hours: deps.config.WEBHOOK_GIVE_UP_HOURS });
  });
  const row = await deliveries.findByEvent(deps.db, id, event);
  if (!row) throw errors.webhookNotFound();
  return row;
}

export async function redeliver(
  deps: WebhookDeps,
  id: number,
  delivery: number,
): Promise<deliveries.DeliveryRow> {
  await deps.db.transaction(async (tx) => {
    await lockActive(tx, id);
    if (!(await deliveries.find(tx, id, delivery))) throw errors.deliveryNotFound();
    if ((await deliveries.again(tx, id, delivery, deps.config.WEBHOOK_GIVE_UP_HOURS)) > 0) {
      await store.endQuiet(tx, id);
      await wake(tx, [id]);
    }
  });
  const row = await deliveries.find(deps.db, id, delivery);
  if (!row) throw errors.deliveryNotFound();
  return row;
}

async function lockActive(tx: Db, id: number): Promise<void> {
  const locked = await store.lockById(tx, id);
  if (!locked) throw errors.webhookNotFound();
  if (locked.state !== 'active') throw errors.webhookDisabled();
}

export async function get({ db }: Pick<Deps, 'db'>, id: number): Promise<store.WebhookRow> {
  const row = await store.findById(db, id);
  if (!row) throw errors.webhookNotFound();
  return row;
}

function sealedBy({ webhookSealer }: WebhookDeps, secret: string): ReturnType<Deps['webhookSealer']['seal']> {
  if (webhookSealer.secretId === undefined) throw errors.secretNotStorable();
  return webhookSealer.seal(secret);
}

/** All that is wrong, at once. */
function checked<W extends Wanted>(deps: WebhookDeps, wanted: W): W & { readonly audience?: store.Audience } {
  const faults: ParamFault[] = [];
  const fault = (param: string, message: string): void =>
    void faults.push({ param, code: 'rest_invalid_param', message });
  const { url, topics, audience, description } = wanted;
  const wrongUrl = url === undefined ? undefined : faultOfUrl(url, deps.config.OUTBOUND_ALLOW_PRIVATE);
  if (wrongUrl !== undefined) fault('url', wrongUrl);
  const unknown = topics?.filter((topic) => !isTopic(topic)) ?? [];
  if (unknown.length > 0)
    fault(
      'topics',
      `There is no topic ${unknown.slice(0, 5).join(', ')}. There are ${Object.keys(known).join(', ')}, and beginnings such as content.*`,
    );
  if (topics && (topics.length === 0 || topics.length > MOST_TOPICS))
    fault('topics', `topics has 1 to ${MOST_TOPICS} names.`);
  if (audience !== undefined && audience !== 'public' && audience !== 'owner')
    fault('audience', 'audience is public or owner.');
  if (description !== undefined && description.length > LONGEST_DESCRIPTION)
    fault('description', `description has at most ${LONGEST_DESCRIPTION} characters.`);
  if (faults.length > 0) throw invalidParams(faults);
  return {
    ...wanted,
    ...(topics && { topics: [...new Set(topics)] }),
    ...(description !== undefined && { description: stripControl(description) }),
  } as W & { readonly audience?: store.Audience };
}

/** Names are looked up when something is sent: where they lead may change. */
function faultOfUrl(text: string, allowPrivate: boolean): string | undefined {
  const url = text.length <= LONGEST_URL && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    return 'url is an address that begins with https:// or http://.';
  if (url.username !== '' || url.password !== '') return 'url holds no user name and no password.';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isPrivate = host === 'localhost' || (isIP(host) !== 0 && !isPublicAddress(host));
  return isPrivate && !allowPrivate ? 'url is not at a public address.' : undefined;
}

/** What the command line does with webhooks, on the database itself; printing is the caller's business. */
import type { Delivery, Webhook } from '@sevenfold/proto/gen/sevenfold/content/v1/webhooks';
import * as users from '../users/store';
import { userNotFound } from '../users/actions';
import * as actions from './actions';
import * as deliveries from './deliveries';
import { toDelivery, toWebhook } from './presenter';
import * as store from './store';

type CommandDeps = actions.WebhookDeps;

export const listWebhooks = async ({ db }: CommandDeps): Promise<Webhook[]> =>
  (await store.list(db)).map(toWebhook);

/** `owner`: user name or e-mail address. Throws the ApiError that the remote call would answer with, as all commands do. */
export async function addWebhook(
  deps: CommandDeps,
  { owner, ...wanted }: Parameters<typeof actions.create>[2] & { readonly owner: string },
): Promise<{ webhook: Webhook; secret: string }> {
  const user = await users.findByLogin(deps.db, owner);
  if (!user) throw userNotFound();
  const { webhook, secret } = await actions.create(deps, user.id, wanted);
  return { webhook: toWebhook(webhook), secret };
}

export const removeWebhook = async (deps: CommandDeps, id: number): Promise<Webhook> =>
  toWebhook(await actions.remove(deps, id));

export async function rotateSecret(
  deps: CommandDeps,
  id: number,
): Promise<{ webhook: Webhook; secret: string }> {
  const { webhook, secret } = await actions.rotate(deps, id);
  return { webhook: toWebhook(webhook), secret };
}

export async function listDeliveries(
  deps: CommandDeps,
  id: number,
  { state = '', limit = 20 }: { readonly state?: string; readonly limit?: number } = {},
): Promise<Delivery[]> {
  await actions.get(deps, id);
  return (await deliveries.list(deps.db, id, { state, before: 0, limit })).map(toDelivery);
}

export const redeliver = async (deps: CommandDeps, id: number, delivery: number): Promise<Delivery> =>
  toDelivery(await actions.redeliver(deps, id, delivery));

export const pingWebhook = async (deps: CommandDeps, id: number): Promise<Delivery> =>
  toDelivery(await actions.ping(deps, id));

// What a program does with the console's interface, by the client as it is packed; a test runs it and reads what it tells.
import { createClient } from '@sevenfold/client';

const [url = '', username = '', password = ''] = process.argv.slice(2);
const by = (applicationPassword: string) =>
  createClient({ url, credentials: { username, applicationPassword } }).console;
const { applicationPasswords, sessions, webhooks, imports, raw } = by(password);

const made = await applicationPasswords.create({ name: 'Program' });
const own = by(made.password);
const { session, user } = await sessions.create({ username, password: made.password, name: 'Program' });
const opened = (await own.sessions.list()).filter(({ id }) => id === session).map(({ name }) => name);
const ended = await own.sessions.delete(session);
const listed = (await applicationPasswords.list()).some(({ id }) => id === made.id);
const gone = await applicationPasswords.delete(made.id);
const refused = await own.sessions.list().catch((error: unknown) => (error as { status: number }).status);

const hook = await webhooks.create({
  url: 'https://hooks.example.org/',
  topics: ['content.post.published', 'calendar.event.*'],
});
for (let number = 1; number <= 3; number += 1) await webhooks.ping.send(hook.id);
const deliveries: number[] = [];
for await (const { id, topic } of webhooks.deliveries.list(hook.id, { per_page: 1 }))
  if (topic === 'webhook.ping') deliveries.push(id);
const first = await webhooks.deliveries.list(hook.id, { per_page: 2 }).page();
const second = await webhooks.deliveries.list(hook.id, { per_page: 2 }).page(first.next);
const changed = await webhooks.update(hook.id, { description: 'Told of' });
const removed = await webhooks.delete(hook.id);

const { import_id: name, batch_hash: hash } = await imports.create({ origin: 'csv' });
const { items } = await imports.list({ state: 'pending' }).page(1);
const { state } = await imports.get(name);
const { counts } = await imports.progress.get(name, {}, { headers: { 'X-Batch-Hash': hash } });
const topics = await raw.GET('/console/api/webhooks/topics');

console.log(
  JSON.stringify({
    session: [user.username === username, opened, ended.previous.name, ended.deleted],
    password: [listed, gone.deleted, gone.previous.name, refused],
    webhook: [hook.secret.startsWith('whsec_'), changed.description, removed.deleted],
    deliveries: deliveries.map((id, place) => place === 0 || id < (deliveries[place - 1] ?? 0)),
    pages: [first.deliveries.length, second.deliveries.length, second.next],
    imports: [items.some((one) => one.import_id === name), state, counts.events.created],
    raw: [topics.response.status, (topics.data?.length ?? 0) > 5],
  }),
);

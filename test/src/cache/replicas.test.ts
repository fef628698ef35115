/** Whoever writes through a gateway reads what he wrote through it, also from a replica of the service that has not heard of it yet. */
import { contentService } from '@sevenfold/content/service';
import { makePost, makeTerm } from '@sevenfold/content/testing/factories';
import { type ContentSite, startContent } from '@sevenfold/content/testing/service';
import type { RunningGateway } from '@sevenfold/gateway/gateway';
import { addresses, startTestGateway } from '@sevenfold/gateway/testing';
import { type TestDatabase, createTestDatabase } from '@sevenfold/chassis/testing/database';
import { type Freezable, startFreezable } from '@sevenfold/chassis/testing/freezable';
import { testServers } from '@sevenfold/chassis/testing/servers';
import { type Answer, speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { signIn } from '../support/site';

let database: TestDatabase;
/** Of the second replica to PostgreSQL, on which it hears. */
let line: Freezable;
/** From the gateway to one of the replicas. */
let door: Freezable;
let rpcDoor: Freezable;
let one: ContentSite;
let two: ContentSite;
let gateway: RunningGateway;

beforeAll(async () => {
  database = await createTestDatabase(contentService.migrations as string);
  const direct = new URL(database.url);
  line = await startFreezable(Number(new URL(testServers().adminUrl).port));
  direct.port = String(line.port);
  one = await startContent({ DATABASE_URL: database.url });
  two = await startContent({ DATABASE_URL: database.url, DATABASE_DIRECT_URL: direct.href });
  door = await startFreezable(one.service.httpPort);
  rpcDoor = await startFreezable(one.service.grpcPort);
  gateway = await startTestGateway({
    ...addresses('CONTENT', one.service),
    CONTENT_HTTP: `http://127.0.0.1:${door.port}`,
    CONTENT_GRPC: `127.0.0.1:${rpcDoor.port}`,
  });
});
afterAll(async () => {
  line?.thaw();
  await gateway?.stop();
  for (const part of [two, one, door, rpcDoor, line]) await part?.stop();
  await database?.drop();
});

const POSTS = '/rest/core/v2/posts';
const through = async (site: ContentSite): Promise<void> => {
  await door.stop();
  door = await startFreezable(site.service.httpPort, door.port);
};
/** Once what it remembers of its database lives: it is told what becomes old of it. */
const hears = (site: ContentSite): Promise<unknown> =>
  until(async () => {
    let loads = 0;
    await site.deps.postOutlines.get('probe', () => Promise.resolve({ total: (loads += 1) }));
    await site.deps.postOutlines.get('probe', () => Promise.resolve({ total: (loads += 1) }));
    return loads < 2;
  });
const totalOf = ({ status, headers }: Answer): readonly [number, string | null] => [
  status,
  headers.get('x-total'),
];

test('a replica that has not heard of a write shows it to whoever wrote', async () => {
  const { id: term } = await makeTerm(one.deps.db);
  await makePost(one.deps.db, { categories: [term] });
  const list = `${POSTS}?categories=${term}`;
  // The second one remembers how many there are, and hears nothing any more.
  const known = async (): Promise<readonly unknown[]> =>
    totalOf(await two.by('anonymous').get(`/posts?categories=${term}`));
  await until(async () => (await known())[1] === '1');
  await hears(two);
  // News come in the order of commits: with this one it has heard of all that was made before.
  await one.by('administrator').post('/settings', { description: 'Heard' });
  await until(async () => (await two.deps.settings.get()).description === 'Heard');
  await known();
  line.freeze();
  const writer = await signIn(one, one.users.administrator);
  const wrote = await speaker(gateway.url).post(
    POSTS,
    { title: 'Written', status: 'publish', categories: [term] },
    writer,
  );
  expect(wrote.status).toBe(201);
  expect(await known()).toEqual([200, '1']);
  await through(two);
  const ask = (headers = {}): Promise<Answer> => speaker(gateway.url).get(list, headers);
  expect(totalOf(await ask())).toEqual([200, '2']);
  expect(totalOf(await ask(writer))).toEqual([200, '2']);
});

test('a page, which is made of what is told over gRPC, shows it as well', async () => {
  line.thaw();
  await through(one);
  const { slug } = await makePost(one.deps.db);
  const address = new URL(
    ((await speaker(gateway.url).get(`${POSTS}?slug=${slug}`)).body as { link: string }[])[0]?.link ?? '',
  ).pathname;
  await hears(two);
  const title = async (): Promise<string | null> => (await two.deps.settings.get()).title;
  const before = await title();
  line.freeze();
  const writer = await signIn(one, one.users.administrator);
  const renamed = await speaker(gateway.url).post('/rest/core/v2/settings', { title: 'Renamed' }, writer);
  expect(renamed.status).toBe(200);
  expect(await title()).toBe(before);
  await rpcDoor.stop();
  rpcDoor = await startFreezable(two.service.grpcPort, rpcDoor.port);
  await through(two);
  const page = await until(async () => {
    const answer = await speaker(gateway.url).get(address);
    // For a moment nobody is there.
    return answer.status === 200 ? answer : undefined;
  });
  expect(page.text).toContain('Renamed');
});

/** What the gateway makes itself of what services tell over gRPC: too much of it, or a service that is frozen, holds nobody. */
import { apiError } from '@sevenfold/chassis/errors';
import type { RunningService } from '@sevenfold/chassis/service-definition';
import { type Freezable, startFreezable } from '@sevenfold/chassis/testing/freezable';
import { type Answer, type Speaker, speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { type FormServiceServer, FormServiceService } from '@sevenfold/proto/gen/sevenfold/forms/v1/form';
import {
  type ImportsServiceServer,
  ImportsServiceService,
} from '@sevenfold/proto/gen/sevenfold/imports/v1/imports';
import { type HeadServiceServer, HeadServiceService } from '@sevenfold/proto/gen/sevenfold/seo/v1/head';
import type { RunningGateway } from '../gateway';
import { inMinutesOfTheirOwn } from '../limits/testing';
import { addresses, startSmall, startTestGateway } from '../testing';
import { only } from '../testing/only';
import { seo } from '../testing/small-seo';

/** A search: of its head the index alone is asked. */
const HEAD = '/console/api/head?url=/?s=any';
const FORM = '/forms/1/page';
const STATISTICS = '/rest/seo/v1/statistics';

let index: RunningService<object>;
let forms: RunningService<object>;
let door: Freezable;
let gateway: RunningGateway;
let client: Speaker;
let waiting = 0;
let release: () => void;

beforeEach(async () => {
  waiting = 0;
  const released = new Promise<void>((resolve) => (release = resolve));
  index = await startSmall({
    ...seo,
    rpc: () => [
      only<HeadServiceServer>(HeadServiceService, {
        headFor: async () => {
          waiting += 1;
          await released;
          return {
            found: true,
            html: '<title>Any</title>',
            json: '{}',
            objectType: 'search',
            objectId: 0,
            named: [],
          };
        },
      }),
    ],
  });
  forms = await startSmall({
    ...seo,
    name: 'forms',
    namespace: 'contact-form/v1',
    rpc: () => [
      only<FormServiceServer>(FormServiceService, {
        renderForm: () =>
          Promise.resolve({ html: '<form></form>', unitTag: 'f1', title: 'A form', locale: 'en_US' }),
      }),
    ],
  });
  door = await startFreezable(forms.grpcPort);
  gateway = await startTestGateway({
    ...addresses('SEO', index),
    FORMS_HTTP: forms.url,
    FORMS_GRPC: `127.0.0.1:${door.port}`,
    READS_AT_ONCE: 2,
  });
  client = speaker(gateway.url);
});
afterEach(async () => {
  release();
  door.thaw();
  await gateway.stop();
  await Promise.all([index.stop(), forms.stop(), door.stop()]);
});

const seen = ({ status, body, headers }: Answer) => [status, body.code, headers.get('retry-after')];

test('only so much is asked of a service at once, some more waits, and the rest is told to come again', async () => {
  const answered: Answer[] = [];
  const all = Promise.all(
    // Equal ones would be one question.
    Array.from({ length: 10 }, (_, n) => client.get(`${HEAD}${n}/`).then((one) => answered.push(one))),
  );
  // Two run and four may wait; how many of those wait for too long is the machine's to say.
  await until(() => answered.length >= 4);
  for (const one of answered) expect(seen(one)).toEqual([503, 'service_busy', '2']);
  // Whoever is refused may hear of it before the others have reached the service.
  await until(() => waiting === 2);
  // What comes over HTTP has room of its own, and so have other services.
  expect((await client.get(STATISTICS)).status).toBe(200);
  expect((await client.get(FORM)).status).toBe(200);
  expect(waiting).toBe(2);
  release();
  await all;
  expect(answered.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(2);
  await until(async () => (await client.get(HEAD)).status === 200);
});

test('nobody waits for a service that is silent, and all is well from its return on', async () => {
  await until(async () => (await client.get(FORM)).status === 200);
  door.freeze();
  await until(async () => (await client.get(FORM)).status === 503);
  // As long as a call may take, these would be ten minutes.
  for (let turn = 0; turn < 120; turn++)
    expect(seen(await client.get(FORM)).slice(0, 2)).toEqual([503, 'service_unavailable']);
  door.thaw();
  await until(async () => (await client.get(FORM)).status === 200);
});

describe('guesses', () => {
  inMinutesOfTheirOwn();

  test('the hash of an import may be guessed as seldom as a password', async () => {
    let asked = 0;
    const imports = await startSmall({
      ...seo,
      name: 'imports',
      namespace: 'calendar/event-aggregator/v1',
      rpc: () => [
        only<ImportsServiceServer>(ImportsServiceService, {
          getProgress: () => {
            asked += 1;
            return Promise.reject(apiError('rest_forbidden', 401, 'Log in to manage imports.'));
          },
        }),
      ],
    });
    const limited = await startTestGateway({ ...addresses('IMPORTS', imports), RATE_LIMIT_ATTEMPTS: 3 });
    const guess = (n: number): Promise<Answer> =>
      speaker(limited.url).get('/console/api/imports/a/progress', { 'X-Batch-Hash': `guess-${n}` });
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) statuses.push((await guess(n)).status);
    expect([statuses, asked]).toEqual([[401, 401, 401, 429, 429, 429], 3]);
    await limited.stop();
    await imports.stop();
  });
});

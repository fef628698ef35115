/**
 * Every method of every proto, knocked at by those who have no business there: a stranger on the port, the holder of a
 * user's header, every service that the method does not name, and a user without the right it asks for. A new method is
 * in this as soon as its code is generated.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { Client, type MethodDefinition, Metadata, credentials, status } from '@grpc/grpc-js';
import { ACTOR_HEADER, type Actor, signActor, stranger } from '@sevenfold/chassis/actor';
import { signCall } from '@sevenfold/chassis/grpc/caller';
import type { RpcMethod } from '@sevenfold/chassis/grpc/method';
import { anyone } from '@sevenfold/chassis/http/route';
import { TEST_ACTOR_SECRET } from '@sevenfold/chassis/testing/service';
import * as catalog from '@sevenfold/catalog/catalog';
import { type Site, startSite } from '../support/site';

const GENERATED = path.resolve(__dirname, '../../../proto/src/gen');

interface Row {
  /** Folder of the proto: the service that answers it, or the chassis, which every service stands on. */
  readonly owner: string;
  readonly name: string;
  readonly method: MethodDefinition<unknown, unknown>;
}

const isMethod = (value: unknown): value is Row['method'] =>
  typeof value === 'object' && value !== null && 'requestSerialize' in value && 'path' in value;

const rows: readonly Row[] = readdirSync(GENERATED, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => {
    const owner = file.split(path.sep)[1] as string;
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- whatever is generated, without a list of it
    const exported = Object.values(require(path.join(GENERATED, file)) as Record<string, unknown>);
    return exported.flatMap((one) =>
      Object.entries(one as object).flatMap(([name, method]) =>
        isMethod(method) ? [{ owner, name, method }] : [],
      ),
    );
  });

/** Where the empty request asks for nothing that takes a right: one that does. */
const demanding: Readonly<Record<string, object>> = {
  CreateApplicationPassword: { userId: 1 },
  ListApplicationPasswords: { userId: 1 },
  RevokeApplicationPassword: { userId: 1 },
  ListSessions: { userId: 1 },
  EndSession: { userId: 1 },
  EndSessions: { userId: 1 },
  GetOverrides: { objectType: 'home' },
  SetOverrides: { objectType: 'home' },
};

const known = [...catalog.services.map(({ name }) => name), 'gateway', 'cli'];
const DEADLINE_MS = 60_000;

let site: Site;
const clients = new Map<string, Client>();
beforeAll(async () => {
  site = await startSite();
  for (const { name } of catalog.services) {
    const address = `127.0.0.1:${site.service(name).service.grpcPort}`;
    clients.set(name, new Client(address, credentials.createInsecure()));
  }
});
afterAll(async () => {
  for (const client of clients.values()) client.close();
  await site.stop();
});

/** News are told by those that have a database to hear them from. */
const holders = ({ owner, method }: Row): readonly string[] =>
  owner !== 'chassis'
    ? [owner]
    : method.path.includes('.NewsService/')
      ? catalog.databaseServices
      : [...clients.keys()];

function declared({ owner, name, method }: Row, service: string): RpcMethod<never, unknown> {
  const offered = site
    .service(service)
    .service.rpc.flatMap(({ definition, methods }) =>
      Object.values(definition).some((one) => one.path === method.path) ? [methods[name]] : [],
    );
  const [found] = offered;
  if (!found) throw new Error(`services/${owner} does not implement ${method.path}`);
  return found;
}

/** The code of the answer; a stream that says something or nothing for long is one that was let in. */
function knock(service: string, { method }: Row, metadata: Metadata): Promise<status> {
  const client = clients.get(service) as Client;
  const empty = method.requestDeserialize(Buffer.alloc(0)) as object;
  const name = method.path.split('/').at(-1) as string;
  const request = { ...empty, ...demanding[name] };
  const { path: at, requestSerialize, responseDeserialize } = method;
  const deadline = { deadline: Date.now() + DEADLINE_MS };
  const call = [at, requestSerialize, responseDeserialize, request, metadata, deadline] as const;
  return new Promise((resolve) => {
    if (!method.responseStream)
      return client.makeUnaryRequest(...call, (error) => resolve(error?.code ?? status.OK));
    const stream = client.makeServerStreamRequest(...call);
    stream.on('error', (error) => resolve((error as { code?: status }).code ?? status.UNKNOWN));
    stream.on('end', () => resolve(status.OK));
    return stream.once('data', () => {
      resolve(status.OK);
      stream.cancel();
    });
  });
}

interface As {
  readonly caller: string;
  readonly actor?: Actor;
  readonly method?: string;
  readonly secret?: string;
  readonly now?: number;
}

function signed(row: Row, { caller, actor, method, secret, now }: As): Metadata {
  const metadata = new Metadata();
  const call = { caller, actor, method: method ?? row.method.path, deadlineMs: DEADLINE_MS };
  signCall(metadata, call, secret ?? TEST_ACTOR_SECRET, now);
  return metadata;
}

const administrator = (): Actor => site.content.users.administrator;
const nobody: Actor = { ...stranger, id: 987_654, username: 'nobody' };

test('the protos are all here', () => {
  expect(rows.length).toBeGreaterThan(30);
  expect(new Set(rows.map(({ method }) => method.path)).size).toBe(rows.length);
});

describe.each(rows.map((row) => [row.method.path, row] as const))('%s', (_path, row) => {
  const eachHolder = async (work: (service: string, callers: readonly string[]) => Promise<void>) => {
    for (const service of holders(row)) await work(service, declared(row, service).callers);
  };

  test('names whom it serves, and not everybody', async () => {
    await eachHolder((_service, callers) => {
      expect(callers.length).toBeGreaterThan(0);
      expect(callers.filter((caller) => !known.includes(caller))).toEqual([]);
      expect(callers.length).toBeLessThan(known.length);
      return Promise.resolve();
    });
  });

  test('refuses whoever comes without a signature of its own', async () => {
    await eachHolder(async (service, callers) => {
      const caller = callers[0] as string;
      const actor = administrator();
      const header = signActor(actor, TEST_ACTOR_SECRET);
      const with_ = (name: string, value: string): Metadata => {
        const metadata = new Metadata();
        metadata.set(name, value);
        return metadata;
      };
      const attempts: Record<string, Metadata> = {
        'nothing at all': new Metadata(),
        "an administrator's header": with_(ACTOR_HEADER, header),
        "an administrator's header as the signature of a call": with_('x-sevenfold-call', header),
        garbage: with_('x-sevenfold-call', 'eyJ9.x'),
        'a signature under another secret': signed(row, { caller, actor, secret: 'guessed' }),
        'a signature that is too old': signed(row, { caller, actor, now: Date.now() - 3_600_000 }),
        'a signature for another method': signed(row, { caller, actor, method: `${row.method.path}s` }),
      };
      const codes: Record<string, status> = {};
      for (const [what, metadata] of Object.entries(attempts))
        codes[what] = await knock(service, row, metadata);
      expect(codes).toEqual(
        Object.fromEntries(Object.keys(attempts).map((what) => [what, status.UNAUTHENTICATED])),
      );
    });
  });

  test('refuses every service that it does not name, whoever it speaks for', async () => {
    await eachHolder(async (service, callers) => {
      const wrong = [...known, 'somebody'].filter((name) => !callers.includes(name));
      for (const caller of wrong) {
        const code = await knock(service, row, signed(row, { caller, actor: administrator() }));
        expect([caller, code]).toEqual([caller, status.PERMISSION_DENIED]);
      }
    });
  });

  test('refuses a user without the right it asks for, and lets in who has it', async () => {
    await eachHolder(async (service, callers) => {
      const asks = declared(row, service).permission !== anyone;
      for (const caller of callers) {
        if (asks) {
          expect(await knock(service, row, signed(row, { caller }))).toBe(status.UNAUTHENTICATED);
          expect(await knock(service, row, signed(row, { caller, actor: nobody }))).toBe(
            status.PERMISSION_DENIED,
          );
        }
        const code = await knock(service, row, signed(row, { caller, actor: administrator() }));
        expect([status.UNAUTHENTICATED, status.PERMISSION_DENIED, status.DEADLINE_EXCEEDED]).not.toContain(
          code,
        );
      }
    });
  });
});

test('the doors that would do most harm are open to one caller, beside the command line where it indexes', () => {
  const callersOf = (end: string): readonly string[] => {
    const row = rows.find(({ method }) => method.path.endsWith(end)) as Row;
    return declared(row, holders(row)[0] as string).callers;
  };
  expect(callersOf('/ApplyBatches')).toEqual(['imports']);
  expect(callersOf('/Authenticate')).toEqual(['gateway']);
  expect(callersOf('/FindAccount')).toEqual(['gateway']);
  expect(callersOf('/OpenSession')).toEqual(['gateway']);
  expect(callersOf('/StreamPosts')).toEqual(['seo', 'cli']);
  expect(callersOf('/StreamObjects')).toEqual(['seo', 'cli']);
  expect(callersOf('DescribeService/Describe')).toEqual(['gateway']);
});

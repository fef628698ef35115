/** Who stands in line to have a picture drawn, for how long, and what is left of whoever gives up. */
import { readdir } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { ACTOR_HEADER, signActor } from '@sevenfold/chassis/actor';
import { TEST_ACTOR_SECRET } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { type ContentSite, startContent } from '../testing/service';
import { type For, openDrawingLine } from './drawing-line';
import { inTurn } from './images';
import { fileHeaders, picture } from './testing/pictures';

/** Work that goes on until it is told to end. */
function open(): { readonly work: () => Promise<void>; readonly end: () => void } {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { work: () => ended, end };
}

const MOST_OF_ONE = 16;

describe('the line', () => {
  const ROOM = 100;
  const busy = { status: 503, code: 'service_busy', headers: { 'Retry-After': '5' } };
  const never = (): Promise<never> => Promise.reject(new Error('nobody waited for it'));
  /** A request that has long to wait. */
  const patient = (owner: number): For => ({ owner, until: performance.now() + 1_000_000 });

  it('is left by a request when its time is over, and by a job never', async () => {
    const line = openDrawingLine(ROOM);
    const first = open();
    const drawing = line(ROOM, patient(1), first.work);
    const job = line(ROOM, { owner: 2 }, () => Promise.resolve('drawn'));
    await expect(line(ROOM, { owner: 3, until: performance.now() }, never)).rejects.toMatchObject(busy);
    first.end();
    await drawing;
    expect(await job).toBe('drawn');
  });

  it('asks of none whose turn has come that he is quick', async () => {
    const line = openDrawingLine(ROOM);
    const first = open();
    const at = performance.now();
    const drawing = line(ROOM, { owner: 1, until: at }, first.work);
    await expect(line(ROOM, { owner: 2, until: at }, never)).rejects.toMatchObject(busy);
    first.end();
    await drawing;
  });

  it('is left at once by who is gone, and those behind move up', async () => {
    const line = openDrawingLine(ROOM);
    const first = open();
    const gone = new AbortController();
    const drawing = line(ROOM / 2, patient(1), first.work);
    // There is room for the one behind it only.
    const large = line(ROOM, { ...patient(2), signal: gone.signal }, never);
    const small = line(ROOM / 2, patient(3), () => Promise.resolve('drawn'));
    gone.abort(new Error('gone'));
    await expect(large).rejects.toThrow('gone');
    expect(await small).toBe('drawn');
    first.end();
    await drawing;
    await expect(line(ROOM, { signal: gone.signal }, never)).rejects.toThrow('gone');
  });

  it('has few places for one person, who stands in nobody’s way', async () => {
    const line = openDrawingLine(ROOM);
    const first = open();
    let drawn = 0;
    const many = Array.from({ length: MOST_OF_ONE }, () =>
      line(ROOM, patient(1), () => first.work().then(() => (drawn += 1))),
    );
    await expect(line(ROOM, patient(1), never)).rejects.toMatchObject(busy);
    const other = line(ROOM, patient(2), () => Promise.resolve(drawn));
    first.end();
    // The one that was being drawn, and the one that was next when the other came.
    expect(await other).toBe(2);
    await Promise.all(many);
    expect(await line(ROOM, patient(1), () => Promise.resolve('again'))).toBe('again');
  });
});

describe('POST /media while others are drawn', () => {
  let site: ContentSite;
  /** Left by runs that were killed, maybe of other users: they stay. */
  let stale: ReadonlySet<string>;
  beforeAll(async () => {
    stale = new Set(await spools());
    // Whoever waits for his turn waits longer than any test.
    site = await startContent({ REQUEST_TIMEOUT_SECONDS: 600 });
  });
  afterAll(() => site.stop());

  const spools = async (): Promise<string[]> =>
    (await readdir(tmpdir())).filter((name) => name.startsWith('sevenfold-upload-'));
  /** Other test files upload at the same time: what is there now must go, whatever comes meanwhile. */
  const spoolsAreGone = async (): Promise<void> => {
    const present = (await spools()).filter((name) => !stale.has(name));
    await until(async () => {
      const now = new Set(await spools());
      return !present.some((name) => now.has(name));
    });
  };
  const reserved = async (name: string): Promise<number> =>
    (await site.deps.db.rows('select path from media_files where path like $1', [`%/${name}%`])).length;
  /** Nothing else is drawn meanwhile. */
  const whileDrawing = async (work: (end: () => void) => Promise<void>): Promise<void> => {
    const { work: others, end } = open();
    const drawing = inTurn(Infinity, {}, others);
    try {
      await work(end);
    } finally {
      end();
      await drawing;
    }
  };
  const upload = async (role: 'author' | 'editor', name: string) =>
    site.by(role).post('/media', await picture(400, 200), fileHeaders(name));

  it('is 503 well before the gateway gives up, and nothing of it stays', async () => {
    const { REQUEST_TIMEOUT_SECONDS } = site.deps.config;
    await whileDrawing(async () => {
      Object.assign(site.deps.config, { REQUEST_TIMEOUT_SECONDS: 1 });
      const { status, body, headers } = await upload('author', 'late.png');
      Object.assign(site.deps.config, { REQUEST_TIMEOUT_SECONDS });
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'service_busy', '5']);
      expect(await reserved('late')).toBe(0);
      await spoolsAreGone();
    });
    expect(await upload('author', 'late.png')).toMatchObject({
      status: 201,
      body: { media_details: { file: expect.stringMatching(/\/late\.png$/) } },
    });
  });

  it('leaves the line when its client does, and nothing of it stays', async () => {
    const bytes = await picture(400, 200);
    await whileDrawing(async () => {
      const request = http.request(`${site.url}/rest/core/v2/media`, {
        method: 'POST',
        headers: {
          ...fileHeaders('left.png'),
          'Content-Length': bytes.length,
          [ACTOR_HEADER]: signActor(site.users.author, TEST_ACTOR_SECRET),
        },
      });
      request.on('error', () => undefined).end(bytes);
      await until(async () => (await reserved('left')) > 0);
      request.destroy();
      await until(async () => (await reserved('left')) === 0);
      await spoolsAreGone();
    });
  });

  it('is 503 at once for who has many in line already, and in turn for everybody else', async () => {
    await whileDrawing(async (end) => {
      const answered: number[] = [];
      const many = Array.from({ length: MOST_OF_ONE + 1 }, () =>
        upload('author', 'many.png').then(({ status, body }) => {
          answered.push(status);
          return [status, body.code];
        }),
      );
      await until(() => answered.length > 0);
      expect(answered).toEqual([503]);
      const other = upload('editor', 'other.png');
      await until(async () => (await reserved('other')) > 0);
      end();
      expect((await other).status).toBe(201);
      const outcomes = (await Promise.all(many)).sort();
      expect(outcomes.pop()).toEqual([503, 'service_busy']);
      expect(outcomes).toEqual(outcomes.map(() => [201, undefined]));
    });
  });
});

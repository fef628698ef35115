/**
 * Random writes and reads through two gateways that keep answers, beside one that keeps none: what was written through a
 * gateway is read through it at once, and through the other one soon. `CACHE_STEPS` and `CACHE_SEED` make it longer and
 * repeat a run.
 */
import type { RunningGateway } from '@sevenfold/gateway/gateway';
import { type Answer, speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { diceOf } from '../assault/dice';
import { type Site, startSite } from '../support/site';
import { someRead } from './reads';
import { type Made, someChange } from './writes';

const STEPS = Number(process.env.CACHE_STEPS ?? 600);
const SEED = Number(process.env.CACHE_SEED ?? Date.now() % 1_000_000);

let site: Site;
let other: RunningGateway | undefined;
let plain: RunningGateway | undefined;
let administrator: Record<string, string>;

beforeAll(async () => {
  site = await startSite({}, { content: { COMMENT_FLOOD_SECONDS: 0 } });
  other = await site.gateway({});
  plain = await site.gateway({ CACHE_MEGABYTES: 0 });
  administrator = await site.signIn(site.content.users.administrator);
});
afterAll(async () => {
  for (const one of [plain, other, site]) await one?.stop();
});

/** What a client can tell apart. */
const seen = ({ status, headers, text }: Answer): string =>
  JSON.stringify([status, headers.get('x-total'), headers.get('x-total-pages'), headers.get('link'), text]);

interface Door {
  readonly name: string;
  readonly url: string;
}

const read = (door: Door, path: string): Promise<Answer> => speaker(door.url).get(`/rest/${path}`);

test(
  `what is read is what is there (seed ${SEED})`,
  async () => {
    const dice = diceOf(SEED);
    const made: Made = new Map([['core/v2/users', [site.content.users.administrator.id]]]);
    const doors: readonly Door[] = [
      { name: 'one', url: site.url },
      { name: 'other', url: (other as RunningGateway).url },
    ];
    const truth: Door = { name: 'plain', url: (plain as RunningGateway).url };
    const lately: string[] = [];
    let hits = 0;
    let written: Door = doors[0] as Door;

    for (let step = 0; step < STEPS; step++) {
      if (dice.oneIn(5)) {
        written = dice.pick(doors);
        const { method, path, body } = someChange(dice, made);
        const answer = await speaker(written.url).request(method, `/rest/${path}`, {
          body,
          headers: administrator,
        });
        // Some are refused, such as a change of what was deleted; none may be a fault.
        expect([answer.status, path, answer.text]).toEqual([expect.any(Number), path, answer.text]);
        expect(answer.status).toBeLessThan(500);
        const { id } = answer.body as { id?: number };
        if (answer.status === 201 && id !== undefined) made.set(path, [...(made.get(path) ?? []), id]);
        continue;
      }
      // What was read before is what may be old by now.
      const path = lately.length > 0 && !dice.oneIn(4) ? dice.pick(lately) : someRead(dice, made);
      lately.unshift(path);
      lately.splice(40);
      const door = dice.pick(doors);
      const same = async (): Promise<boolean> => {
        const before = seen(await read(truth, path));
        const answer = await read(door, path);
        if (answer.headers.get('x-cache') === 'hit') hits += 1;
        if (seen(answer) === before) return true;
        // Unless it changed just then.
        return seen(await read(truth, path)) !== before;
      };
      if (door === written)
        expect([step, door.name, path, await same()]).toEqual([step, door.name, path, true]);
      else await until(same);
    }
    expect(hits).toBeGreaterThan(STEPS / 10);
  },
  STEPS * 500,
);

/** The last look at the site, for all processes: nobody looks while somebody does, or soon after. */
import { setTimeout } from 'node:timers/promises';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Deps } from '../deps';
import { DEADLINE_MS, type Outcome, look } from './look';

/** What was mended is to be seen soon, what is well need not be asked often. */
const KEPT_SECONDS = { good: 600, bad: 30, na: 30 };
/** A look takes no longer than its deadline; who took the turn and died leaves it to the next one then. */
const TURN_SECONDS = DEADLINE_MS / 1000 + 1;
const PAUSE_MS = 100;

const NOT_YET: Outcome = {
  score: 'na',
  label: 'The site is being looked at; ask again in a moment.',
  can_fetch: false,
};

/** Fresh, or made now. Whoever comes while another one looks waits for him, and takes as long as a look at most. */
export async function checkSite(deps: Pick<Deps, 'db' | 'outside' | 'siteUrl'>): Promise<Outcome> {
  const fresh = await findFresh(deps.db);
  if (fresh) return fresh;
  if (await takeTurn(deps.db)) {
    const outcome = await look(deps.siteUrl, deps.outside);
    await keep(deps.db, outcome);
    return outcome;
  }
  for (const ends = Date.now() + DEADLINE_MS; Date.now() < ends;) {
    await setTimeout(PAUSE_MS);
    const found = await findFresh(deps.db);
    if (found) return found;
  }
  return NOT_YET;
}

const findFresh = async (db: Db): Promise<Outcome | undefined> =>
  (await db.first<{ outcome: Outcome }>('select outcome from external_checks where fresh_until > now()'))
    ?.outcome;

/** Not where somebody has just ended his. */
const takeTurn = async (db: Db): Promise<boolean> =>
  (await db.run(
    `update external_checks set looking_until = now() + make_interval(secs => $1)
     where looking_until < now() and fresh_until <= now()`,
    [TURN_SECONDS],
  )) > 0;

const keep = (db: Db, outcome: Outcome): Promise<number> =>
  db.run(
    `update external_checks
     set outcome = $1::jsonb, fresh_until = now() + make_interval(secs => $2), looking_until = '-infinity'`,
    [JSON.stringify(outcome), KEPT_SECONDS[outcome.score]],
  );

/** Sees to it that nothing of a message is kept longer than it is needed. */
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import * as model from '../classifier/store';
import type { Deps } from '../deps';
import * as store from './store';

/** As long as a text is compared with others; afterwards nobody needs to know who sent it. */
const TELLING_DAYS = 30;

export const checkSweeps: readonly Sweep<Deps>[] = [
  {
    name: 'judged-messages',
    everySeconds: 3_600,
    run: async ({ db, config: { SPAM_EVENTS_DAYS: days } }) => {
      await untilNone(() => store.hush(db, TELLING_DAYS));
      await untilNone(() => store.settle(db, days));
      await store.removeOld(db, days);
      // A day's difference is one of time zones.
      await untilNone(() => db.transaction((tx) => model.sweepRare(tx, days + 2)));
    },
  },
];

/** In pieces, so that checks and decisions get their turn. */
async function untilNone(piece: () => Promise<number>): Promise<void> {
  while ((await piece()) > 0);
}

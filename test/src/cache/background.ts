/** What changes while nobody asks for it: what is due is published, imports come in, the index follows. */
import type { Deps as CalendarDeps } from '@sevenfold/calendar/deps';
import { eventSweeps } from '@sevenfold/calendar/events/jobs';
import { postSweeps } from '@sevenfold/content/posts/jobs';
import {
  type ImportServiceServer,
  ImportServiceService,
} from '@sevenfold/proto/gen/sevenfold/calendar/v1/import';
import type { Dice } from '../assault/dice';
import type { Site } from '../support/site';

export interface Background {
  /** One of these, to its end. */
  readonly happen: (dice: Dice) => Promise<void>;
  stop(): void;
}

export function openBackground(site: Site): Background {
  const calendar = site.service('calendar');
  const imports = calendar.dial<ImportServiceServer>(ImportServiceService, 'imports');
  const seo = site.service('seo').as(site.content.users.administrator);
  let batch = 0;
  const happenings: readonly ((dice: Dice) => Promise<unknown>)[] = [
    () => Promise.all(postSweeps.map(({ run }) => run(site.content.deps))),
    () => Promise.all(eventSweeps.map(({ run }) => run(calendar.deps as CalendarDeps))),
    () => seo.get('/reindex_posts'),
    (dice) => {
      batch += 1;
      const events = Array.from({ length: dice.between(1, 5) }, () => ({
        uid: `imported-${dice.between(1, 12)}`,
        title: `Imported ${dice.between(1, 999)}`,
        start_date: '2031-05-01',
        start_hour: String(dice.between(0, 23)),
        timezone: 'Europe/Brussels',
        venue: { venue: `Room ${dice.between(1, 3)}` },
        organizer: [{ organizer: `Speaker ${dice.between(1, 3)}` }],
      }));
      return imports.applyBatches(
        {
          importId: 'random',
          origin: 'url',
          defaultStatus: 'publish',
          owner: 1,
          authority: 'overwrite',
          batches: [{ key: `random/${batch}`, eventsJson: JSON.stringify(events) }],
        },
        { deadlineMs: 30_000 },
      );
    },
  ];
  return {
    happen: async (dice) => void (await dice.pick(happenings)(dice)),
    stop: () => imports.close(),
  };
}

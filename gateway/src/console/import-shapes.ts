/** What imports are answered as, for the document of the console's interface. */
import {
  type Shape,
  described,
  either,
  flag,
  integer,
  listOf,
  object,
  orNull,
  text,
} from '@sevenfold/chassis/http/shapes';

const moment = orNull(text);
const count = (what: string): Shape => described(what, integer);

const common = {
  import_id: described('Name of the import.', text),
  origin: described('Where the events come from.', text),
  default_status: described('Status of the events that are created.', text),
  authority: described('What becomes of fields that people changed: overwrite, leave or fill.', text),
  owner: count('Author of what is created.'),
  state: described('How it stands: pending, success, failed or stalled.', text),
  percentage_complete: count('As its sender said last.'),
  data: described(
    'Events by what the sender said.',
    object({ total: count('All that are to come.'), done: count('Those that came.') }),
  ),
  batches_accepted: count('Batches that are kept.'),
  batches_applied: count('Those of them that are in the calendar.'),
  batches_total: count('As its sender said last.'),
  failed_batch: described(
    'The batch that holds up those behind it.',
    either(object({ number: count('Number of the batch.'), reason: described('Why it failed.', text) }), {
      type: 'null',
    }),
  ),
  message: described('What its sender said last, for people.', text),
  message_slug: described('What its sender said last, for programs.', text),
  interval: count('Seconds between two batches, as its sender said.'),
  created_at: described('When it was registered, ISO 8601 in UTC.', text),
  heard_at: described('When its sender was heard of last, ISO 8601 in UTC.', moment),
  applied_at: described('When a batch of it reached the calendar last, ISO 8601 in UTC.', moment),
  finished_at: described('When it ended, ISO 8601 in UTC.', moment),
};

export const importShape = object({
  ...common,
  events: described(
    'What became of its events.',
    object({
      accepted: count('Kept.'),
      created: count('Created.'),
      updated: count('Changed.'),
      skipped: count('Left alone, or could not be taken.'),
    }),
  ),
  images: described(
    'What became of their pictures.',
    object({ fetched: count('Fetched.'), failed: count('Could not be fetched.') }),
  ),
});

const batch = object({
  number: count('Number of the batch.'),
  state: described('How it stands: accepted, applied or failed.', text),
  events: count('How many it holds.'),
  created: count('Created of them.'),
  updated: count('Changed of them.'),
  skipped: count('Left alone, or could not be taken.'),
  failed: count('Of those skipped: what could not be taken.'),
  error: described('Why it failed.', text),
  accepted_at: described('When it came, ISO 8601 in UTC.', text),
  applied_at: described('When it reached the calendar, ISO 8601 in UTC.', moment),
});

const fault = object({
  batch: count('Number of the batch.'),
  position: count('Position in the batch, from 0.'),
  uid: described('Name that its source gave the event.', text),
  title: described('Its title.', text),
  reason: described('Why it could not be taken.', text),
  left_alone: described('It is there, and was left as it is on purpose.', flag),
});

const detailsOf = (of: Shape): Readonly<Record<string, Shape>> => {
  const { properties } = of as { readonly properties: Readonly<Record<string, Shape>> };
  return properties;
};

export const importDetails = object({
  ...detailsOf(importShape),
  batches: described('The newest batches.', listOf(batch)),
  faults: described('The newest faults.', listOf(fault)),
});

export const registered = object({
  import_id: described('Name of the import.', text),
  batch_hash: described('What the next batch must carry.', text),
});

const counts = (kind: string): Shape =>
  described(
    `What became of ${kind}.`,
    object({
      created: count('Created.'),
      updated: count('Changed.'),
      skipped: count('Left alone.'),
      failed: count('Could not be taken.'),
    }),
  );

const page = (what: string, item: Shape): Shape =>
  described(
    what,
    object({ total: count('How many there are.'), items: described('Those of this page.', listOf(item)) }),
  );

export const progressShape = object({
  ...common,
  counts: described(
    'What became of each kind of thing, each once.',
    object({
      events: counts('events'),
      venues: counts('venues'),
      organizers: counts('organizers'),
      categories: counts('categories'),
      tags: counts('tags'),
      attachments: counts('pictures'),
    }),
  ),
  page: count('Which page this is.'),
  per_page: count('Of each on a page.'),
  total_pages: count('How many pages there are.'),
  batches: page('Batches in the order in which they came.', batch),
  faults: page('Faults in the order in which they came.', fault),
});

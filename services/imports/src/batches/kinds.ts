/** What a batch did, as it is kept and as it is shown. */

/** Words of the answer, in its order; the calendar and the pictures fill them. */
export const KINDS = [
  'calendar_events',
  'calendar_organizer',
  'calendar_venue',
  'calendar_events_cat',
  'post_tag',
] as const;
export type Kind = (typeof KINDS)[number];
export type Action = 'created' | 'updated' | 'skipped';
export type Ids = Readonly<Record<Action, readonly number[]>>;
export type BatchActivity = Partial<Record<Kind, Partial<Ids>>>;
export type ShownActivity = Readonly<Record<Kind | 'attachment', Ids>>;

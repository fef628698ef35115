/** The codes of the calendar; the errors themselves are beside what they are about. */
import { type CodeTable, makersFor } from '@sevenfold/chassis/errors';

/** Codes of errors that only this service answers with. */
export const codes = {
  'event-not-found': 'There is no such event.',
  'event-is-in-trash': 'The event is in the trash already.',
  'event-archive-page-not-found': 'The list of events has no such page.',
  'event-not-accessible': 'The caller may not read this event.',
  'venue-not-found': 'There is no such venue.',
  'venue-is-in-trash': 'The venue is in the trash already.',
  'venue-archive-page-not-found': 'The list of venues has no such page.',
  'venue-not-accessible': 'The caller may not read this venue.',
  'organizer-not-found': 'There is no such organizer.',
  'organizer-is-in-trash': 'The organizer is in the trash already.',
  'organizer-archive-page-not-found': 'The list of organizers has no such page.',
  'organizer-not-accessible': 'The caller may not read this organizer.',
  rest_cannot_create: 'The caller may not create terms.',
  rest_cannot_delete: 'The caller may not delete terms.',
  rest_cannot_edit_others: 'The caller may not name another author.',
  rest_cannot_update: 'The caller may not change terms.',
  rest_term_invalid: 'There is no such term.',
} as const satisfies CodeTable;
export const { apiError, deny } = makersFor(codes);

/** The original, product-named interface, as its clients know it. */
import type { ProfileData } from './profile';

export const wordpress: ProfileData = {
  name: 'wordpress',
  root: '/wp-json',
  routeArgument: 'rest_route',
  rootRelation: 'https://api.w.org/',
  namespaces: [
    ['core/v2', 'wp/v2'],
    ['calendar/events/v1', 'tribe/events/v1'],
    ['calendar/event-aggregator/v1', 'tribe/event-aggregator/v1'],
    ['spamfilter/v1', 'akismet/v1'],
    ['contact-form/v1', 'contact-form-7/v1'],
    ['seo/v1', 'yoast/v1'],
  ],
  patterns: {
    of: ['calendar/events/v1', 'contact-form/v1', 'seo/v1'],
    pairs: [['[\\d]+', '\\d+']],
  },
  words: [
    ['calendar_events_cat', 'tribe_events_cat'],
    ['calendar_events', 'tribe_events'],
    ['calendar_venue', 'tribe_venue'],
    ['calendar_organizer', 'tribe_organizer'],
    ['calendar-ea-success', 'tribe-ea-success'],
    ['calendar-ea-failed', 'tribe-ea-failed'],
    ['calendar-ea-schedule', 'tribe-ea-schedule'],
    ['calendar-ea-pending', 'tribe-ea-pending'],
    ['calendar-ea-draft', 'tribe-ea-draft'],
    ['calendar-ignored', 'tribe-ignored'],
  ],
  subtypes: [
    ['event', 'tribe_events'],
    ['venue', 'tribe_venue'],
    ['organizer', 'tribe_organizer'],
    ['calendar_events_cat', 'tribe_events_cat'],
  ],
  relations: {
    prefix: ['core:', 'wp:'],
    curie: ['core', 'wp'],
    href: ['/relations/{rel}', 'https://api.w.org/{rel}'],
  },
  settings: [
    ['spamfilter_strictness', 'akismet_strictness'],
    ['spamfilter_show_user_comments_approved', 'akismet_show_user_comments_approved'],
  ],
  formFields: [['_contact_form', '_wpcf7']],
  formParts: [
    ['contact-form-f', 'wpcf7-f'],
    ['#contact-form-f', '#wpcf7-f'],
    ['span.contact-form-form-control-wrap', 'span.wpcf7-form-control-wrap'],
  ],
  codes: [['contact_form_', 'wpcf7_']],
  capabilities: [
    ['_calendar_events', '_tribe_events'],
    ['_calendar_venues', '_tribe_venues'],
    ['_calendar_organizers', '_tribe_organizers'],
  ],
  totals: {
    'core/v2': ['X-WP-Total', 'X-WP-TotalPages'],
    'calendar/events/v1': ['X-TEC-Total', 'X-TEC-TotalPages'],
  },
  ignoredHeaders: ['X-WP-Nonce'],
  ignoredArguments: ['_wpnonce'],
};

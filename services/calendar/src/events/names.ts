import type { Publishing } from '@sevenfold/publishing/due';

/** Queue and jobs of events, named in one place for those who promise them and those who keep the promise. */
export const QUEUE = 'calendar.events';
/** For what waits for other sites: nothing of this one waits behind it. */
export const EMBEDS_QUEUE = 'calendar.embeds';
export const PUBLISHING: Publishing = { queue: QUEUE, name: 'publish-event' };

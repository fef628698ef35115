/** Queue and jobs of events, named in one place for those who promise them and those who keep the promise. */
export const QUEUE = 'calendar.events';
export const PUBLISH_EVENT = 'publish-event';

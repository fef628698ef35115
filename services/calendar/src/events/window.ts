/** The window of dates that an event list shows when the client names none. */
const day = (now: Date, years: number, days: number): string =>
  new Date(Date.UTC(now.getUTCFullYear() + years, now.getUTCMonth(), now.getUTCDate() + days))
    .toISOString()
    .slice(0, 10);

/** Events that began yesterday still matter to most readers. */
export const defaultStart = (now = new Date()): string => `${day(now, 0, -1)} 00:00:00`;
export const defaultEnd = (now = new Date()): string => `${day(now, 2, 0)} 23:59:59`;

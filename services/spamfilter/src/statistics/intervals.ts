/** The periods of statistics, by the names that clients use. */
export const intervals = {
  '60-days': { letter: 'd', period: 'day', back: '59 days' },
  '6-months': { letter: 'm', period: 'month', back: '5 months' },
  all: { letter: 'a', period: 'month', back: undefined },
} as const;

export type IntervalName = keyof typeof intervals;
const names = Object.keys(intervals) as IntervalName[];

/** Whatever is no name means all, as clients are used to. */
export const intervalNamed = (text: string): IntervalName => names.find((name) => name === text) ?? 'all';

export const intervalOfLetter = (letter: string): IntervalName | undefined =>
  names.find((name) => intervals[name].letter === letter);

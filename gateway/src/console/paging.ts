/** Arguments of lists that the console pages through. */
export const olderThan = {
  type: 'integer',
  default: 0,
  minimum: 0,
  description: 'The `next` of the page before.',
} as const;

export const perPage = (things: string) =>
  ({ type: 'integer', default: 20, minimum: 1, maximum: 100, description: `${things} on a page.` }) as const;

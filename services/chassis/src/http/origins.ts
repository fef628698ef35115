/** The origins of a list with commas, as CORS_ORIGINS is one, in lower case. */
export const readOrigins = (listed: string): ReadonlySet<string> =>
  new Set(listed === '' ? [] : listed.toLowerCase().split(','));

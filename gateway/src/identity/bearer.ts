/** The token of an Authorization header, however wrong; undefined where it is of another scheme, or not there. */
export const bearerOf = (header = ''): string | undefined =>
  /^Bearer\b(.*)$/i.exec(header.trim())?.[1]?.trim();

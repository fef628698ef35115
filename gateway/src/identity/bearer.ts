/** The token of an Authorization header, however wrong; undefined where it is of another scheme, or not there. */
export const bearerOf = (header = ''): string | undefined => /^\s*Bearer\b\s*(.*?)\s*$/i.exec(header)?.[1];

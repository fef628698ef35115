/** Secrets that are lists, separated by commas: the first one makes what is new, the others still count for what is old. */
export const secretsOf = (text: string): string[] =>
  text
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '');

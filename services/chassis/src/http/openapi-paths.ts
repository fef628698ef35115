/** Paths as OpenAPI documents name them, and what is variable in them. */
const VARIABLE = /\(\?P<(\w+)>((?:[^()[\]]|\[[^\]]*\]|\([^)]*\))*)\)/g;

/** How documents name the path of a pattern. */
export const documentPath = (pattern: string): string => pattern.replace(VARIABLE, '{$1}');

/** Patterns by name. */
export const variablesOf = (pattern: string): Record<string, string> =>
  Object.fromEntries(
    [...pattern.matchAll(VARIABLE)].map((match) => [match[1] as string, match[2] as string]),
  );

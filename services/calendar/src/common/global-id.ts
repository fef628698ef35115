/** Identity of a thing across sites: `<host>?id=<id>`, or what the source of an import called it. */
export interface Identified {
  readonly id: number;
  readonly globalId: string;
  /** Former identities, of what travelled through several sites. */
  readonly globalIdLineage?: readonly string[];
}

const hosts = new Map<string, string>();

function hostOf(siteUrl: string): string {
  let host = hosts.get(siteUrl);
  if (host === undefined) hosts.set(siteUrl, (host = new URL(siteUrl).hostname));
  return host;
}

export const globalIdOf = (siteUrl: string, row: Identified): string =>
  row.globalId || `${hostOf(siteUrl)}?id=${row.id}`;

/** Starts with the identity itself. */
export function lineageOf(siteUrl: string, row: Identified): string[] {
  const own = globalIdOf(siteUrl, row);
  return [own, ...(row.globalIdLineage ?? []).filter((former) => former !== own)];
}

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

const own = (siteUrl: string, row: Identified): string => row.globalId || `${hostOf(siteUrl)}?id=${row.id}`;

/** As it is kept, but for what would be a tag where somebody shows it. */
const shown = (id: string): string => id.replaceAll('<', '&lt;');

export const globalIdOf = (siteUrl: string, row: Identified): string => shown(own(siteUrl, row));

/** Starts with the identity itself. */
export function lineageOf(siteUrl: string, row: Identified): string[] {
  const present = own(siteUrl, row);
  return [present, ...(row.globalIdLineage ?? []).filter((former) => former !== present)].map(shown);
}

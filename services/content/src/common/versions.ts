/** Which rows there are, and as which version, for those who keep something made of them. */

export interface Version {
  readonly id: number;
  readonly version: string;
}

const MOST_VERSIONS = 5000;

export const versionLimit = (asked: number): number =>
  asked > 0 ? Math.min(asked, MOST_VERSIONS) : MOST_VERSIONS;

export const versionsOf = (rows: readonly Version[]): { ids: number[]; versions: string[] } => ({
  ids: rows.map(({ id }) => id),
  versions: rows.map(({ version }) => version),
});

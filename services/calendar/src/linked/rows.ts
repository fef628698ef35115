/** What a row of venues and a row of organizers have in common. */
export interface LinkedRow {
  readonly id: number;
  readonly author: number;
  readonly status: string;
  readonly statusBeforeTrash: string;
  readonly slug: string;
  /** `YYYY-MM-DD HH:MM:SS[.ffffff]`, clock of the site. */
  readonly dateLocal: string;
  readonly dateUtc: string;
  readonly dateChosen: boolean;
  readonly modifiedLocal: string;
  readonly modifiedUtc: string;
  /** Plain text: no HTML, whoever wrote it. */
  readonly name: string;
  readonly descriptionRaw: string;
  readonly descriptionHtml: string;
  /** 0 for none. */
  readonly imageId: number;
  readonly phone: string;
  readonly website: string;
  readonly globalId: string;
  readonly origin: string;
}

// prettier-ignore
export const linkedColumns: readonly (keyof LinkedRow)[] = [
  'id', 'author', 'status', 'statusBeforeTrash', 'slug', 'dateLocal', 'dateUtc', 'dateChosen', 'modifiedLocal',
  'modifiedUtc', 'name', 'descriptionRaw', 'descriptionHtml', 'imageId', 'phone', 'website', 'globalId', 'origin',
];

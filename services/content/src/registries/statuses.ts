/** Post statuses as the interface describes them. */
import { isPublic, isUnfinished } from '@sevenfold/publishing/statuses';

export interface StatusEntry {
  readonly slug: string;
  readonly name: string;
  readonly public: boolean;
  readonly private: boolean;
  readonly protected: boolean;
  readonly showInList: boolean;
  /** Whether the date may still move, until publication. */
  readonly dateFloating: boolean;
}

const entry = (slug: string, name: string, flags: Partial<StatusEntry> = {}): StatusEntry => ({
  slug,
  name,
  public: isPublic(slug),
  private: slug === 'private',
  protected: false,
  showInList: true,
  dateFloating: isUnfinished(slug),
  ...flags,
});

export const statuses: readonly StatusEntry[] = [
  entry('publish', 'Published'),
  entry('future', 'Scheduled', { protected: true }),
  entry('draft', 'Draft', { protected: true }),
  entry('pending', 'Pending', { protected: true }),
  entry('private', 'Private'),
  entry('calendar-ea-success', 'Imported'),
  entry('calendar-ea-failed', 'Failed'),
  entry('calendar-ea-schedule', 'Schedule'),
  entry('calendar-ea-pending', 'Pending'),
  entry('calendar-ea-draft', 'Draft'),
  entry('calendar-ignored', 'Ignored', { showInList: false }),
  entry('trash', 'Trash', { showInList: false }),
];

/** States of the machinery: they exist, and nobody reads them. */
export const hiddenStatuses: ReadonlySet<string> = new Set([
  'inherit',
  'auto-draft',
  'request-pending',
  'request-confirmed',
  'request-failed',
  'request-completed',
]);

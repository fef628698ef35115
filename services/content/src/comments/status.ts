/** The words for the states of a comment: in bodies, in the list's filter, and in answers they differ. */
import type { CommentStatus } from './store';

export interface StatusState {
  readonly status: CommentStatus;
  /** See CommentRow.statusBefore. */
  readonly statusBefore: string;
}

/** What the `status` of a body makes of a comment; undefined when nothing changes, unknown words included. */
export function applyStatusWord(state: StatusState, word: string): StatusState | undefined {
  switch (word.trim().toLowerCase()) {
    case 'approved':
    case 'approve':
    case '1':
      return state.status === 'approved' ? undefined : { status: 'approved', statusBefore: '' };
    case 'hold':
    case '0':
      return state.status === 'hold' ? undefined : { status: 'hold', statusBefore: '' };
    case 'spam':
      return put(state, 'spam');
    case 'trash':
      return put(state, 'trash');
    case 'unspam':
      return state.status === 'spam' ? takeBack(state) : undefined;
    case 'untrash':
      return IN_TRASH.includes(state.status) ? takeBack(state) : undefined;
    default:
      return undefined;
  }
}

function put(state: StatusState, status: 'spam' | 'trash'): StatusState | undefined {
  if (state.status === status) return undefined;
  // What went away with its post would otherwise come back to a state that it left long ago.
  const earlier = state.status === 'post-trashed' ? [] : [state.status];
  const before = [...earlier, ...statusesIn(state.statusBefore)].filter((one) => one !== status);
  return { status, statusBefore: before.join(' ') };
}

/** Goes to the trash with its post (of-posts.ts says the same of all that was said below one). */
export const withPost = ({ status, statusBefore }: StatusState): StatusState =>
  status === 'post-trashed'
    ? { status, statusBefore }
    : { status: 'post-trashed', statusBefore: `${status} ${statusBefore}`.trim() };

/** And comes back from there. */
export const fromPost = ({ status, statusBefore }: StatusState): StatusState =>
  status === 'post-trashed' ? takeBack({ status, statusBefore }) : { status, statusBefore };

function takeBack(state: StatusState): StatusState {
  const [status = 'hold', ...rest] = statusesIn(state.statusBefore);
  return { status, statusBefore: rest.join(' ') };
}

const statusesIn = (text: string): CommentStatus[] =>
  text.split(' ').filter((one) => one !== '') as CommentStatus[];

const IN_TRASH: readonly CommentStatus[] = ['trash', 'post-trashed'];

/** Whether it counts as spam: in the trash, whether it did before. Going there and coming back says nothing about it. */
export const isSpam = ({ status, statusBefore }: StatusState): boolean =>
  [status, ...statusesIn(statusBefore)].find((one) => !IN_TRASH.includes(one)) === 'spam';

const FILTERS: Readonly<Record<string, readonly CommentStatus[]>> = {
  approve: ['approved'],
  '1': ['approved'],
  hold: ['hold'],
  '0': ['hold'],
  spam: ['spam'],
  trash: ['trash'],
  'post-trashed': ['post-trashed'],
  all: ['approved', 'hold'],
  // What went to the trash with its post is only shown to who asks for just that.
  any: ['approved', 'hold', 'spam', 'trash'],
};

/** The statuses that the list's `status` stands for: a word or several with commas. Unknown words stand for none. */
export function statusesOf(filter: string): CommentStatus[] {
  const words = filter
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== '');
  const statuses = (words.length === 0 ? ['all'] : words).flatMap((word) =>
    Object.hasOwn(FILTERS, word) ? (FILTERS[word] as CommentStatus[]) : [],
  );
  return [...new Set(statuses)];
}

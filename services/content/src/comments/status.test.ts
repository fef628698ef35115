import { applyStatusWord, statusesOf } from './status';
import type { CommentStatus } from './store';

const apply = (status: CommentStatus, word: string, statusBefore = ''): string => {
  const state = applyStatusWord({ status, statusBefore }, word);
  return state ? `${state.status}|${state.statusBefore}` : 'same';
};

test.each([
  ['hold', 'approved', '', 'approved|'],
  ['hold', 'approve', '', 'approved|'],
  ['hold', '1', '', 'approved|'],
  ['approved', '0', '', 'hold|'],
  ['approved', 'hold', '', 'hold|'],
  ['approved', 'approve', '', 'same'],
  ['hold', 'HOLD', '', 'same'],
  ['approved', 'spam', '', 'spam|approved'],
  ['approved', 'trash', '', 'trash|approved'],
  ['spam', 'trash', 'approved', 'trash|spam approved'],
  ['trash', 'untrash', 'spam approved', 'spam|approved'],
  ['spam', 'unspam', 'approved', 'approved|'],
  ['trash', 'spam', 'hold', 'spam|trash hold'],
  ['spam', 'trash', 'trash hold', 'trash|spam hold'],
  ['trash', 'untrash', '', 'hold|'],
  ['approved', 'untrash', '', 'same'],
  ['trash', 'unspam', 'approved', 'same'],
  ['trash', 'approve', 'hold', 'approved|'],
  ['post-trashed', 'trash', 'approved', 'trash|approved'],
  ['post-trashed', 'untrash', 'approved', 'approved|'],
  ['approved', 'whatever', '', 'same'],
  ['approved', '', '', 'same'],
] as const)('%s + %s (before: %j) is %s', (status, word, before, wanted) => {
  expect(apply(status, word, before)).toBe(wanted);
});

test.each([
  ['approve', ['approved']],
  ['hold', ['hold']],
  ['0', ['hold']],
  ['all', ['approved', 'hold']],
  ['', ['approved', 'hold']],
  ['any', ['approved', 'hold', 'spam', 'trash']],
  ['post-trashed', ['post-trashed']],
  ['trash', ['trash']],
  ['spam,Hold', ['spam', 'hold']],
  ['approved', []],
  ['constructor', []],
])('the filter %j stands for %j', (filter, statuses) => {
  expect(statusesOf(filter)).toEqual(statuses);
});

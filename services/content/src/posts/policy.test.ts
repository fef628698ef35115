import { type Actor, stranger } from '@sevenfold/chassis/actor';
import { type Role, capabilitiesOf } from '../users/roles';
import {
  type PostSubject,
  canDeletePost,
  canEditPost,
  canReadPost,
  refuseCreate,
  refuseUpdate,
} from './policy';
import { postTypes } from './types';

const as = (role: Role, id = 7): Actor => ({
  ...stranger,
  id,
  roles: [role],
  capabilities: capabilitiesOf([role]),
});
const post = (fields: Partial<PostSubject> = {}): PostSubject => ({
  type: 'post',
  status: 'publish',
  author: 1,
  password: '',
  ...fields,
});

describe('reading', () => {
  test.each([
    ['publish', true],
    ['calendar-ea-success', true],
    ['calendar-ea-draft', true],
    ['calendar-ignored', false],
    ['draft', false],
    ['pending', false],
    ['future', false],
    ['private', false],
    ['trash', false],
  ])('a stranger and %s: %s', (status, may) => {
    expect(canReadPost(stranger, post({ status }))).toBe(may);
    expect(canReadPost(as('subscriber'), post({ status }))).toBe(may);
  });

  test('an author reads everything of his own, whatever its status', () => {
    for (const status of ['draft', 'pending', 'future', 'private', 'trash'])
      expect(canReadPost(as('contributor'), post({ status, author: 7 }))).toBe(true);
  });

  test('a post without author belongs to nobody, strangers included', () => {
    expect(canReadPost(stranger, post({ status: 'draft', author: 0 }))).toBe(false);
  });

  test('editors read what others wrote in any status, authors do not', () => {
    for (const status of ['draft', 'pending', 'future', 'private', 'trash']) {
      expect(canReadPost(as('editor'), post({ status }))).toBe(true);
      expect(canReadPost(as('author'), post({ status }))).toBe(false);
    }
  });

  test('an attachment is as visible as what it belongs to', () => {
    const attachment = post({ type: 'attachment', status: 'inherit' });
    expect(canReadPost(stranger, attachment)).toBe(true);
    expect(canReadPost(stranger, { ...attachment, parentPost: post() })).toBe(true);
    expect(canReadPost(stranger, { ...attachment, parentPost: post({ status: 'draft' }) })).toBe(false);
  });
});

describe('changing', () => {
  test.each<[Role, string, number, boolean]>([
    ['subscriber', 'draft', 7, false],
    ['contributor', 'draft', 7, true],
    ['contributor', 'pending', 7, true],
    ['contributor', 'publish', 7, false],
    ['contributor', 'future', 7, false],
    ['contributor', 'calendar-ea-success', 7, false],
    ['contributor', 'draft', 1, false],
    ['author', 'publish', 7, true],
    ['author', 'private', 7, true],
    ['author', 'draft', 1, false],
    ['editor', 'publish', 1, true],
    ['editor', 'private', 1, true],
    ['administrator', 'future', 1, true],
  ])('%s, %s by %i: %s', (role, status, author, may) => {
    expect(canEditPost(as(role), post({ status, author }))).toBe(may);
    expect(canDeletePost(as(role), post({ status, author }))).toBe(may);
  });

  test('a trashed post is judged by what it was', () => {
    const trashed = post({ status: 'trash', author: 7 });
    expect(canEditPost(as('contributor'), { ...trashed, statusBeforeTrash: 'calendar-ea-draft' })).toBe(
      false,
    );
    expect(canEditPost(as('contributor'), { ...trashed, statusBeforeTrash: 'draft' })).toBe(true);
    expect(canEditPost(as('contributor'), { ...trashed, statusBeforeTrash: 'publish' })).toBe(false);
  });

  test('authors have no rights over pages', () => {
    expect(canEditPost(as('author'), post({ type: 'page', status: 'draft', author: 7 }))).toBe(false);
    expect(canEditPost(as('editor'), post({ type: 'page' }))).toBe(true);
  });
});

describe('writes that ask for more', () => {
  const { post: blog, page } = postTypes;
  const code = (denial: { code: string } | undefined): string => denial?.code ?? 'allowed';

  test('creating', () => {
    expect(code(refuseCreate(stranger, blog, {}))).toBe('rest_cannot_create');
    expect(code(refuseCreate(as('subscriber'), blog, {}))).toBe('rest_cannot_create');
    expect(code(refuseCreate(as('contributor'), blog, {}))).toBe('allowed');
    expect(code(refuseCreate(as('contributor'), blog, { status: 'pending' }))).toBe('allowed');
    for (const status of ['publish', 'future', 'private', 'calendar-ea-success'])
      expect(code(refuseCreate(as('contributor'), blog, { status }))).toBe('rest_cannot_publish');
    expect(code(refuseCreate(as('contributor'), blog, { sticky: true }))).toBe('rest_cannot_assign_sticky');
    expect(code(refuseCreate(as('contributor'), blog, { sticky: false }))).toBe('allowed');
    expect(code(refuseCreate(as('author'), blog, { author: 1 }))).toBe('rest_cannot_edit_others');
    expect(code(refuseCreate(as('author'), blog, { author: 7 }))).toBe('allowed');
    expect(code(refuseCreate(as('author'), page, {}))).toBe('rest_cannot_create');
    expect(code(refuseCreate(as('editor'), page, { author: 1, status: 'publish' }))).toBe('allowed');
  });

  test('updating asks only for what changes', () => {
    const own = post({ status: 'pending', author: 7 });
    expect(code(refuseUpdate(as('contributor'), blog, own, { status: 'pending', author: 7 }))).toBe(
      'allowed',
    );
    expect(code(refuseUpdate(as('contributor'), blog, own, { status: 'publish' }))).toBe(
      'rest_cannot_publish',
    );
    expect(code(refuseUpdate(as('author'), blog, post(), {}))).toBe('rest_cannot_edit');
  });
});

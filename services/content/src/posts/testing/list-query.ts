import type { ListQuery } from '../args';

/** What a list of posts is asked for where nothing is said. */
export const listQuery: ListQuery = {
  context: 'view',
  page: 1,
  per_page: 10,
  offset: undefined,
  search: undefined,
  after: undefined,
  before: undefined,
  author: [],
  author_exclude: [],
  exclude: [],
  include: [],
  order: 'desc',
  orderby: 'date',
  slug: undefined,
  status: 'publish',
};

/** What can be wrong with a venue or an organizer as a whole. */
import { ApiError } from '@sevenfold/chassis/errors';
import type { LinkedKind } from './kinds';

type Named = Pick<LinkedKind, 'one' | 'article'>;

export const notFound = ({ one, article }: Named): ApiError =>
  new ApiError(`${one}-not-found`, 404, `There is not ${article} ${one} with this number or slug.`);

export const inTrash = ({ one }: Named): ApiError =>
  new ApiError(`${one}-is-in-trash`, 410, `The ${one} is in the trash already.`);

export const noSuchPage = ({ one }: Named, pages: number): ApiError =>
  new ApiError(`${one}-archive-page-not-found`, 404, `There is no such page: this list has ${pages}.`);

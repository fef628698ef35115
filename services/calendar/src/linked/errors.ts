/** What can be wrong with a venue or an organizer as a whole. */
import type { ApiError } from '@sevenfold/chassis/errors';
import type { LinkedKind } from './kind';
import { apiError } from '../errors';

type Named = Pick<LinkedKind, 'one' | 'article'>;

export const notFound = ({ one, article }: Named): ApiError =>
  apiError(`${one}-not-found`, 404, `There is not ${article} ${one} with this number or slug.`);

export const inTrash = ({ one }: Named): ApiError =>
  apiError(`${one}-is-in-trash`, 410, `The ${one} is in the trash already.`);

export const noSuchPage = ({ one }: Named, pages: number): ApiError =>
  apiError(`${one}-archive-page-not-found`, 404, `There is no such page: this list has ${pages}.`);

/** What can be wrong with an event as a whole. */
import type { ApiError } from '@sevenfold/chassis/errors';
import { apiError } from '../errors';

export const eventNotFound = (): ApiError =>
  apiError('event-not-found', 404, 'There is no event with this number or slug.');

export const eventInTrash = (): ApiError =>
  apiError('event-is-in-trash', 410, 'The event is in the trash already.');

export const noSuchPage = (pages: number): ApiError =>
  apiError('event-archive-page-not-found', 404, `There is no such page: this list has ${pages}.`);

export const busy = (): ApiError =>
  apiError('conflict', 409, 'The events change faster than they can be read. Try again.');

/** Pictures are fetched by the calendar, long after the batch was applied; the import learns of each one from it. */
import type { EventCall, Subscription } from '@sevenfold/chassis/queue/events';
import type { Deps } from '../deps';
import * as store from './store';

interface ImageNews {
  readonly import_id: string;
  /** 0 when it could not be fetched. */
  readonly attachment: number;
  /** It was there before: what the import made is told apart from what it uses. Not told by earlier versions. */
  readonly found?: boolean;
  readonly uid: string;
  readonly title: string;
  /** Why it could not be fetched; empty when it could. */
  readonly reason: string;
}

export const imageSubscription: Subscription<Deps> = {
  topic: 'calendar.import.image',
  handle: ({ tx, payload }: EventCall<Deps, ImageNews>) => store.noteImage(tx, payload.import_id, payload),
};

/**
 * Pictures of events, venues and organizers: from the `image` of a body to the id of an attachment, and from the id to
 * what clients see. The files belong to the content service.
 */
import { admits } from '@sevenfold/chassis/access';
import type { Actor } from '@sevenfold/chassis/actor';
import { ApiError, invalidParam } from '@sevenfold/chassis/errors';
import type { Media } from './known';
import type { Deps } from '../deps';

/** Check of the argument: a number, an address, or the picture as it is shown; `false`, 0 and null take the picture away. */
export function checkImage(given: unknown): string | undefined {
  const value = named(given);
  if (value === false) return undefined;
  if (isNumeric(value)) return undefined;
  if (typeof value === 'string' && /^https?:$/.test(protocolOf(value))) return undefined;
  return 'image is neither the number of an image nor the address of one.';
}

/** Clients send whole events back, and a picture is shown as an object with its number. */
function named(value: unknown): unknown {
  const { id } = (value ?? {}) as { id?: unknown };
  return isNumeric(id) ? id : value;
}

const isNumeric = (value: unknown): boolean =>
  typeof value === 'number'
    ? Number.isSafeInteger(value) && value >= 0
    : typeof value === 'string' && /^\d{1,15}$/.test(value.trim());

const protocolOf = (text: string): string => (URL.canParse(text) ? new URL(text).protocol : '');

/** It is an address: what stands there is fetched, and kept whatever becomes of the rest of the body. */
export const isFetched = (value: unknown): boolean => typeof value === 'string' && !isNumeric(value);

// Fetching a picture from elsewhere takes as long as the other site takes.
const SIDELOAD_DEADLINE_MS = 20_000;

/**
 * Id of the attachment; 0 for none, undefined when `given` is, or none where `before` is one that the actor may not
 * see. One call of the content service at most: 503 when it is away and the picture is not known, 400 on `param` when there
 * is no such picture or the actor may not read it.
 */
export async function resolveImage(
  deps: Deps,
  given: unknown,
  options: { readonly actor: Actor; readonly param?: string; readonly before?: number },
): Promise<number | undefined> {
  if (given === undefined) return undefined;
  const value = named(given);
  const { actor, param = 'image', before = 0 } = options;
  if (value === null || value === false || Number(value) === 0)
    return (await isHidden(deps, before, actor)) ? undefined : 0;
  if (isNumeric(value)) {
    const id = Number(value);
    const known = (await deps.known.media([id], 'authoritative')).get(id);
    if (known?.isImage && admits(known.access, actor)) return id;
    throw invalidParam(param, `${param}: there is no image with the number ${id}.`);
  }
  const media = await findByUrl(deps, (value as string).trim(), actor).catch((error: unknown) => {
    if (error instanceof ApiError && error.status < 500)
      throw invalidParam(param, `${param}: the picture cannot be used: ${error.message}`);
    throw error;
  });
  if (!media?.isImage || !admits(media.access, actor))
    throw invalidParam(param, `${param}: there is no picture at this address.`);
  await deps.known.learnMedia([media]);
  return media.id;
}

/** Who was not shown a picture was told that there is none, and says so when he sends back what he was shown. */
async function isHidden(deps: Deps, id: number, actor: Actor): Promise<boolean> {
  const media = id === 0 ? undefined : (await deps.known.media([id])).get(id);
  return media !== undefined && !admits(media.access, actor);
}

async function findByUrl(deps: Deps, url: string, actor: Actor): Promise<Media | undefined> {
  if (url.startsWith(`${deps.siteUrl}/`)) return (await deps.content.media.findMediaByUrl({ url })).media;
  return deps.content.media.sideload(
    { url, title: '', author: actor.id, importId: '' },
    { actor, deadlineMs: SIDELOAD_DEADLINE_MS },
  );
}

/** Those of the pictures that the reader may read; 0 is none. */
export async function readableMedia(
  deps: Pick<Deps, 'known'>,
  ids: Iterable<number>,
  actor: Actor,
): Promise<ReadonlyMap<number, Media>> {
  const wanted = new Set(ids);
  wanted.delete(0);
  if (wanted.size === 0) return new Map();
  const found = await deps.known.media([...wanted]);
  return new Map([...found].filter(([, media]) => admits(media.access, actor)));
}

/** As clients see it; `false` when there is none. */
export function presentImage(media: Media | undefined): object | false {
  if (!media) return false;
  const item: Record<string, unknown> = {
    url: media.url,
    id: media.id,
    extension: /\.([a-z0-9]{1,10})$/i.exec(media.url)?.[1] ?? '',
    ...known({ width: media.width, height: media.height, filesize: media.filesize }),
  };
  const sizes = media.sizes.filter(({ name }) => name !== 'full');
  if (sizes.length > 0)
    item.sizes = Object.fromEntries(
      sizes.map((size) => [
        size.name,
        {
          ...known({ width: size.width, height: size.height }),
          'mime-type': size.mimeType,
          ...known({ filesize: size.filesize }),
          url: size.url,
        },
      ]),
    );
  return item;
}

/** Measures of a file that stayed elsewhere may not be known: then nothing is said of them. */
const known = (measures: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(measures).filter(([, value]) => value > 0));

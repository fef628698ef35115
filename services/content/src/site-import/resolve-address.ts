/** What stands here for an address of the other site: a thing by its number or its place, a file, an archive, the site. */
import { LRUCache } from 'lru-cache';
import { fileUrl, sizesOf } from '../media/presenter';
import * as media from '../media/store';
import { postLink } from '../posts/links';
import * as posts from '../posts/store';
import { termLink } from '../terms/presenter';
import * as terms from '../terms/store';
import { taxonomies } from '../terms/taxonomies';
import { askCalendar } from './calendar';
import type { ImportCall } from './call';
import { findImported } from './identities';
import { placeOf, readAddress } from './places';

/** The same address where it leads elsewhere already; undefined where nothing stands for it. */
export type Resolve = (address: string) => Promise<string | undefined>;

export function openResolver(call: ImportCall): Resolve {
  const known = new LRUCache<string, { readonly here: string | undefined }>({ max: 10_000 });
  return async (address) => {
    const [plain, fragment] = withoutFragment(address);
    const found = known.get(plain) ?? { here: await find(call, plain) };
    known.set(plain, found);
    return found.here === undefined ? undefined : found.here + fragment;
  };
}

/** `&#038;` has a mark that begins none. */
function withoutFragment(address: string): [string, string] {
  const at = address.search(/(?<!&)#/);
  return at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at)];
}

const NUMBERS = ['p', 'page_id', 'attachment_id'];

async function find(call: ImportCall, address: string): Promise<string | undefined> {
  const url = readAddress(address);
  if (!url) return undefined;
  for (const name of NUMBERS) {
    const number = url.searchParams.get(name);
    if (number) return linkOf(call, await findImported(call.deps.db, call.site, 'post', number));
  }
  const file = await fileAt(call, url);
  if (file !== undefined) return file;
  const place = placeOf(address);
  if (place === '') return undefined;
  if (call.addresses.some((site) => placeOf(site) === place)) return `${call.deps.siteUrl}/`;
  return (await linkOf(call, await standingAt(call, place))) ?? archiveAt(call, place);
}

async function standingAt({ deps, site }: ImportCall, place: string): Promise<number | undefined> {
  const row = await deps.db.first<{ id: number }>(
    `select id from imported_objects where site = $1 and md5(address) = md5($2) and address = $2 limit 1`,
    [site, place],
  );
  return row?.id;
}

async function linkOf({ deps, calendar }: ImportCall, id: number | undefined): Promise<string | undefined> {
  if (id === undefined) return undefined;
  const row = await posts.findById(deps.db, id);
  if (row) return row.status === 'trash' ? undefined : postLink(deps.siteUrl, row);
  if (!calendar) return undefined;
  const { links } = await askCalendar(calendar, (remote, options) =>
    remote.findLinks({ ids: [id] }, options),
  );
  return links[0]?.link;
}

const COPY = /-(\d{1,5})x(\d{1,5})(\.[a-z0-9]+)$/i;

/** A file that was brought here, or the copy of it in that size. */
async function fileAt({ deps }: ImportCall, url: URL): Promise<string | undefined> {
  const address = url.href.replace(/[?#].*$/, '');
  const copy = COPY.exec(address);
  const whole = await fileOf(deps.db, address);
  if (whole) return fileUrl(deps.siteUrl, whole.file);
  const row = copy ? await fileOf(deps.db, address.replace(COPY, '$3')) : undefined;
  if (!row || !copy) return undefined;
  const [width, height] = [Number(copy[1]), Number(copy[2])];
  const sizes = Object.values(sizesOf(deps.siteUrl, row));
  // Copies are drawn anew here, and may be a pixel off.
  const same = sizes.find(
    (size) => Math.abs((size.width ?? 0) - width) <= 1 && Math.abs((size.height ?? 0) - height) <= 1,
  );
  return same?.source_url ?? fileUrl(deps.siteUrl, row.file);
}

async function fileOf(db: ImportCall['deps']['db'], address: string): Promise<media.MediaRow | undefined> {
  const other = address.replace(/^https?:/, (scheme) => (scheme === 'https:' ? 'http:' : 'https:'));
  const row = (await media.findBySourceUrl(db, address)) ?? (await media.findBySourceUrl(db, other));
  return row && /^https?:/.test(row.file) ? undefined : row;
}

/** Lists of what carries a term: at `…/category/above/below`. */
async function archiveAt({ deps, addresses }: ImportCall, place: string): Promise<string | undefined> {
  for (const site of addresses) {
    const base = `${placeOf(site)}/`;
    if (!place.startsWith(base)) continue;
    const path = place.slice(base.length);
    for (const { name, linkBase } of Object.values(taxonomies)) {
      if (!path.startsWith(`${linkBase}/`)) continue;
      const term = await terms.findBySlug(deps.db, name, path.split('/').at(-1) ?? '');
      if (term) return termLink(deps.siteUrl, term);
    }
  }
  return undefined;
}

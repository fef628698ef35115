/** What stands here for an address of the other site: a thing by its number or its place, a file, an archive, the site. */
import { openLru } from '@sevenfold/chassis/lru';
import { fileUrl, sizesOf } from '../media/presenter';
import * as media from '../media/store';
import { postLink } from '../posts/links';
import * as posts from '../posts/store';
import { termLink } from '../terms/presenter';
import * as terms from '../terms/store';
import { taxonomies } from '../terms/taxonomies';
import { askCalendar } from './calendar';
import type { ImportCall } from './call';
import { findEarlier } from './file-notes';
import { findImported } from './identities';
import { placeOf, readAddress } from './places';

export interface Resolver {
  /** The same address where it leads elsewhere already; undefined where nothing stands for it. */
  here(address: string): Promise<string | undefined>;
  /** Where the same file was before it was replaced. */
  before(address: string): Promise<readonly string[]>;
}

interface Place {
  readonly here: string | undefined;
  readonly before: readonly string[];
}

export function openResolver(call: ImportCall): Resolver {
  const known = openLru<string, Place>({ most: 10_000 });
  const placeAt = async (plain: string): Promise<Place> => {
    const found = known.get(plain) ?? (await find(call, plain));
    known.set(plain, found);
    return found;
  };
  return {
    here: async (address) => {
      const [plain, fragment] = withoutFragment(address);
      const { here } = await placeAt(plain);
      return here === undefined ? undefined : here + fragment;
    },
    before: async (address) => (await placeAt(withoutFragment(address)[0])).before,
  };
}

/** `&#038;` has a mark that begins none. */
function withoutFragment(address: string): [string, string] {
  const at = address.search(/(?<!&)#/);
  return at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at)];
}

const NUMBERS = ['p', 'page_id', 'attachment_id'];

async function find(call: ImportCall, address: string): Promise<Place> {
  const url = readAddress(address);
  const file = url && !NUMBERS.some((name) => url.searchParams.get(name)) && (await fileAt(call, url));
  return file || { here: url && (await linkAt(call, address, url)), before: [] };
}

async function linkAt(call: ImportCall, address: string, url: URL): Promise<string | undefined> {
  for (const name of NUMBERS) {
    const number = url.searchParams.get(name);
    if (number) return linkOf(call, await findImported(call.deps.db, call.site, 'post', number));
  }
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
async function fileAt({ deps }: ImportCall, url: URL): Promise<Place | undefined> {
  const { db, siteUrl } = deps;
  const address = url.href.split(/[?#]/, 1)[0]!;
  const copy = COPY.exec(address);
  const whole = await fileOf(db, address);
  if (whole) {
    const earlier = await findEarlier(db, whole.id);
    return { here: fileUrl(siteUrl, whole.file), before: earlier.map(({ file }) => fileUrl(siteUrl, file)) };
  }
  const row = copy ? await fileOf(db, address.replace(COPY, '$3')) : undefined;
  if (!row || !copy) return undefined;
  const [width, height] = [Number(copy[1]), Number(copy[2])];
  // Copies are drawn anew here, and may be a pixel off.
  const isSame = (size: { readonly width?: number; readonly height?: number }): boolean =>
    Math.abs((size.width ?? 0) - width) <= 1 && Math.abs((size.height ?? 0) - height) <= 1;
  const same = Object.values(sizesOf(siteUrl, row)).find(isSame);
  const earlier = await findEarlier(db, row.id);
  return {
    here: same?.source_url ?? fileUrl(siteUrl, row.file),
    before: earlier.map(({ file, sizes }) => fileUrl(siteUrl, sizes.find(isSame)?.file ?? file)),
  };
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

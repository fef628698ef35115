/**
 * Venues named by their data, as events and imports do. One of the same name is taken instead of making another; what
 * was said anew is written to it if the caller may change it.
 */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Db } from '@sevenfold/chassis/db/sql';
import { invalidParam } from '@sevenfold/chassis/errors';
import { readArgs, toBoolean } from '@sevenfold/chassis/http/args';
import { cleanText } from '@sevenfold/chassis/text/text';
import { toLocal } from '@sevenfold/chassis/text/dates';
import { settlePublication, sqlUtc } from '../common/dates';
import { explain, nextId } from '../common/inline';
import { resolveImage } from '../common/images';
import { canEdit, canRead } from '../common/policy';
import { settleSlug } from '../common/slugs';
import { scaleStatus } from '../common/status-scaling';
import { registeredStatuses } from '../common/statuses';
import { readBody } from '../common/texts';
import { readWebsite } from '../common/urls';
import type { Deps } from '../deps';
import { createArgs } from './schema';
import * as store from './store';

/** Columns that the data name, ready to be written. */
export interface VenueData {
  readonly name: string;
  readonly status?: string;
  readonly fields: store.VenueChanges;
}

const texts = ['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'stateprovince'] as const;

/** Reads the data, and asks for the picture; outside of any transaction. Faults are told of `param`. */
export async function prepareVenue(
  deps: Deps,
  raw: Record<string, unknown>,
  options: { readonly actor: Actor; readonly requestId?: string; readonly param: string },
): Promise<VenueData> {
  const { actor, param } = options;
  const { args } = explain(param, () => readArgs(createArgs, raw));
  const name = cleanText(args.venue as string);
  if (name === '') throw invalidParam(param, `${param}: the name of the venue is missing.`);
  const status = args.status as string | undefined;
  if (status && !(registeredStatuses as readonly string[]).includes(status))
    throw invalidParam(param, `${param}: status is not one of ${registeredStatuses.join(', ')}.`);
  const fields: Record<string, unknown> = {};
  for (const field of texts) if (args[field] !== undefined) fields[field] = cleanText(args[field] as string);
  if (args.description !== undefined) {
    const { raw: descriptionRaw, html } = readBody(actor, args.description as string);
    Object.assign(fields, { descriptionRaw, descriptionHtml: html });
  }
  if (args.website !== undefined) {
    const website = args.website === '' ? '' : readWebsite(args.website as string);
    if (website === undefined) throw invalidParam(param, `${param}: website is not a web address.`);
    fields.website = website;
  }
  if (args.show_map !== undefined) fields.showMap = toBoolean(args.show_map) ?? true;
  if (args.show_map_link !== undefined) fields.showMapLink = toBoolean(args.show_map_link) ?? true;
  if (args.geo_lat !== undefined && args.geo_lng !== undefined)
    Object.assign(fields, { geoLat: args.geo_lat, geoLng: args.geo_lng });
  if (args.image !== undefined) fields.imageId = await resolveImage(deps, args.image, options);
  if (fields.stateprovince === undefined && (fields.state !== undefined || fields.province !== undefined))
    fields.stateprovince = stateOrProvince(fields as Record<string, string>);
  return { name, status, fields };
}

const stateOrProvince = ({ country = '', state = '', province = '' }: Record<string, string>): string =>
  /^(us|usa|united states)\b/i.test(country) ? state || province : province || state;

/** Id of the venue that the data mean. The lock keeps two writers from making it twice. */
export async function findOrCreateVenue(tx: Db, deps: Deps, data: VenueData, actor: Actor): Promise<number> {
  await tx.run('select pg_advisory_xact_lock(hashtextextended(lower($1), 3))', [data.name]);
  const timezone = await deps.known.timezone();
  const now = new Date();
  const modified = { modifiedLocal: toLocal(now, timezone), modifiedUtc: sqlUtc(now) };
  const same = (await store.findByName(tx, data.name)).find((row) => canRead(actor, row));
  if (same) {
    if (Object.keys(data.fields).length > 0 && canEdit(actor, same))
      await store.update(tx, same.id, { ...data.fields, ...modified });
    return same.id;
  }
  const id = await nextId(tx);
  const publication = settlePublication(undefined, scaleStatus(actor, data.status), {}, now, timezone);
  await store.insert(tx, {
    id,
    author: actor.id,
    name: data.name,
    slug: await settleSlug(tx, { table: 'venues', id }, undefined, publication.status, undefined, data.name),
    ...publication,
    ...modified,
    ...data.fields,
  });
  return id;
}

/**
 * Versions before 0.2.0 took markup and repeated blanks out of uids. What they stored is found by what was left of its uid, once:
 * it then has the uid that its source sends. Of several that may mean it the first one gets it.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { cleanText } from '@sevenfold/text/text';

/** Who sends the very uid that is stored means that event, and so does who was stored under it since. */
export async function takeOver(
  tx: Db,
  wanted: readonly { readonly uid: string }[],
  origin: string,
): Promise<void> {
  const sent = new Set(wanted.map(({ uid }) => uid));
  const heirs = [...sent]
    .map((uid) => ({ uid, former: cleanText(uid) }))
    .filter(({ former }) => former !== '' && !sent.has(former));
  if (heirs.length === 0) return;
  await tx.run(
    `update events e set uid = heir.uid, uid_as_sent = true
     from (
       select distinct on (w.former) w.uid, w.former
       from unnest($2::text[], $3::text[]) with ordinality as w (uid, former, n)
       where not exists (select from events known where known.origin = $1 and known.uid <> '' and known.uid = w.uid)
       order by w.former, w.n) as heir
     where e.origin = $1 and e.uid <> '' and e.uid = heir.former and not e.uid_as_sent`,
    [origin, heirs.map(({ uid }) => uid), heirs.map(({ former }) => former)],
  );
}

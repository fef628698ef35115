/**
 * The response cache: what strangers read is kept whole, and shown again for as long as nothing it shows has changed
 * (news.ts). An answer that is being asked for is asked for once; whoever else wants it waits, unless there was news
 * meanwhile. What cannot be kept goes the way of all reads.
 */
import type { Dial } from '@sevenfold/chassis/grpc/dial';
import { AFTER_HEADER, afterText } from '@sevenfold/chassis/news/after';
import { hashOf } from '@sevenfold/chassis/http/body-hash';
import { WANTS_TAGS_HEADER } from '@sevenfold/chassis/http/shows';
import type { Log } from '@sevenfold/chassis/log';
import { type Seen, openSeen } from '@sevenfold/chassis/news/seen';
import { isFresh } from '@sevenfold/chassis/news/record';
import { messagesOf } from '@sevenfold/chassis/news/wrote';
import { Counter } from 'prom-client';
import { send, sendError } from '../edge/answer';
import { errors } from '../edge/errors';
import type { Answer, Exchange } from '../edge/exchange';
import { plainHeaders, requestHeaders } from '../edge/headers';
import { relayRead } from '../relay/reads';
import type { Upstream, Upstreams } from '../relay/upstreams';
import { type Coding, codingFor } from '../edge/codings';
import { keysOfNews } from './keys';
import { answerOf } from '../edge/whole';
import { type Head, type Sharing, headOf, keptOf, readHead } from './make';
import { type ServiceNews, openNews } from './news';
import type { KeepRoom } from '../edge/made';
import type { Press } from './press';
import type { Purge } from './purge';
import { openSizes } from './sizes';
import { type Kept, openStore } from './store';
import { hasNews, touchedBy } from './touched';

export interface Cache {
  /** Whether the answer is on its way: kept, or being asked for by somebody else. */
  answer(exchange: Exchange, upstream: Upstream): boolean;
  /** Asks the service and keeps what it answers. */
  ask(exchange: Exchange, upstream: Upstream): void;
  /**
   * What the gateway itself makes of what services tell it, for this client; kept if all of them say what they told. `form` is which
   * of several the address has for him.
   */
  make(exchange: Exchange, work: (seen: Seen) => Promise<Answer>, form?: string): Promise<Answer>;
  /** What the service is to have heard before it answers (chassis/src/news/after.ts); empty where nothing was written lately. */
  after(service: string): string;
  /** The same among the headers that it is asked with. */
  sayBefore(service: string, headers: Record<string, string | string[]>): void;
  /** A write has gone to the service and made old what its answer says, if it does; to be called before that is passed on. */
  written(service: string, told: string | undefined): void;
  close(): Promise<void>;
}

export interface CacheOptions {
  readonly mostBytes: number;
  readonly upstreams: Upstreams;
  readonly dial: Dial;
  readonly trustProxy: boolean;
  readonly press: Press;
  readonly keepRoom: KeepRoom;
  readonly sharing: Sharing;
  /** Told of what becomes old; absent where there is no cache on the way. */
  readonly purge?: Purge;
  readonly log: Log;
}

const LONGEST_KEY = 2_048;

const reads = new Counter({
  name: 'gateway_cache_reads_total',
  help: 'Reads of strangers by how they were answered: hit, shared with one that was being asked for, miss, or bypass where what is kept cannot be trusted',
  labelNames: ['service', 'result'],
});

const forms = new Counter({
  name: 'gateway_cache_forms_total',
  help: 'Compressed forms that were made of kept answers',
  labelNames: ['coding'],
});
for (const coding of ['br', 'gzip']) forms.inc({ coding }, 0);

/** For whom what was asked for is good besides whoever asked. */
interface Shareable {
  /** Whether a request that comes now may wait for it. */
  isOpen(): boolean;
  /** Whether it is good for those who did: it shows nothing of whom nobody could hear when it was asked for. */
  isForAll(kept: Kept): boolean;
}

/** What the gateway is making of what services tell. */
interface Making extends Shareable {
  /** Undefined where it is not for others. */
  readonly kept: Promise<Kept | undefined>;
}

interface Flight extends Shareable {
  /** Who asked, and whoever came while that went on. */
  readonly leader: Exchange;
  readonly waiting: Set<Exchange>;
}

/** Undefined where there is no room for one. */
export function openCache(options: CacheOptions): Cache | undefined {
  const { mostBytes, upstreams, dial, trustProxy, sharing, purge, press, keepRoom, log } = options;
  if (mostBytes === 0) return undefined;
  const store = openStore(mostBytes);
  const sizes = openSizes(mostBytes);
  const news = new Map<string, ServiceNews>(
    upstreams.all
      .filter(({ service }) => hasNews(service))
      .map(({ service, grpcAddress: address }) => {
        const onTold = purge && ((tags: readonly string[]): void => purge.add(keysOfNews(service, tags)));
        return [service, openNews({ dial, service, address, log, onTold })];
      }),
  );
  const all = [...news.values()];
  const flights = new Map<string, Flight>();

  const makeForm = (key: string, kept: Kept, coding: Coding): void =>
    press.press(kept.body, coding, (form) => {
      const now = store.peek(key);
      // The same bytes, wherever they lie by now.
      if (now?.tag !== kept.tag) return;
      forms.inc({ coding });
      store.exchange(key, {
        ...now,
        forms: { ...now.forms, [coding]: form === kept.body ? now.body : form },
      });
    });

  const shaped = (exchange: Exchange, key: string, kept: Kept, result: 'hit' | 'shared' | 'miss'): Answer => {
    if (kept.by !== undefined) exchange.by = kept.by;
    exchange.route ??= kept.route;
    exchange.kept = result;
    reads.inc({ service: exchange.by, result });
    const asked = exchange.request.headers;
    const coding = kept.isCompressible && !exchange.wrapping ? codingFor(asked) : undefined;
    // Whoever comes after the first one gets the better form, once it is made.
    if (coding && result !== 'miss' && !kept.forms?.[coding]) makeForm(key, kept, coding);
    return answerOf(kept, exchange, coding, result);
  };
  const show: (...given: Parameters<typeof shaped>) => void = (exchange, key, kept, result) => {
    try {
      const answer = shaped(exchange, key, kept, result);
      keepRoom(exchange, answer.body);
      send(exchange, answer);
    } catch (error) {
      // One who wanted another one keeps nobody else from it.
      sendError(exchange, error, log);
    }
  };

  /** Its own; of what has none, as it has no database, those of the services that it asks. */
  const newsOf = (service: string): ServiceNews[] => {
    const own = news.get(service);
    return own ? [own] : [...touchedBy(service)].flatMap((name) => news.get(name) ?? []);
  };
  /**
   * Of what was asked for at that time, until there is news of what it shows. `usual`: of whose news such answers were seen to hang, so
   * others keep nobody from waiting for it, whether they are away or have much to tell; whether it shows anything of these is seen
   * when it is there.
   */
  const untilNews = (begun: number, usual: ReadonlySet<ServiceNews>): Shareable => {
    const places = new Map(all.filter((one) => one.isSure(begun)).map((one) => [one, one.now()]));
    const isAsItWas = (one: ServiceNews): boolean => places.get(one) === one.now() && one.isSure(begun);
    const watched = [...usual];
    return {
      isOpen: () => watched.every(isAsItWas),
      // Who joined may have written what this gateway had heard of, and whoever answers had not.
      isForAll: ({ shown }) =>
        shown.every((one) => (watched.includes(one.news) || isAsItWas(one.news)) && isFresh(one)),
    };
  };

  const made = new Map<string, Making>();
  const ofPages = new Set<ServiceNews>();
  const make: Cache['make'] = async (exchange, work, form = '') => {
    const key = `${ownKeyOf(exchange, trustProxy)} ${form}`;
    const kept = store.find(key);
    if (kept) return shaped(exchange, key, kept, 'hit');
    const running = made.get(key);
    if (running?.isOpen()) {
      const theirs = await running.kept;
      if (theirs && running.isForAll(theirs)) return shaped(exchange, key, theirs, 'shared');
    }
    const begun = performance.now();
    const seen = openSeen();
    const answer = work(seen);
    const making: Making = {
      ...untilNews(begun, ofPages),
      kept: answer.then(
        (one) => {
          const isKept = key.length <= LONGEST_KEY && sizes.isKept(one.body.length);
          const head = isKept ? headOf(one, seen, news) : undefined;
          if (!head) return undefined;
          const { page, body } = one;
          return { ...keptOf(head, body, begun, sharing), page, by: exchange.by, route: exchange.route };
        },
        () => undefined,
      ),
    };
    made.set(key, making);
    const mine = await making.kept;
    if (made.get(key) === making) made.delete(key);
    if (!mine) return answer;
    for (const { news: one } of mine.shown) ofPages.add(one);
    store.keep(key, mine);
    return shaped(exchange, key, mine, 'miss');
  };

  const after: Cache['after'] = (service) => {
    const written: [string, readonly string[]][] = [];
    // Mostly nothing was written lately, and nothing is made of it.
    for (const name of touchedBy(service)) {
      const ids = news.get(name)?.after() ?? [];
      if (ids.length > 0) written.push([name, ids]);
    }
    return written.length === 0 ? '' : afterText(written);
  };
  const sayBefore: Cache['sayBefore'] = (service, headers) => {
    const text = after(service);
    if (text !== '') headers[AFTER_HEADER] = text;
  };
  const pass = (exchange: Exchange, upstream: Upstream, patienceMs?: number): void => {
    bypass(exchange, upstream);
    const headers = requestHeaders(exchange, trustProxy);
    sayBefore(upstream.service, headers);
    relayRead(exchange, upstream, headers, log, undefined, patienceMs);
  };

  /** Of whose news answers of a service were seen to hang. */
  const usual = new Map<string, Set<ServiceNews>>();
  const usualOf = (service: string): Set<ServiceNews> => {
    const known = usual.get(service) ?? new Set(newsOf(service));
    usual.set(service, known);
    return known;
  };
  /** Whoever waited in vain asks by himself, in the time that is left to him. */
  const askAlone = (exchange: Exchange, upstream: Upstream): void => {
    if (exchange.response.destroyed) return;
    exchange.abort = undefined;
    // Since he came the service may have gone.
    if (!upstream.breaker.mayPass(exchange.address))
      return sendError(exchange, errors.serviceDown(upstream.service), log);
    // He has waited as long as he is here, whoever it was for.
    const left = upstream.timeoutMs - (performance.now() - exchange.since);
    if (left > 0) pass(exchange, upstream, left);
    else sendError(exchange, errors.upstreamTimeout(upstream.service), log);
  };

  const ask = (exchange: Exchange, upstream: Upstream): void => {
    const key = keyOf(exchange, upstream);
    const begun = performance.now();
    if (!newsOf(upstream.service).every((one) => one.isSure(begun)) || key.length > LONGEST_KEY)
      return pass(exchange, upstream);
    const shows = usualOf(upstream.service);
    const flight: Flight = { ...untilNews(begun, shows), leader: exchange, waiting: new Set() };
    flights.set(key, flight);
    const land = (): Exchange[] => {
      if (flights.get(key) === flight) flights.delete(key);
      const waiting = [...flight.waiting];
      flight.waiting.clear();
      return waiting;
    };
    let head: Head | undefined;
    let leaveRoom: (() => void) | undefined;
    const headers = plainHeaders(exchange, trustProxy);
    headers[WANTS_TAGS_HEADER] = '1';
    sayBefore(upstream.service, headers);
    relayRead(exchange, upstream, headers, log, {
      wants: (status, given) => {
        leaveRoom?.();
        head = readHead(status, given, upstream.service, news);
        leaveRoom = head && sizes.take(Number(given['content-length']));
        if (!leaveRoom) head = undefined;
        for (const { news: one } of head?.shown ?? []) shows.add(one);
        return head !== undefined;
      },
      whole: (body) => {
        leaveRoom?.();
        const { bodyHash = hashOf(body), ...rest } = head as Head;
        const given = { ...rest, bodyHash, body };
        const told = exchange.profile?.answer(exchange, given) ?? given;
        const kept = { ...keptOf(told, told.body, begun, sharing), route: exchange.route };
        store.keep(key, kept);
        const waiting = land();
        show(exchange, key, kept, 'miss');
        const isForAll = flight.isForAll(kept);
        for (const other of waiting)
          if (isForAll) show(other, key, kept, 'shared');
          else askAlone(other, upstream);
      },
      isShared: () => flight.waiting.size > 0,
      nothing: () => {
        leaveRoom?.();
        land().forEach((other) => askAlone(other, upstream));
      },
    });
  };

  return {
    answer: (exchange, upstream) => {
      const key = keyOf(exchange, upstream);
      const kept = store.find(key);
      if (kept) {
        show(exchange, key, kept, 'hit');
        return true;
      }
      const flight = flights.get(key);
      if (!flight?.isOpen()) return false;
      flight.waiting.add(exchange);
      exchange.abort = () => {
        flight.waiting.delete(exchange);
        if (flight.leader.response.destroyed) flight.leader.abort?.();
      };
      return true;
    },
    ask,
    make,
    after,
    sayBefore,
    written: (service, told) => {
      if (told === undefined) for (const name of touchedBy(service)) news.get(name)?.written();
      else
        for (const { service: name = service, id, tags } of messagesOf(told)) news.get(name)?.wrote(id, tags);
    },
    close: async () => {
      store.close();
      await Promise.all([purge?.close(), ...[...news.values()].map((one) => one.stop())]);
    },
  };
}

function bypass(exchange: Exchange, { service }: Upstream): void {
  exchange.kept = 'bypass';
  reads.inc({ service, result: 'bypass' });
}

const keyOf = ({ request, path, query, profile }: Exchange, { service }: Upstream): string =>
  `${profile?.name ?? ''} ${service} ${request.url ?? `${path}?${query}`}`;

/** What the proxy says of encryption decides whether there is a page or the way to one. */
const ownKeyOf = ({ request }: Exchange, trustProxy: boolean): string =>
  `site ${trustProxy ? String(request.headers['x-forwarded-proto']) : ''} ${request.url}`;

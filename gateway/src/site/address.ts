/** What an address of the site is, outside the interface: how it is read and who answers it. */
import type { Seen } from '@sevenfold/chassis/news/seen';
import type { Answer, Exchange } from '../edge/exchange';
import type { SiteClients } from './clients';
import type { Facts } from './facts';

/** A file as it was when it could be asked for. */
export interface LastKnown {
  readonly digest: string;
  readonly modifiedUtc: string;
  readonly contentType: string;
  readonly body: Buffer;
}

export interface Surroundings {
  /** Without a trailing slash. */
  readonly siteUrl: string;
  readonly clients: SiteClients;
  /** Of the site, as it was told last. */
  readonly facts: Facts;
  /** Where the pages of the site are made, without a trailing slash; empty: here. */
  readonly frontendUrl: string;
  readonly trustProxy: boolean;
  /** Whether the interface can be tried at /docs. */
  readonly explorer: boolean;
  /** By path: what is answered while nobody who knows can be asked. */
  readonly lastKnown: Map<string, LastKnown>;
}

export interface SiteAddress {
  readonly name: string;
  /** What of the address is asked for; undefined where it is none of this kind. */
  readonly read: (exchange: Pick<Exchange, 'path' | 'query'>) => string | undefined;
  /** Undefined where nothing stands there. */
  readonly answer: (
    asked: string,
    exchange: Exchange,
    surroundings: Surroundings,
    /** Notes what it was made of. */
    seen: Seen,
  ) => Promise<Answer | undefined>;
}

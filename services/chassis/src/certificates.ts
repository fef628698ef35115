/**
 * Certificates that are made anew while a process runs: their files are read again every few seconds. What cannot be used
 * (half of it is new, a file is away for a moment) is not taken: what was right before goes on, until it is right again.
 */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import tls from 'node:tls';
import type { experimental } from '@grpc/grpc-js';
import type { Log } from './log';

export interface Pems {
  /** With both a process can serve, and proves who it is when it calls. */
  readonly cert?: Buffer;
  readonly key?: Buffer;
  /** Who may sign the certificates of the other side; then callers need one as well. */
  readonly ca?: Buffer;
}

type Files = { readonly [K in keyof Pems]: string | undefined };

/** Certificates are renewed weeks before their end. */
const LOOK_MS = 5_000;
/** After so many looks in a row what is found is not half of a renewal. */
const TOLD_AT = 2;

/** Files are looked at for as long as anybody listens; that alone keeps no process running. */
export function followPems(files: Files, first: Pems, log?: Log): experimental.CertificateProvider {
  const own = new Set<experimental.IdentityCertificateUpdateListener>();
  const authorities = new Set<experimental.CaCertificateUpdateListener>();
  let current = first;
  let timer: NodeJS.Timeout | undefined;
  let refused = 0;

  const tellOwn = (listener: experimental.IdentityCertificateUpdateListener): void => {
    const { cert: certificate, key: privateKey } = current;
    listener(certificate && privateKey ? { certificate, privateKey } : null);
  };
  const tellAuthority = (listener: experimental.CaCertificateUpdateListener): void =>
    listener(current.ca ? { caCertificate: current.ca } : null);
  const look = async (): Promise<void> => {
    let found: Pems;
    try {
      found = await readPems(files);
      requireNoWorse(found, current);
    } catch (error) {
      refused += 1;
      // Half of it may be new for a moment. What stays so is told once, while there is time: what was right before has an end.
      if (refused === TOLD_AT)
        log?.warn(
          { err: error as Error, files },
          'certificates for gRPC cannot be used; those of before are',
        );
      return;
    }
    refused = 0;
    if (isSame(found, current)) return;
    current = found;
    own.forEach(tellOwn);
    authorities.forEach(tellAuthority);
  };
  const watch = (): void => {
    if (own.size + authorities.size === 0) {
      clearInterval(timer);
      timer = undefined;
    } else if (!timer) {
      timer = setInterval(() => void look(), LOOK_MS).unref();
      // Nobody may have listened for long.
      void look();
    }
  };
  // Who begins to listen late hears of the present at once, but not before it is ready to hear.
  const begin =
    <L>(listeners: Set<L>, tell: (listener: L) => void) =>
    (listener: L): void => {
      listeners.add(listener);
      process.nextTick(() => listeners.has(listener) && tell(listener));
      watch();
    };
  const end =
    <L>(listeners: Set<L>) =>
    (listener: L): void => {
      listeners.delete(listener);
      watch();
    };
  return {
    addCaCertificateListener: begin(authorities, tellAuthority),
    removeCaCertificateListener: end(authorities),
    addIdentityCertificateListener: begin(own, tellOwn),
    removeIdentityCertificateListener: end(own),
  };
}

/** Rejects for what no connection could be made with. */
async function readPems(files: Files): Promise<Pems> {
  const read = async (file: string | undefined): Promise<Buffer | undefined> =>
    file ? await readFile(file) : undefined;
  const [cert, key, ca] = await Promise.all([read(files.cert), read(files.key), read(files.ca)]);
  tls.createSecureContext({ cert, key, ca });
  // Without a certificate in it an authority is taken without a word, and then nobody is believed.
  if (ca) new X509Certificate(ca);
  return { cert, key, ca };
}

/** One that is over, or not yet valid, is put there by mistake, and nobody would believe it; that of before may have weeks left. */
function requireNoWorse({ cert }: Pems, current: Pems): void {
  if (!cert || isValidNow(cert) || !current.cert || !isValidNow(current.cert)) return;
  const { validFrom, validTo } = new X509Certificate(cert);
  throw new Error(`The certificate is valid from ${validFrom} to ${validTo} only.`);
}

function isValidNow(cert: Buffer): boolean {
  const { validFrom, validTo } = new X509Certificate(cert);
  return Date.parse(validFrom) <= Date.now() && Date.now() <= Date.parse(validTo);
}

const isSame = (one: Pems, other: Pems): boolean =>
  (['cert', 'key', 'ca'] as const).every((name) => String(one[name]) === String(other[name]));

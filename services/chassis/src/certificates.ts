/**
 * Certificates that are made anew while a process runs: their files are read again every few seconds. What cannot be used
 * (half of it is new, a file is away for a moment) is not taken: what was right before goes on, until it is right again.
 */
import { readFile } from 'node:fs/promises';
import tls from 'node:tls';
import type { experimental } from '@grpc/grpc-js';

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

/** Files are looked at for as long as anybody listens; that alone keeps no process running. */
export function followPems(files: Files, first: Pems): experimental.CertificateProvider {
  const own = new Set<experimental.IdentityCertificateUpdateListener>();
  const authorities = new Set<experimental.CaCertificateUpdateListener>();
  let current = first;
  let timer: NodeJS.Timeout | undefined;

  const tellOwn = (listener: experimental.IdentityCertificateUpdateListener): void => {
    const { cert: certificate, key: privateKey } = current;
    listener(certificate && privateKey ? { certificate, privateKey } : null);
  };
  const tellAuthority = (listener: experimental.CaCertificateUpdateListener): void =>
    listener(current.ca ? { caCertificate: current.ca } : null);
  const look = async (): Promise<void> => {
    const found = await readPems(files);
    if (!found || isSame(found, current)) return;
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

/** Undefined for what no connection could be made with. */
async function readPems(files: Files): Promise<Pems | undefined> {
  try {
    const read = async (file: string | undefined): Promise<Buffer | undefined> =>
      file ? await readFile(file) : undefined;
    const [cert, key, ca] = await Promise.all([read(files.cert), read(files.key), read(files.ca)]);
    tls.createSecureContext({ cert, key, ca });
    return { cert, key, ca };
  } catch {
    return undefined;
  }
}

const isSame = (one: Pems, other: Pems): boolean =>
  (['cert', 'key', 'ca'] as const).every((name) => String(one[name]) === String(other[name]));

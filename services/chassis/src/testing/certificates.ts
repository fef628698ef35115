/** Certificates for tests, made by openssl in a folder of their own: authorities, and what they sign for this machine. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Certificates {
  /** Of a certificate (`NAME.pem`) or a key (`NAME.key`). */
  readonly file: (name: string) => string;
  readonly makeAuthority: (name: string) => void;
  /** For two days, or for those that ended so many days ago. */
  readonly makeCertificate: (name: string, authority: string, days?: number) => void;
  readonly remove: () => void;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
const openssl = (...args: string[]): Buffer => execFileSync('openssl', args, { stdio: 'pipe' });

export function openCertificates(): Certificates {
  const folder = mkdtempSync(path.join(tmpdir(), 'tls-'));
  const file = (name: string): string => path.join(folder, name);
  return {
    file,
    makeAuthority: (name) => {
      const out = ['-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)];
      openssl('req', '-x509', ...KEY, '-days', '2', '-subj', `/CN=${name}`, ...out);
    },
    makeCertificate: (name, authority, days = 2) => {
      const request = ['-keyout', file(`${name}.key`), '-out', file(`${name}.csr`)];
      openssl('req', ...KEY, '-subj', `/CN=${name}`, ...request);
      writeFileSync(file('san'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
      const by = ['-CA', file(`${authority}.pem`), '-CAkey', file(`${authority}.key`), '-CAcreateserial'];
      const out = ['-extfile', file('san'), '-out', file(`${name}.pem`)];
      openssl('x509', '-req', '-in', file(`${name}.csr`), ...by, '-days', String(days), ...out);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

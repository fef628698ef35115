/** A real SMTP server that keeps what it takes, and does to the rest what a test says. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SMTPServer } from 'smtp-server';

export interface Taken {
  readonly to: readonly string[];
  readonly raw: string;
  readonly messageId: string;
}

/** What becomes of a mail: taken; or refused with a code at its mailboxes or its content; or neither, in some way. */
export type Treatment =
  | { readonly kind: 'take' | 'stall' | 'drop' }
  | { readonly kind: 'refuse'; readonly code: number; readonly at: 'rcpt' | 'data'; readonly only?: string };

export interface FakeSmtp {
  readonly port: number;
  /** In order; what comes twice is here twice. */
  readonly taken: Taken[];
  /** Mails that were begun, taken or not. */
  begun: number;
  treat: () => Treatment;
  /** Waited for before it says that it took one. */
  taking: () => Promise<unknown>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface Tls {
  readonly key: Buffer;
  readonly cert: Buffer;
}

interface Refusal extends Error {
  responseCode?: number;
}

/** As servers do, it names whom it is about. */
const refusal = (code: number, address = ''): Error =>
  Object.assign<Refusal, object>(
    new Error(`<${address}> ${code < 500 ? 'come again' : 'no such thing here'}`),
    {
      responseCode: code,
    },
  );

export function startSmtp(port: number, tls?: Tls): FakeSmtp {
  let server: SMTPServer | undefined;
  const smtp: FakeSmtp = {
    port,
    taken: [],
    begun: 0,
    treat: () => ({ kind: 'take' }),
    taking: () => Promise.resolve(),
    start: () =>
      new Promise((resolve) => {
        server = new SMTPServer({
          authOptional: true,
          disabledCommands: tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
          ...tls,
          closeTimeout: 50,
          onRcptTo: ({ address }, _session, callback) => {
            const how = smtp.treat();
            const refused = how.kind === 'refuse' && how.at === 'rcpt' && (how.only ?? address) === address;
            callback(refused ? refusal(how.code, address) : null);
          },
          onData: (stream, session, callback) => {
            smtp.begun += 1;
            const how = smtp.treat();
            const chunks: Buffer[] = [];
            stream.on('data', (chunk: Buffer) => chunks.push(chunk));
            if (how.kind === 'drop') return void server?.close();
            stream.on('end', () => {
              if (how.kind === 'stall') return;
              if (how.kind === 'refuse' && how.at === 'data') return callback(refusal(how.code));
              const raw = Buffer.concat(chunks).toString('utf8');
              smtp.taken.push({
                to: session.envelope.rcptTo.map(({ address }) => address),
                raw,
                messageId: /^Message-ID: (.*)$/im.exec(raw)?.[1] ?? '',
              });
              void smtp.taking().then(() => callback(null));
            });
          },
        });
        server.on('error', () => undefined);
        server.listen(port, '127.0.0.1', () => resolve());
      }),
    stop: () => new Promise((resolve) => (server ? server.close(() => resolve()) : resolve())),
  };
  return smtp;
}

/** A certificate for this machine that only who is told of it believes. */
export function makeCertificate(): Tls & { readonly file: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'smtp-tls-'));
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...name, '-keyout', key, '-out', cert], {
    stdio: 'pipe',
  });
  return {
    key: readFileSync(key),
    cert: readFileSync(cert),
    file: cert,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

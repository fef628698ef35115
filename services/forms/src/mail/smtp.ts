/**
 * Mail by SMTP: a bounded pool of connections, a limit for every wait, and one limit for all of them together. What a
 * server refuses is told apart by mailbox; nothing is tried again here, that is the job's decision.
 */
import { readFileSync } from 'node:fs';
import type { Span, SpanRow } from '@sevenfold/chassis/tracing/spans';
import { step } from '@sevenfold/chassis/tracing/tracing';
import { type SendMailOptions, createTransport } from 'nodemailer';
import type { SMTPPoolOptions } from 'nodemailer/lib/smtp-pool';
import type { Config } from '../config';
import { oneLine } from './header-text';
import { toOptions } from './mime';
import type { Outcome, Transport } from './transport';

const LONGEST_REASON = 500;
/** Of all waits of one mail together: connecting, greeting, TLS, and each answer. */
const WHOLE_IN_TIMEOUTS = 4;

interface Refusal {
  readonly recipient?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

/** What nodemailer tells of a failure, as far as it is needed. */
interface Failure extends Refusal {
  readonly message: string;
  readonly code?: string;
  readonly command?: string;
  readonly rejectedErrors?: readonly Refusal[];
}

export function openSmtp(config: Config): Transport {
  const timeout = config.SMTP_TIMEOUT * 1000;
  const server = serverOf(config);
  const options: SMTPPoolOptions & { pool: true } = {
    ...server,
    pool: true,
    maxConnections: config.SMTP_CONNECTIONS,
    // A connection that breaks is the job's to know: the pool would send again without telling.
    maxRequeues: 0,
    requireTLS: config.SMTP_STARTTLS === 'required',
    ignoreTLS: config.SMTP_STARTTLS === 'never',
    tls: { minVersion: 'TLSv1.2', ...(config.SMTP_TLS_CA ? { ca: readFileSync(config.SMTP_TLS_CA) } : {}) },
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    dnsTimeout: timeout,
    socketTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const pool = createTransport(options);
  // A fault of a connection that nobody uses any more belongs to no mail.
  pool.on('error', () => undefined);
  const deliver: Transport['send'] = async (message, attachments, recipients) => {
    const mail: SendMailOptions & { signal: AbortSignal } = {
      ...toOptions(message, attachments),
      envelope: { from: message.from.address, to: [...recipients] },
      ...dsnOf(config, message.messageId),
      signal: AbortSignal.timeout(timeout * WHOLE_IN_TIMEOUTS),
    };
    try {
      const { accepted, rejectedErrors = [], response } = await pool.sendMail(mail);
      // That the others were taken is no reason why some were not.
      const said = saidOf(rejectedErrors) || short(response);
      return { accepted, ...sorted(rejectedErrors), said, outage: false };
    } catch (error) {
      return failed(error as Failure, recipients);
    }
  };
  return {
    send: (...mail) =>
      step(
        () => mailSpan(server),
        async (span) => {
          const outcome = await deliver(...mail);
          noteOutcome(span, outcome);
          return outcome;
        },
      ),
    longestSeconds: config.SMTP_TIMEOUT * WHOLE_IN_TIMEOUTS,
    close: () => pool.close(),
  };
}

/** To whom a mail goes, and what is in it, is nobody's business. */
const mailSpan = ({ host, port }: Server): SpanRow => ({
  kind: 'client',
  name: 'SMTP send',
  attributes: { 'network.protocol.name': 'smtp', 'server.address': host, 'server.port': port },
});

function noteOutcome(span: Span | undefined, { outage, later, never }: Outcome): void {
  if (outage) span?.fail(Object.assign(new Error(), { name: 'Outage' }));
  else if (later.length + never.length > 0) span?.fail(Object.assign(new Error(), { name: 'Refused' }));
}

export function isSmtpConfigured(config: Pick<Config, 'SMTP_URL' | 'SMTP_HOST'>): boolean {
  return config.SMTP_URL !== '' || config.SMTP_HOST !== '';
}

interface Server {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte on. */
  readonly secure: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
}

function serverOf(config: Config): Server {
  if (config.SMTP_URL === '') {
    const { SMTP_HOST: host, SMTP_PORT: port, SMTP_USER: user, SMTP_PASSWORD: pass } = config;
    return { host, port, secure: port === 465, ...(user === '' ? {} : { auth: { user, pass } }) };
  }
  const url = new URL(config.SMTP_URL);
  if (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')
    throw new Error('SMTP_URL must begin with smtp:// or smtps://.');
  const secure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(url.password) } }),
  };
}

function dsnOf({ SMTP_DSN: notify }: Config, messageId: string): Pick<SendMailOptions, 'dsn'> {
  if (notify === '') return {};
  const id = messageId.replace(/[<>]/g, '');
  return { dsn: { id, return: 'headers', notify: notify.split(',') } };
}

const isFinal = (code: number | undefined): boolean => code !== undefined && code >= 500 && code <= 599;

function sorted(refusals: readonly Refusal[]): Pick<Outcome, 'later' | 'never'> {
  const of = (final: boolean): string[] =>
    refusals.flatMap(({ recipient, responseCode }) =>
      recipient !== undefined && isFinal(responseCode) === final ? [recipient] : [],
    );
  return { later: of(false), never: of(true) };
}

/** Where a mail was judged, by its sender, its mailboxes or its content, the answer is about it; else it is about us. */
function failed(failure: Failure, recipients: readonly string[]): Outcome {
  const said = short(failure.response ?? failure.message);
  const none = { accepted: [], later: [], never: [], said, outage: false };
  const { code, responseCode, rejectedErrors = [] } = failure;
  if ((code !== 'EENVELOPE' && code !== 'EMESSAGE') || responseCode === 421)
    return { ...none, later: recipients, outage: true, cause: causeOf(failure) };
  if (rejectedErrors.length > 0) return { ...none, ...sorted(rejectedErrors), said: saidOf(rejectedErrors) };
  // Without an answer it was found out here: too large for this server, or no envelope at all.
  return responseCode === undefined || isFinal(responseCode)
    ? { ...none, never: recipients }
    : { ...none, later: recipients };
}

/** What servers say may name mailboxes, or repeat a password: of their answers only which one it was. */
const causeOf = ({ code, command = '', response, responseCode, message }: Failure): string =>
  response === undefined ? short(message) : `the mail server answered ${responseCode ?? code} (${command}).`;

/** Each answer once. */
const saidOf = (refusals: readonly Refusal[]): string =>
  short([...new Set(refusals.flatMap(({ response }) => response ?? []))].join('; '));

const short = (text: string): string => oneLine(text, LONGEST_REASON);

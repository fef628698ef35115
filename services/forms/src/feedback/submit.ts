/**
 * From what was posted to what the sender is told: who may, validation, acceptance, spam, abort, and then what was sent is
 * kept with the promises of its mail. A row is made before the filter is asked, so that a second one of the same finds it;
 * whoever comes to a row that is not settled, goes on with it. So a crash at any point costs nothing: the same again, or
 * the sweep, does the rest.
 */
import { type Actor, isLoggedIn } from '@sevenfold/chassis/actor';
import { stripControl } from '@sevenfold/text/text';
import type { RequestInfo } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';
import { errors } from '../errors';
import type { MessageName } from '../forms/properties';
import { todayAt } from '../forms/render';
import type { FormRow } from '../forms/store';
import { type Form, fieldsOf } from '../tags/form';
import { type InvalidField, errorId, isAcceptanceMissing, validate } from '../tags/validate';
import { type Values, readTokens, readValues, withoutAnswers } from '../tags/values';
import { mailsOf } from '../mail/mails-of';
import { keepFile } from '../uploads/keep';
import type { NewUpload } from '../uploads/store';
import { charge } from './allowance';
import { containerOf, isHoneypotFilled, shownAtOf, unitTagOf } from './place';
import type { Posted, PostedFile } from './posted';
import { type Receipt, receiptOf } from './receipt';
import { type Settings, readSettings } from './settings';
import { judge, judgedHere } from './spam';
import * as store from './store';

export type Status =
  | 'mail_sent'
  | 'mail_failed'
  | 'validation_failed'
  | 'acceptance_missing'
  | 'spam'
  | 'aborted'
  /** Strangers may not send this form. */
  | 'error';

export interface Outcome {
  readonly status: Status;
  readonly message: string;
  readonly values: Values;
  readonly invalid: readonly InvalidField[];
  /** '' where the unit tag that was sent is none. */
  readonly unitTag: string;
  /** Of what was posted. */
  readonly hash: string;
}

export interface Sender {
  readonly actor: Actor;
  readonly request: RequestInfo;
}

/** What a submission has been found to be before anything is kept. */
interface Read {
  readonly form: FormRow;
  readonly parsed: Form;
  readonly settings: Settings;
  readonly posted: Posted;
  readonly values: Values;
  readonly unitTag: string;
  readonly receipt: Receipt;
}

export async function submit(deps: Deps, sender: Sender, form: FormRow, posted: Posted): Promise<Outcome> {
  const read = readSubmission(deps, sender, form, posted);
  const { settings } = read;
  const tell = (status: Status, more: Partial<Outcome> = {}): Outcome => ({
    status,
    message: messageOf(read, status),
    values: read.values,
    invalid: [],
    unitTag: read.unitTag,
    hash: read.receipt.digest.toString('hex').slice(0, 32),
    ...more,
  });
  if (settings.isOn('subscribers_only') && !isLoggedIn(sender.actor)) return tell('error');
  const invalid = faultsOf(deps, read, await todayAt(deps, read.parsed));
  if (invalid.length > 0) return tell('validation_failed', { invalid });
  if (!settings.isOn('acceptance_as_validation') && isAcceptanceMissing(read.parsed, read.values))
    return tell('acceptance_missing');
  const end = endWithoutKeeping(settings);
  if (end) return tell(judgedHere(metaOf(sender, read)) ? 'spam' : end);
  const taken = await keep(deps, sender, read);
  const result = await settle(deps, form, taken);
  return tell(await deliveredOr(deps, read, taken.id, result));
}

/** Where the form keeps nothing of what is right. */
function endWithoutKeeping(settings: Settings): Status | undefined {
  if (settings.text('abort') !== '' && !settings.isOff('abort')) return 'aborted';
  return settings.isOn('demo_mode') ? 'mail_sent' : undefined;
}

function readSubmission(deps: Deps, { request }: Sender, form: FormRow, posted: Posted): Read {
  const parsed = deps.parsed(form);
  const settings = readSettings(form.additional_settings);
  const values = readValues(parsed, posted.fields);
  const receipt = receiptOf(
    {
      formId: form.id,
      values: withoutAnswers(parsed, values),
      files: posted.files,
      address: request.address,
      header: request.headers['idempotency-key'],
    },
    deps.signingKeys,
    repeatSeconds(deps, settings),
  );
  return { form, parsed, settings, posted, values, unitTag: unitTagOf(posted), receipt };
}

/** Who waits for mail cannot come again before it has gone: until then it is a repeat all the more. */
function repeatSeconds({ config }: Deps, settings: Settings): number {
  const { FORM_REPEAT_SECONDS: repeat, FORM_WAIT_SECONDS: wait } = config;
  return repeat > 0 && settings.isOn('wait_for_mail') ? wait + repeat : repeat;
}

function faultsOf(deps: Deps, read: Read, today: string): InvalidField[] {
  const { form, parsed, settings, posted, values, unitTag } = read;
  const invalid = validate(parsed, values, byField(posted.files), form.messages, {
    unitTag,
    today,
    signing: { formId: form.id, keys: deps.signingKeys, now: new Date() },
    tokens: readTokens(parsed, posted.fields),
    acceptances: settings.isOn('acceptance_as_validation'),
  });
  const known = new Set(invalid.map(({ field }) => field));
  const pretended = new Set(posted.files.filter(({ type }) => type === '').map(({ field }) => field));
  const order = fieldsOf(parsed);
  const more = order
    .filter(({ name }) => pretended.has(name) && !known.has(name))
    .map(({ name, settings: { id } }) => ({
      field: name,
      message: form.messages.upload_file_type_invalid,
      idref: id ?? null,
      error_id: errorId(unitTag, name),
    }));
  const place = new Map(order.map(({ name }, at) => [name, at]));
  return [...invalid, ...more].sort((a, b) => (place.get(a.field) ?? 0) - (place.get(b.field) ?? 0));
}

function byField(files: readonly PostedFile[]): Record<string, PostedFile[]> {
  const groups = Object.create(null) as Record<string, PostedFile[]>;
  for (const file of files) (groups[file.field] ??= []).push(file);
  return groups;
}

const MESSAGE: Partial<Record<Status, MessageName>> = {
  mail_sent: 'mail_sent_ok',
  mail_failed: 'mail_sent_ng',
  validation_failed: 'validation_error',
  acceptance_missing: 'accept_terms',
  spam: 'spam',
};

function messageOf({ form, settings }: Read, status: Status): string {
  const name = MESSAGE[status];
  if (name) return form.messages[name];
  if (status === 'error') return 'Only users who are logged in can send this form.';
  return settings.isOn('abort') ? 'This form takes no messages at the moment.' : settings.text('abort');
}

const LONGEST_ADDRESS = 2_000;
const LONGEST_AGENT = 500;

const accountOf = ({ username: login, email, url, name }: Actor): store.Meta['user'] => ({
  login,
  email,
  url,
  name,
});

function metaOf({ actor, request }: Sender, { form, posted, unitTag }: Read): store.Meta {
  const referrer = stripControl(request.headers.referer ?? '').slice(0, LONGEST_ADDRESS);
  const shownAt = shownAtOf(posted);
  return {
    address: request.address,
    agent: stripControl(request.userAgent).slice(0, LONGEST_AGENT),
    referrer,
    url: referrer,
    container: containerOf(posted),
    unit_tag: unitTag,
    locale: form.locale,
    honeypot: isHoneypotFilled(posted),
    seconds_to_fill: shownAt === undefined ? 0 : Math.round(Date.now() / 1000 - shownAt),
    ...(isLoggedIn(actor) && { user: accountOf(actor) }),
  };
}

async function keep(deps: Deps, sender: Sender, read: Read): Promise<store.Taken> {
  const { receipt } = read;
  // What comes again takes no room: neither of its sender nor, for an hour, of the disk.
  const taken = (await store.findByKeys(deps.db, receipt.keys)) ?? (await keepNew(deps, sender, read));
  if (!taken.digest.equals(receipt.digest)) throw errors.keyReused();
  return taken;
}

async function keepNew(deps: Deps, sender: Sender, read: Read): Promise<store.Taken> {
  const { form, settings, posted, values, receipt } = read;
  const sizes = posted.files.map(({ bytes }) => bytes);
  await charge(
    deps,
    sender.request.address,
    sizes.reduce((sum, size) => sum + size, Buffer.byteLength(JSON.stringify(values))),
  );
  const uploads: NewUpload[] = [];
  for (const { field, name, type, file, bytes } of posted.files)
    uploads.push(await keepFile(deps, { field, name, type, source: { file, size: bytes } }));
  return store.take(deps.db, {
    formId: form.id,
    values,
    meta: metaOf(sender, read),
    keep: !settings.isOn('do_not_store'),
    uploads,
    ...receipt,
  });
}

type Unsettled = Pick<store.SubmissionRow, 'id' | 'result' | 'values' | 'meta'>;

/** What the sender of a submission is told, now or when it was settled. */
export async function settle(deps: Deps, form: FormRow, row: Unsettled): Promise<store.Result> {
  if (row.result) return row.result;
  const judgement = await judge(deps, deps.parsed(form), row);
  return store.settle(deps.db, row.id, judgement, mailsOf(form));
}

/** Where the form wants its senders to wait, nothing counts as sent that has not gone out. */
async function deliveredOr(
  deps: Deps,
  { form, settings }: Read,
  id: number,
  result: store.Result,
): Promise<Status> {
  if (result !== 'mail_sent' || !settings.isOn('wait_for_mail') || mailsOf(form).length === 0) return result;
  return (await deps.mailWatch.outcome(id, deps.config.FORM_WAIT_SECONDS * 1000)) === 'sent'
    ? 'mail_sent'
    : 'mail_failed';
}

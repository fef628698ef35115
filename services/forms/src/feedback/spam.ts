/** What the spam filter is asked about a submission, and what is done with its word. */
import { toApiError } from '@sevenfold/chassis/errors';
import { logFault } from '@sevenfold/chassis/outages';
import { doubledSeconds } from '@sevenfold/chassis/queue/back-off';
import { type CheckResponse, type Message, Verdict } from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/spam';
import { shorten } from '@sevenfold/text/text';
import type { Deps } from '../deps';
import { CHOOSING, type Form, type FormTag, type SenderPart, fieldsOf } from '../tags/form';
import { type Values, freeTextIn, listOf } from '../tags/values';
import type { Judgement, Meta } from './store';

/** Somebody waits for the answer; what was not judged in time is accepted and judged later. */
const DEADLINE_MS = 1_500;
/** A job has more time. */
const PATIENT_MS = 10_000;

const SHORTEST_AGENT = 2;

/** What is known without asking: browsers and honest programs say what they are. */
export function judgedHere({ agent }: Pick<Meta, 'agent'>): Judgement | undefined {
  if (agent.trim().length >= SHORTEST_AGENT) return undefined;
  const evidence = [{ name: 'agent', weight: 10, detail: 'The sender does not say what program it is.' }];
  return { verdict: 'spam', score: 1, evidence, keepDays: 15 };
}

export interface Judged {
  readonly id: number;
  readonly values: Values;
  readonly meta: Meta;
}

/** Undefined: the filter is away. */
export async function judge(deps: Deps, form: Form, submission: Judged): Promise<Judgement | undefined> {
  try {
    return await ask(deps, form, submission, DEADLINE_MS);
  } catch (error) {
    const known = toApiError(error);
    logFault(deps.log, known, { submission: submission.id }, 'the spam filter could not be asked');
    return undefined;
  }
}

/** Throws what asking throws. */
export const judgePatiently = (deps: Deps, form: Form, submission: Judged): Promise<Judgement> =>
  ask(deps, form, submission, PATIENT_MS);

async function ask(deps: Deps, form: Form, submission: Judged, deadlineMs: number): Promise<Judgement> {
  const known = judgedHere(submission.meta);
  if (known) return known;
  return judgementOf(
    await deps.spam.check(
      { key: keyOf(submission.id), message: messageOf(form, submission) },
      { deadlineMs, repeatable: true },
    ),
  );
}

const LONGEST_PAUSE_SECONDS = 60;

/** How long a job waits for a filter that is away. */
export const pauseAfter = (attempt: number): number => doubledSeconds(attempt, 1, LONGEST_PAUSE_SECONDS);

export const keyOf = (id: number): string => `submission/${id}`;

const WORDS = { [Verdict.VERDICT_SPAM]: 'spam', [Verdict.VERDICT_BLATANT]: 'blatant' } as const;

const judgementOf = ({ verdict, score, evidence, keepDays, refuse }: CheckResponse): Judgement => ({
  verdict: WORDS[verdict as keyof typeof WORDS] ?? 'ham',
  score,
  evidence,
  keepDays,
  refuse,
});

/** Types whose values say nothing but what the form offered, or who the sender is. */
const NOT_TEXT = new Set(['quiz', 'captchar', 'acceptance', 'number', 'range', 'date', 'file']);

/** What these hold is written by the author of the form; but whoever sends it may write anything into a hidden field, which nobody sees. */
const OFFERS = new Set<FormTag['type']>(['hidden', ...CHOOSING]);

/** What of a value is its sender's own; '' where it is the form's. */
function ownText(tag: FormTag, text: string): string {
  if (!OFFERS.has(tag.type)) return text;
  return tag.choices.some(({ label }) => label === text) ? '' : (freeTextIn(tag, text) ?? text);
}

/** UTF-16 units of a message that the filter looks at. */
const MOST_CONTENT = 64 * 1024;

/** As much as the filter looks at: a long text hides none behind it, and short ones leave their room to the others. */
function joinShared(texts: readonly string[]): string {
  const lengths = texts.map(({ length }) => length).sort((a, b) => a - b);
  let room = MOST_CONTENT - texts.length;
  let share = room;
  for (const [at, length] of lengths.entries()) {
    share = Math.floor(room / (lengths.length - at));
    if (length > share) break;
    room -= length;
  }
  return texts.map((text) => shorten(text, share)).join('\n');
}

export function messageOf(form: Form, { values, meta }: Omit<Judged, 'id'>): Message {
  const fields = fieldsOf(form);
  const hinted = (part: SenderPart): string | undefined => {
    const tag = fields.find(({ settings }) => settings.sender === part);
    return tag && listOf(values, tag.name)[0];
  };
  const ofType = (type: string): string => {
    const tag = fields.find((one) => one.type === type);
    return (tag && listOf(values, tag.name)[0]) ?? '';
  };
  const named = fields.find(({ type, name }) => type === 'text' && /(?:^|[-_])name$/i.test(name));
  const texts = fields
    .filter(({ type }) => !NOT_TEXT.has(type))
    .map((tag) =>
      listOf(values, tag.name)
        .map((text) => ownText(tag, text))
        .filter(Boolean)
        .join('\n'),
    )
    .filter(Boolean);
  // A form that was changed since has other fields: what is taught or judged late is still what was sent.
  const known = new Set(fields.map(({ name }) => name));
  const gone = Object.keys(values)
    .filter((name) => !known.has(name))
    .map((name) => listOf(values, name).join('\n'))
    .filter(Boolean);
  return {
    kind: 'contact-form',
    authorName: hinted('author') ?? (named ? (listOf(values, named.name)[0] ?? '') : ''),
    authorEmail: hinted('author_email') ?? ofType('email'),
    authorUrl: hinted('author_url') ?? ofType('url'),
    address: meta.address,
    userAgent: meta.agent,
    referrer: meta.referrer,
    content: joinShared([...texts, ...gone]),
    permalink: meta.url,
    language: meta.locale,
    honeypot: meta.honeypot,
    secondsToFill: meta.seconds_to_fill,
  };
}

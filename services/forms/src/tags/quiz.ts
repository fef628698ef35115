/*
 * Questions that visitors answer: of quizzes, where the author wrote them, and of captchas, where we make a small
 * sum. A token beside the question says which answer is right and until when, for whoever has a key: nothing has
 * to be kept, and any process can check it. Once it has expired a fresh question is one request away.
 */

import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { normalized } from '@sevenfold/text/normalized';
import type { Form, FormTag } from './form';

export interface Signing {
  formId: number;
  /** The first one signs, all of them are believed. */
  keys: readonly Buffer[];
  now: Date;
  /** Picks one of so many; tests hand in their own. */
  pick?: (count: number) => number;
}

/** What is asked, and the token that has to come back with the answer. */
export type Question = readonly [question: string, token: string];

export interface Questions {
  quiz?: Record<string, Question>;
  captcha?: Record<string, Question>;
}

// Long enough for a page that stays open overnight, short enough that a harvested answer is not one for ever.
const LIFETIME = 24 * 60 * 60 * 1000;
const TOKEN = /^([a-z\d]{1,10})\.([\w-]{43})$/;
const LONGEST_ANSWER = 1000;
const SPARE = { label: '1+1=?', value: '2' };

export const quizTokenField = (name: string): string => `_contact_form_quiz_answer_${name}`;
export const captchaTokenField = (name: string): string => `_contact_form_captcha_challenge_${name}`;

/** A fresh question for each quiz and captcha of the form; no key where there is none of its kind. */
export function freshQuestions(form: Form, signing: Signing): Questions {
  const questions: Questions = {};
  for (const tag of form.tags) {
    if (tag.type === 'quiz') (questions.quiz ??= emptyMap())[tag.name] = questionOf(tag, signing);
    if (tag.type === 'captchac') (questions.captcha ??= emptyMap())[tag.name] = questionOf(tag, signing);
  }
  return questions;
}

export function questionOf(tag: FormTag, signing: Signing): Question {
  const pick = signing.pick ?? randomInt;
  const { label, value } =
    tag.type === 'quiz' ? (tag.choices[pick(Math.max(1, tag.choices.length))] ?? SPARE) : sum(pick);
  return [label, tokenOf(tag.name, value, signing)];
}

/** Whether the token was made for this answer in this field of this form, and still counts. */
export function isRightAnswer(name: string, answer: string, token: string, signing: Signing): boolean {
  const [, expiry, mark] = TOKEN.exec(token) ?? [];
  if (!expiry || !mark || answer.length > LONGEST_ANSWER) return false;
  const given = Buffer.from(mark);
  if (!signatures(name, answer, expiry, signing).some((one) => timingSafeEqual(one, given))) return false;
  return parseInt(expiry, 36) > signing.now.getTime();
}

function tokenOf(name: string, answer: string, signing: Signing): string {
  const expiry = (signing.now.getTime() + LIFETIME).toString(36);
  return `${expiry}.${String(signatures(name, answer, expiry, signing)[0])}`;
}

function signatures(name: string, answer: string, expiry: string, { formId, keys }: Signing): Buffer[] {
  const said = JSON.stringify(['quiz', formId, name, expiry, normalize(answer)]);
  return keys.map((key) => Buffer.from(createHmac('sha256', key).update(said).digest('base64url')));
}

/** Case, width and spaces are how people type, not what they answer. */
function normalize(answer: string): string {
  return normalized(answer, 'NFKC').toLowerCase().replace(/\s+/g, '');
}

function sum(pick: (count: number) => number): { label: string; value: string } {
  const [one, two] = [pick(9) + 1, pick(9) + 1];
  return { label: `What is ${one} plus ${two}?`, value: String(one + two) };
}

const emptyMap = (): Record<string, Question> => Object.create(null) as Record<string, Question>;

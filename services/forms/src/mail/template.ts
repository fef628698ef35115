/**
 * What mail is composed of: a template, which the author of the form wrote, and what a visitor submitted. The two never
 * mix before they are data: templates are cut into addresses, headers and lines first, values are put into the pieces.
 */
import type { NewUpload } from '../uploads/store';

export interface SubmittedField {
  /** As the visitor sent it. */
  readonly raw: readonly string[];
  /** What follows the pipe in the form, where there is one: written by the author, and for no visitor's eyes. */
  readonly piped?: readonly string[];
  /** What the visitor wrote behind each of these, or in its place where it is empty; absent: nothing. */
  readonly own?: readonly string[];
}

export type SubmittedFile = Pick<NewUpload, 'field' | 'name' | 'type' | 'bytes' | 'objectKey'>;

export interface Submitted {
  readonly fields: ReadonlyMap<string, SubmittedField>;
  readonly files: readonly SubmittedFile[];
  /** Values of mail tags that begin with an underscore. */
  readonly special: ReadonlyMap<string, string>;
  /** Stable: the same for every try of the same mail. */
  readonly messageId: string;
  readonly date: Date;
  /** Of the site. */
  readonly zone: string;
}

export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/** A message as structured data, in the words of nodemailer. */
export interface Message {
  readonly from: Mailbox;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly bcc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly headers: readonly { readonly key: string; readonly value: string }[];
  readonly files: readonly SubmittedFile[];
  readonly messageId: string;
  readonly date: Date;
}

/** Ways out for mail: an SMTP server, or the local mailbox. Neither throws for what a server says or does. */
import type { Attachment } from './mime';
import type { Message } from './template';

export interface Outcome {
  /** Mailboxes that it was taken for. */
  readonly accepted: readonly string[];
  /** Mailboxes to try again. */
  readonly later: readonly string[];
  /** Mailboxes that will never take it. */
  readonly never: readonly string[];
  /** What the server said: of the mailboxes that it refused, where there are any; or what happened instead. */
  readonly said: string;
  /** Nobody judged the mail: the server is away, refuses us, or broke off. */
  readonly outage: boolean;
  /** Of an outage, as far as logs may have it. */
  readonly cause?: string;
}

export interface Transport {
  send(message: Message, attachments: readonly Attachment[], recipients: readonly string[]): Promise<Outcome>;
  /** After so long a try is over, whatever the server does. */
  readonly longestSeconds: number;
  close(): void;
}

/** All mailboxes that a message goes to, each once. */
export const recipientsOf = ({ to, cc, bcc }: Message): string[] => [
  ...new Set([...to, ...cc, ...bcc].map(({ address }) => address)),
];

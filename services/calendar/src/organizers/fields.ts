/** From the arguments of an organizer to its columns. Pure. */
import { cleanText } from '@sevenfold/text/text';

/** Absent arguments stay absent; empty text clears. Whether mail arrives at the address is not asked. */
export const ownOrganizerFields = (args: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  args.email === undefined ? {} : { email: cleanText(args.email as string) };

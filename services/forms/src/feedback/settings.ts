/** Additional settings of a form: lines `name: value`. Of several lines with one name the last one counts. */

export type Setting =
  /** Answers as if mail had been sent; nothing is kept. */
  | 'demo_mode'
  /** Keeps what was sent, and sends no mail. */
  | 'skip_mail'
  /** Strangers may not send it. */
  | 'subscribers_only'
  /** A missing acceptance is a fault of its field. */
  | 'acceptance_as_validation'
  /** What was sent is forgotten once its mail has gone. */
  | 'do_not_store'
  /** The answer waits for the mail. */
  | 'wait_for_mail'
  /** Off: the lines of the form do not become paragraphs. */
  | 'autop'
  /** Takes nothing for now; a text in place of `on` says why. */
  | 'abort';

export interface Settings {
  isOn(name: Setting): boolean;
  isOff(name: Setting): boolean;
  /** What stands behind the name, '' where it is not set. */
  text(name: Setting): string;
}

const LINE = /^([a-z][a-z0-9_]*)\s*:(.*)$/i;
const ON = new Set(['on', 'true', '1', 'yes']);
const OFF = new Set(['off', 'false', '0', 'no']);

export function readSettings(text: string): Settings {
  const values = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, name, value] = LINE.exec(line.trim()) ?? [];
    if (name !== undefined) values.set(name.toLowerCase(), (value ?? '').trim());
  }
  const textOf = (name: Setting): string => values.get(name) ?? '';
  return {
    isOn: (name) => ON.has(textOf(name).toLowerCase()),
    isOff: (name) => OFF.has(textOf(name).toLowerCase()),
    text: textOf,
  };
}

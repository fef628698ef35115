/** Whatever a visitor sends: the raw message has our headers, once each, and goes to nobody but whom the template names. */
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { compose } from './compose';
import { toMime } from './mime';
import { makeSubmitted, makeTemplate } from './testing/samples';

const OURS = [
  'from',
  'to',
  'cc',
  'reply-to',
  'subject',
  'x-form',
  'message-id',
  'date',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
];

const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '\r\n',
    '\n',
    '\r',
    '\u2028',
    '\u0085',
    '\0',
    'Bcc: evil@evil.test',
    '\r\nBcc: evil@evil.test\r\n\r\nbody',
    ', evil@evil.test',
    '<evil@evil.test>',
    'evil@evil.test',
    'good@example.org',
    '"',
    ')',
    '(',
    ':',
    ';',
    'group: evil@evil.test;',
    '=?utf-8?Q?=0D=0ABcc:_evil@evil.test?=',
    '[your-email]',
    '\uE0000\uE001',
    '%0d%0aBcc: evil@evil.test',
  ),
);
const value = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));

const templates = [false, true].map((useHtml) =>
  makeTemplate({
    sender: '"[name]" <forms@site.test>',
    recipient: 'office@site.test, "[name]" <second@site.test>',
    subject: 'About [subject] [name]',
    body: '<p>[text]</p> [name]',
    additional_headers: 'Reply-To: "[name]" <[mail]>, [mail]\nCc: [mail]\nX-Form: [name] [subject]',
    use_html: useHtml,
  }),
);

it('no value adds a header, a recipient or a second message', async () => {
  await fc.assert(
    fc.asyncProperty(
      value,
      value,
      value,
      value,
      fc.constantFrom(...templates),
      async (name, mail, subject, text, template) => {
        const message = compose(template, makeSubmitted({ name, mail, subject, text }));
        const raw = await toMime(message, []);
        const parsed = await new PostalMime().parse(raw);
        const keys = parsed.headers.map(({ key }) => key);
        expect(keys.filter((key) => !OURS.includes(key))).toEqual([]);
        expect(new Set(keys).size).toBe(keys.length);
        expect(parsed.from?.address).toBe('forms@site.test');
        expect(parsed.to?.map(({ address }) => address)).toEqual(['office@site.test', 'second@site.test']);
        expect(parsed.bcc).toBeUndefined();
        // A visitor's value is the whole mailbox, or there is none.
        const own = parsed.cc?.map(({ address }) => address) ?? [];
        expect(own.length).toBeLessThanOrEqual(1);
        for (const address of own) expect(mail.trim().toLowerCase()).toBe(address?.toLowerCase());
        // Not by the parser's word alone: every line of the head begins one of our headers, or goes on with one
        // (a long word stands on the line after the name).
        const [head = ''] = raw.toString('latin1').split('\r\n\r\n', 1);
        for (const line of head.split(/\r\n|\r|\n/))
          expect(line).toMatch(
            /^(?:[ \t]|(?:From|To|Cc|Reply-To|Subject|X-Form|Message-ID|Date|MIME-Version|Content-Type|Content-Transfer-Encoding):(?: |$))/,
          );
      },
    ),
    { numRuns: 300 },
  );
});

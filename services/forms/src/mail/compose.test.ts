import PostalMime from 'postal-mime';
import { compose } from './compose';
import { MailFault } from './fault';
import { toMime } from './mime';
import { makeSubmitted, makeTemplate } from './testing/samples';

const parse = async (...args: Parameters<typeof compose>) =>
  new PostalMime().parse(await toMime(compose(...args), []));

describe('compose', () => {
  it('puts values, special values, lists and raw choices in the places of their tags', async () => {
    const mail = await parse(
      makeTemplate({
        sender: '"[your-name]" <forms@site.test>',
        recipient: '[department]',
        subject: '[_site_title]: [your-subject]',
        body: 'From: [your-name]\n[topics]\nTo: [_raw_department]\nOn: [_format_day "D, jS F Y, T"]\n[unknown] [[your-name]]',
        additional_headers: 'Reply-To: [your-email]\nX-Form: [_form_title]\n Cc: not@a.header',
      }),
      makeSubmitted({
        'your-name': 'Ann, of "Kent"',
        'your-email': 'ann@example.org',
        'your-subject': 'Hello',
        topics: ['a', 'b'],
        department: { raw: ['Sales'], piped: ['Sales <sales@site.test>'] },
        day: '2030-01-05',
      }),
    );
    expect(mail.from).toEqual({ name: 'Ann, of "Kent"', address: 'forms@site.test' });
    expect(mail.to).toEqual([{ name: 'Sales', address: 'sales@site.test' }]);
    expect(mail.replyTo).toEqual([{ name: '', address: 'ann@example.org' }]);
    expect(mail.cc).toBeUndefined();
    expect(mail.subject).toBe('The site: Hello');
    expect(mail.text?.trim()).toBe(
      'From: Ann, of "Kent"\na, b\nTo: Sales\nOn: Sat, 5th January 2030, CET\n[unknown] [your-name]',
    );
    expect(mail.headers.find(({ key }) => key === 'x-form')?.value).toBe('Contact Cc: not@a.header');
  });

  it('a value that looks like a tag, a header or a mailbox stays a value', async () => {
    const mail = await parse(
      makeTemplate({
        body: '[your-name]',
        additional_headers: 'Reply-To: [your-email]\nX-Name: [your-name]',
      }),
      makeSubmitted({
        'your-name': '[your-email]\r\nBcc: evil@example.org',
        'your-email': 'a@example.org, b@example.org',
      }),
    );
    expect(mail.text?.trim()).toBe('[your-email]\nBcc: evil@example.org');
    expect(mail.replyTo).toBeUndefined();
    expect(mail.bcc).toBeUndefined();
    expect(mail.headers.find(({ key }) => key === 'x-name')?.value).toBe(
      '[your-email] Bcc: evil@example.org',
    );
  });

  it('keeps the mailboxes of the author apart from those of a visitor', () => {
    const recipients = (recipient: string, values: Parameters<typeof makeSubmitted>[0]) =>
      compose(makeTemplate({ recipient }), makeSubmitted(values)).to.map(({ name, address }) =>
        `${name} ${address}`.trim(),
      );
    expect(recipients('office@site.test, [mail]', { mail: 'x@y.zz' })).toEqual([
      'office@site.test',
      'x@y.zz',
    ]);
    expect(recipients('office@site.test, [mail]', { mail: ['x@y.zz', 'z@y.zz'] })).toEqual([
      'office@site.test',
    ]);
    expect(recipients('"[name]" <[mail]>', { name: 'A <b@c.de>,', mail: 'x@y.zz' })).toEqual([
      'A <b@c.de>, x@y.zz',
    ]);
    const office = 'Office office@site.test';
    expect(recipients('[mail], Office <office@site.test>', { mail: 'x@y.zz' })).toEqual(['x@y.zz', office]);
    expect(recipients('[mail]\n"Office" <office@site.test>', { mail: 'x@y.zz' })).toEqual(['x@y.zz', office]);
    expect(recipients('[mail], Office <office@site.test>', { mail: '' })).toEqual([office]);
    expect(
      recipients('[mail], [other] , "A" <[third]>', { mail: 'a@b.cd', other: 'b@b.cd', third: 'c@b.cd' }),
    ).toEqual(['a@b.cd', 'b@b.cd', 'A c@b.cd']);
    expect(
      recipients('[to], Office <office@site.test>', { to: { raw: ['1'], piped: ['S <s@b.cd>, t@b.cd'] } }),
    ).toEqual(['S s@b.cd', 't@b.cd', office]);
    expect(recipients('[last], [first] <[mail]>', { last: 'Roe', first: 'Ann', mail: 'x@y.zz' })).toEqual([
      'Roe, Ann x@y.zz',
    ]);
    expect(recipients('"A, [mail], B" <b@b.cd>', { mail: 'x@y.zz' })).toEqual(['A, x@y.zz, B b@b.cd']);
    expect(recipients('[user]@site.test', { user: 'ann' })).toEqual(['ann@site.test']);
    expect(recipients('a@b.cd\r\nB <b@b.cd>,\n\n"[name]"\n <c@b.cd>\n', { name: 'C' })).toEqual([
      'a@b.cd',
      'B b@b.cd',
      'C c@b.cd',
    ]);
    expect(recipients('office@site.test, [user]@site.test', { user: 'a@evil.test, b' })).toEqual([
      'office@site.test',
    ]);
    expect(recipients('[to]', { to: { raw: ['All'], piped: ['a@b.cd, B <b@b.cd>'] } })).toEqual([
      'a@b.cd',
      'B b@b.cd',
    ]);
  });

  it('refuses headers that decide about sender, way or content', () => {
    const { headers, cc } = compose(
      makeTemplate({
        additional_headers:
          'From: x@y.zz\nTo: x@y.zz\nContent-Type: text/html\nMIME-Version: 2\nMessage-ID: <1@x>\nDate: now\nReceived: x\nReturn-Path: <x@y.zz>\nSubject: no\nno header\nCc: c@site.test\nX-Ok: 1',
      }),
      makeSubmitted({}),
    );
    expect(headers).toEqual([{ key: 'X-Ok', value: '1' }]);
    expect(cc).toEqual([{ name: '', address: 'c@site.test' }]);
  });

  it.each([
    ['a word that no line has room for', 'x'.repeat(1_900)],
    ['such a word among others', `one ${'y'.repeat(1_500)} é two`],
    ['what readers would take for an encoded word', '=?utf-8?B?SGVsbG8=?= 1+1=?'],
    ['such a word among others that need one', 'é =?utf-8?Q?a=0D=0Ab?='],
  ])('headers show %s as it was written', async (_what, text) => {
    const template = makeTemplate({ subject: '[text]', additional_headers: 'X-Text: [text]' });
    const raw = await toMime(compose(template, makeSubmitted({ text })), []);
    const lines = raw.toString('latin1').split('\r\n');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(998);
    const { subject, headers } = await new PostalMime().parse(raw);
    expect(subject).toBe(text.slice(0, 900));
    // Only of known headers the parser decodes words.
    const value = headers.find(({ key }) => key === 'x-text')?.value ?? '';
    expect((await new PostalMime().parse(`Subject: ${value}\r\n\r\n`)).subject).toBe(text);
  });

  it('escapes values in HTML and brings a plain text beside it', async () => {
    const mail = await parse(
      makeTemplate({ use_html: true, subject: 'A & B', body: '<p>Name: [your-name]</p>\n<p>[text]</p>' }),
      makeSubmitted({ 'your-name': '<script>alert("1")</script>', text: 'one\ntwo' }),
    );
    expect(mail.html).toContain('<p>Name: &lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;</p>');
    expect(mail.html).toContain('<p>one<br />\ntwo</p>');
    expect(mail.html).toContain('<title>A &amp; B</title>');
    expect(mail.text?.trim()).toBe('Name: <script>alert("1")</script>\n\none\ntwo');
  });

  it('leaves out lines whose tags all stand for nothing, where the template says so', () => {
    const body = 'Name: [your-name]\nPhone: [tel]\nBoth: [your-name] [tel]\nplain\n[unknown]';
    const text = (excludeBlank: boolean) =>
      compose(
        makeTemplate({ body, exclude_blank: excludeBlank }),
        makeSubmitted({ 'your-name': 'Ann', tel: [] }),
      ).text;
    expect(text(true)).toBe('Name: Ann\nBoth: Ann \nplain\n[unknown]');
    expect(text(false)).toBe('Name: Ann\nPhone: \nBoth: Ann \nplain\n[unknown]');
  });

  it('attaches files of the fields that the template names, never a path', () => {
    const files = [
      { field: 'cv', name: 'cv.pdf', type: 'application/pdf', bytes: 3, objectKey: 'a' },
      { field: 'photo', name: 'me.png', type: 'image/png', bytes: 3, objectKey: 'b' },
    ];
    const mail = compose(
      makeTemplate({ attachments: '[cv]\n/etc/passwd\nuploads/secret.txt', body: '[cv] [photo]' }),
      { ...makeSubmitted({ cv: [] }), files },
    );
    expect(mail.files).toEqual([files[0]]);
    expect(mail.text).toBe('cv.pdf me.png');
  });

  it.each(['body', 'subject', 'additional_headers'])(
    'is a fault where its %s repeats long values without end',
    (part) => {
      const make = (times: number) =>
        compose(
          makeTemplate({ [part]: `X-Long: ${'[your-message]'.repeat(times)}` }),
          makeSubmitted({ 'your-message': 'a'.repeat(1_000_000) }),
        );
      expect(() => make(150)).toThrow('The mail would be too long');
      expect(make(10).from.address).toContain('@');
    },
  );

  it('is a fault where nobody sends or nobody receives', () => {
    const make = (changes: Parameters<typeof makeTemplate>[0]) => () =>
      compose(makeTemplate(changes), makeSubmitted({ 'your-email': 'no mailbox' }));
    expect(make({ sender: '[your-email]' })).toThrow(MailFault);
    expect(make({ recipient: '[your-email]' })).toThrow(MailFault);
    expect(make({ recipient: '', additional_headers: 'Bcc: a@b.cd' })).not.toThrow();
  });
});

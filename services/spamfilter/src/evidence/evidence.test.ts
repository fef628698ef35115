import { isWithin, rangeOf, senderOf } from '@sevenfold/chassis/networks';
import fc from 'fast-check';
import { messageOf } from '../checks/message';
import { read } from '../classifier/words';
import { blockedIn, patternOf } from '../blocked/match';
import type { Field } from '../blocked/store';
import { aMessage } from '../testing/filter';
import { conductOf } from './conduct';
import { likenessOf } from './likeness';
import { judgeCopies, judgeRates } from './others';

type More = Parameters<typeof aMessage>[0];

describe('conduct', () => {
  const of = (more: More): [string, number][] => {
    const message = messageOf(aMessage(more));
    return conductOf(message, read(message.content)).map(({ name, weight }) => [name, weight]);
  };
  test('of a usual message says nothing', () => {
    expect(of({})).toEqual([]);
    expect(of({ secondsToFill: 0 })).toEqual([]);
    expect(of({ secondsToFill: 90_000 })).toEqual([]);
  });

  test('the trap, haste and a missing program are told', () => {
    expect(of({ honeypot: true })).toEqual([['honeypot', 6]]);
    expect(of({ secondsToFill: 0.4 })).toEqual([['time_to_fill', 3]]);
    expect(of({ secondsToFill: 3 })).toEqual([['time_to_fill', 1]]);
    expect(of({ kind: 'contact-form', userAgent: 'x' })).toEqual([['user_agent', 4]]);
    expect(of({ kind: 'comment', userAgent: '' })).toEqual([['user_agent', 0.5]]);
  });

  test('links weigh by number, and those to the site itself not at all', () => {
    const words = 'one two three four five six seven eight nine ten eleven twelve thirteen '.repeat(3);
    const links = (count: number, host: string): string =>
      words + Array.from({ length: count }, (_, at) => `http://${host}/${at}`).join(' ');
    expect(of({ content: links(1, 'a.example') })).toEqual([]);
    const weights = [2, 4, 6].map((count) => of({ content: links(count, 'a.example') })[0]?.[1] ?? 0);
    expect(weights).toEqual([...weights].sort((a, b) => a - b));
    expect(weights[0]).toBeGreaterThan(0);
    expect(of({ content: links(6, 'site.test') })).toEqual([]);
  });
});

describe('networks', () => {
  test.each([
    ['192.0.2.77', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['64:ff9b::192.0.2.77', '192.0.2.0/24'],
  ])('%s is of %s', (address, network) => {
    expect(senderOf(address)?.network).toBe(network);
  });

  test.each(['', 'unknown', '300.1.1.1', '1.2.3.4, 5.6.7.8', 'x'.repeat(1000)])(
    '%s is no address',
    (text) => {
      expect(senderOf(text)).toBeUndefined();
    },
  );

  test('ranges hold what is in them', () => {
    expect(rangeOf('192.0.2.77/16')).toBe('192.0.0.0/16');
    expect(rangeOf('64:ff9b::192.0.2.77')).toBe('192.0.2.77/32');
    expect(rangeOf('64:ff9b::192.0.2.77/112')).toBe('192.0.0.0/16');
    expect(rangeOf('::ffff:192.0.2.77/112')).toBe('192.0.0.0/16');
    expect(rangeOf('::ffff:192.0.2.77/64')).toBeUndefined();
    expect(isWithin(senderOf('192.0.9.9'), '192.0.0.0/16')).toBe(true);
    expect(isWithin(senderOf('192.1.9.9'), '192.0.0.0/16')).toBe(false);
    expect(isWithin(senderOf('2001:db8::1'), '192.0.0.0/16')).toBe(false);
    for (const wrong of ['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', 'example.org', '::/129'])
      expect(rangeOf(wrong)).toBeUndefined();
    // As somebody means a network and old programs read an address.
    for (const short of ['10/8', '192.168/16', '203.0.113', '010.0.0.0/8', '1984', '0x7f.1'])
      expect(rangeOf(short)).toBeUndefined();
  });

  test('nobody throws, and an address is within its own network', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), (text) => {
        const sender = senderOf(text);
        rangeOf(text);
        if (sender) expect(isWithin(sender, sender.network)).toBe(true);
      }),
    );
  });
});

describe('likeness', () => {
  const bits = (a: string, b: string): number =>
    [...(BigInt.asUintN(64, BigInt(a)) ^ BigInt.asUintN(64, BigInt(b))).toString(2)].filter(
      (bit) => bit === '1',
    ).length;
  const words = (text: string): string[] => text.split(' ');
  const advert = Array.from({ length: 80 }, (_, at) => `word${(at * 7) % 31}`).join(' ');

  test('is nearly the same for nearly the same text, and not for another', () => {
    const [first, again, other] = [advert, `${advert} Joe`, advert.replaceAll('word', 'thing')].map(
      (text) => likenessOf(words(text)) as string,
    ) as [string, string, string];
    expect(bits(first, again)).toBeLessThanOrEqual(3);
    expect(bits(first, other)).toBeGreaterThan(10);
  });

  test('is none for what is short', () => {
    expect(likenessOf(words('thank you very much'))).toBeUndefined();
  });

  test('copies weigh by number and by what was decided of them', () => {
    const weight = (copies: number, spam = 0, ham = 0): number =>
      judgeCopies({ copies, spam, ham })[0]?.weight ?? 0;
    expect(weight(0)).toBe(0);
    expect(weight(1)).toBeLessThan(1);
    expect(weight(8)).toBeGreaterThan(weight(2));
    expect(weight(2, 1)).toBeGreaterThan(weight(2));
    expect(weight(2, 0, 1)).toBe(0);
  });

  test('rates weigh beyond what is usual', () => {
    expect(judgeRates([3, 12, 10])).toEqual([]);
    expect(judgeRates([30, 30, 30])[0]).toMatchObject({ name: 'rate', weight: 3 });
    expect(judgeRates([0, 0, 40])[0]?.detail).toContain('network');
  });
});

describe('what is blocked', () => {
  const found = (field: Field, text: string, more: More): number => {
    const message = messageOf(aMessage(more));
    const list = [{ id: 1, field, pattern: patternOf(field, text) as string, note: '' }];
    return blockedIn(list, message, read(message.content)).length;
  };
  test.each<[Field, string, More]>([
    ['content', 'Casino Royal', { content: 'At the  casino\nroyal, tonight' }],
    ['content', 'casino', { content: 'the c4s1no' }],
    ['content', 'bad.example', { content: '<a href="http://bad.example/x">x</a>' }],
    ['content', 'porno*', { content: 'Pornography' }],
    ['name', 'SEO', { authorName: 'seo expert' }],
    ['mail', 'spam.example', { authorEmail: 'joe@spam.example' }],
    ['url', 'spam.example', { authorUrl: 'http://www.spam.example/' }],
    ['address', '192.0.2.0/24', { address: '192.0.2.9' }],
    ['agent', 'badbot', { userAgent: 'BadBot/1.0' }],
    ['any', 'badbot', { userAgent: 'BadBot/1.0' }],
    ['any', 'joe', { authorEmail: 'joe@spam.example' }],
  ])('%s: %s is found in %o', (field, text, more) => {
    expect(found(field, text, more)).toBe(1);
  });

  test.each<[Field, string, More]>([
    ['content', 'sex', { content: 'We live in Essex, near Middlesex.' }],
    ['content', 'की', { content: 'आज नौकीला' }],
    ['content', 'त', { content: 'एक किताब' }],
    ['name', 'badbot', { userAgent: 'BadBot/1.0' }],
    ['address', '192.0.2.0/24', { address: '192.0.3.9' }],
    ['address', '192.0.2.0/24', { address: '' }],
  ])('%s: %s is not found in %o', (field, text, more) => {
    expect(found(field, text, more)).toBe(0);
  });

  test('an entry that can match nothing is none', () => {
    for (const text of ['', '  ', '*', '**', '!!!']) expect(patternOf('content', text)).toBeUndefined();
    expect(patternOf('address', 'example.org')).toBeUndefined();
    const none = [{ id: 1, field: 'any' as const, pattern: '*', note: '' }];
    expect(blockedIn(none, messageOf(aMessage({})), read('anything'))).toEqual([]);
  });

  test('a full list is not gone through for each text', () => {
    const list = Array.from({ length: 2_000 }, (_, id) => ({
      id,
      field: 'content' as const,
      pattern: `${'e'.repeat(8)}${id}x`,
      note: '',
    }));
    const message = messageOf(aMessage({ content: 'e'.repeat(20_000) }));
    const written = read(message.content);
    blockedIn(list, messageOf(aMessage({ content: '' })), read(''));
    let letters = 0;
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called below with the text
    const { indexOf } = String.prototype;
    const searches = jest.spyOn(String.prototype, 'indexOf').mockImplementation(function (
      this: string,
      ...args
    ) {
      letters += this.length;
      return indexOf.apply(this, args);
    });
    const looks = jest.spyOn(Map.prototype, 'get');
    try {
      expect(blockedIn(list, message, written)).toEqual([]);
      expect(letters + looks.mock.calls.length).toBeLessThan(10 * message.content.length);
    } finally {
      for (const spy of [searches, looks]) spy.mockRestore();
    }
    const more = `${message.content} ${'e'.repeat(8)}1999x`;
    expect(blockedIn(list, message, read(more))).toMatchObject([{ detail: 'eeeeeeee1999x (content)' }]);
  });
});

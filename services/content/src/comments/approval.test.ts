import { type Submission, decideStatus, hasDisallowedWord, linksIn, wordsOf } from './approval';

const submission: Submission = {
  contentRaw: 'A plain remark',
  contentHtml: '<p>A plain remark</p>\n',
  authorName: 'Ann',
  authorEmail: 'ann@visitor.test',
  authorUrl: 'http://visitor.test',
  authorIp: '192.0.2.7',
  authorUserAgent: 'Browser/1.0',
  isTrusted: false,
  approvedBefore: false,
};
const rules = { disallowedWords: ['casino'], hasTrash: true };
const link = '<a href="http://a.test" rel="nofollow ugc">a</a>';
const decide = (fields: Partial<Submission>, more: Partial<typeof rules> = {}): string =>
  decideStatus({ ...submission, ...fields }, { ...rules, ...more });

test('newcomers wait, those approved before do not', () => {
  expect(decide({})).toBe('hold');
  expect(decide({ approvedBefore: true })).toBe('approved');
});

test('one link passes, two wait', () => {
  expect(decide({ approvedBefore: true, contentHtml: link })).toBe('approved');
  expect(decide({ approvedBefore: true, contentHtml: link + link })).toBe('hold');
});

test('disallowed words go to the trash, or to spam where there is no trash', () => {
  expect(decide({ approvedBefore: true, contentRaw: 'Best CASINOs' })).toBe('trash');
  expect(decide({ contentRaw: 'casino' }, { hasTrash: false })).toBe('spam');
});

test('moderators and the author of the post are trusted whatever they say', () => {
  expect(decide({ isTrusted: true, contentRaw: 'casino', contentHtml: link + link })).toBe('approved');
});

test.each(['contentRaw', 'authorName', 'authorEmail', 'authorUrl', 'authorIp', 'authorUserAgent'] as const)(
  'looks for words in %s',
  (field) => {
    expect(hasDisallowedWord({ ...submission, [field]: 'x-Casino-x' }, ['casino'])).toBe(true);
  },
);

test('sees words that tags cut in two', () => {
  expect(hasDisallowedWord({ ...submission, contentRaw: 'ca<b></b>sino' }, ['casino'])).toBe(true);
  expect(hasDisallowedWord(submission, [])).toBe(false);
});

test('counts links, not anchors', () => {
  expect(linksIn('<a name="x">x</a>')).toBe(0);
  expect(linksIn(`${link} ${link}`)).toBe(2);
});

test('reads the list of words', () => {
  expect(wordsOf('')).toEqual([]);
  expect(wordsOf(' one, two words ,,three')).toEqual(['one', 'two words', 'three']);
});

test('a long list of words is not gone through for each comment', () => {
  const list = Array.from({ length: 5_000 }, (_, i) => `e${i}x`).join(',');
  const long = { ...submission, contentRaw: 'e'.repeat(20_000) };
  let letters = 0;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called below with the text
  const { includes } = String.prototype;
  const searches = jest.spyOn(String.prototype, 'includes').mockImplementation(function (
    this: string,
    ...args
  ) {
    letters += this.length;
    return includes.apply(this, args);
  });
  const looks = jest.spyOn(Map.prototype, 'get');
  const splits = jest.spyOn(String.prototype, 'split');
  try {
    // The first finds out what the list is.
    hasDisallowedWord(submission, wordsOf(list));
    for (const spy of [looks, splits]) spy.mockClear();
    letters = 0;
    expect(hasDisallowedWord(long, wordsOf(list))).toBe(false);
    expect(letters + looks.mock.calls.length).toBeLessThan(10 * long.contentRaw.length);
    expect(splits.mock.contexts).not.toContain(list);
  } finally {
    for (const spy of [searches, looks, splits]) spy.mockRestore();
  }
  expect(hasDisallowedWord({ ...long, contentRaw: `${long.contentRaw}4999X` }, wordsOf(list))).toBe(true);
});

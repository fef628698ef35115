/** Searches in writings with vowel signs, and of letters that have several small ones. */
import { makeComment, makePost, makeTerm, makeUser } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());

const make = async (fields: Record<string, unknown>): Promise<number> =>
  (await makePost(site.deps.db, fields)).id;
const found = async (search: string, more = '', list = 'posts'): Promise<number[]> => {
  const query = `search=${encodeURIComponent(search)}&_fields=id${more}`;
  const { status, body } = await site.by('anonymous').get(`/${list}?${query}`);
  expect(status).toBe(200);
  return body.map(({ id }: { id: number }) => id);
};
const inOrder = '&orderby=id&order=asc';

describe('vowel signs are letters', () => {
  test.each([
    ['Hindi', 'किताब', 'यह एक किताब है'],
    ['Hindi, a syllable of three letters', 'में', 'वह घर में है'],
    ['Hindi, consonants tied to each other', 'शब्द', 'एक शब्द और'],
    ['Hindi, without three letters in a row', 'स्त्र', 'नया वस्त्र है'],
    ['Hindi, dotted', 'सड़क', 'यह सड़क लंबी है'],
    ['Bengali', 'পুস্তক', 'একটি পুস্তক'],
    ['Tamil', 'கல்வி', 'நல்ல கல்வி வேண்டும்'],
    ['Telugu', 'పుస్తకం', 'ఒక పుస్తకం'],
    ['Sinhala, with a joiner', 'ශ්‍රී', 'අපේ ශ්‍රී ලංකා'],
    ['Burmese', 'စာအုပ်', 'ဒီစာအုပ်ကို'],
    ['Khmer', 'ខ្មែរ', 'ភាសាខ្មែរ'],
    ['Thai', 'หนังสือ', 'อ่านหนังสือเล่มนี้'],
    ['Thai, with a tone', 'บ้าน', 'กลับบ้านเรา'],
    ['Arabic, with vowels', 'كِتَ', 'هذا كِتَاب'],
    ['decomposed', 'e\u0301te\u0301', 'un bel e\u0301te\u0301'],
  ])('%s', async (name, word, text) => {
    const id = await make({ title_raw: name, content_raw: text });
    const titled = await make({ title_raw: `${text} (${name})` });
    expect(await found(word, inOrder)).toEqual([id, titled]);
    expect(await found(`"${text}"`, inOrder)).toEqual([id, titled]);
    expect(await found(`"${text}" -${word}`)).toEqual([]);
    expect(await found(word, '&orderby=relevance')).toEqual([titled, id]);
  });

  test('words of one or two letters match beginnings of words in titles only, with their signs', async () => {
    const price = await make({ title_raw: 'कीमत क्षण' });
    await make({ title_raw: 'कमत', content_raw: 'की क्षण' });
    expect(await found('की')).toEqual([price]);
    expect(await found('क्ष')).toEqual([price]);
    expect(await found('क्ष की')).toEqual([price]);
    const tie = await make({ title_raw: 'श्‍क' });
    expect(await found('श्‍क')).toEqual([tie]);
    expect(await found('ी')).toEqual([]);
  });
});

describe('letters with accents are found in one character and in two, whichever way they are typed', () => {
  const both = (text: string): string[] => [text.normalize('NFC'), text.normalize('NFD')];

  test('in posts: words, phrases, exclusions, short words of titles, and whole titles', async () => {
    const ids: number[] = [];
    for (const title_raw of both('Köln für Ärzte, 한국어'))
      ids.push(await make({ title_raw, content_raw: `Zwei ${title_raw} Übungen` }));
    for (const search of [
      'Köln',
      'köln',
      'für',
      'ÜBUNGEN',
      '"Köln für Ärzte"',
      'Är kö',
      '한국어',
      'Köln Übungen',
    ])
      for (const typed of both(search)) expect([typed, await found(typed, inOrder)]).toEqual([typed, ids]);
    for (const typed of both('Zwei -Köln')) expect(await found(typed)).toEqual([]);
    for (const typed of both('Köln'))
      expect(await found(typed, '&orderby=relevance')).toEqual([...ids].reverse());
  });

  test('in comments and terms', async () => {
    const post = await make({ title_raw: 'Plain' });
    const comments: number[] = [];
    const tags: number[] = [];
    for (const text of both('Ein schöner Gruß')) {
      const { id } = await makeComment(site.deps.db, { post, content_raw: text, status: 'approved' });
      comments.push(id);
      tags.push((await makeTerm(site.deps.db, { taxonomy: 'post_tag', name: text })).id);
    }
    for (const typed of both('schöner')) {
      expect(await found(typed, inOrder, 'comments')).toEqual(comments);
      expect(await found(typed, inOrder, 'tags')).toEqual(tags);
    }
  });
});

describe('letters are lowered where the text is', () => {
  test('a dotted capital I', async () => {
    const text = await make({ content_raw: 'Dün İzmit güzeldi' });
    const title = await make({ title_raw: 'İzmit' });
    for (const search of ['İzmit', 'izmit', 'İZMİT', '"İzmit"', 'İzmit izmit']) {
      expect([search, await found(search, inOrder)]).toEqual([search, [text, title]]);
      expect([search, await found(search, '&orderby=relevance')]).toEqual([search, [title, text]]);
    }
    expect(await found('İz')).toEqual([title]);
    expect(await found('izmit -İzmit')).toEqual([]);
  });

  test('a Greek s, whatever the case of text and search', async () => {
    const capitals = await make({ title_raw: 'ΕΡΜΗΣ ΣΟΦΟΣ', content_raw: 'ΩΣ' });
    const small = await make({ title_raw: 'Ερμης σοφος' });
    const mixed = await make({ title_raw: 'ΕΡΜΗΣ σοφος' });
    const within = await make({ content_raw: 'ΑΕΡΜΗΣΑΝ' });
    const titled = [capitals, small, mixed];
    for (const search of ['ΕΡΜΗΣ', 'ερμης', 'Ερμησ'])
      expect([search, await found(search, inOrder)]).toEqual([search, [...titled, within]]);
    for (const search of ['σοφος', 'ΣΟΦΟΣ ερμης', 'Ερμης σοφος'])
      expect([search, await found(search, inOrder)]).toEqual([search, titled]);
    for (const search of ['"ερμης σοφος"', '"ΕΡΜΗΣ ΣΟΦΟΣ"'])
      expect([search, await found(search, inOrder)]).toEqual([search, [capitals, small]]);
    expect(await found('"ΕΡΜΗΣ σοφος"', inOrder)).toEqual(titled);
    expect(await found('ερμη -ΕΡΜΗΣ')).toEqual([]);
    for (const search of ['ερμης', 'ΕΡΜΗΣ'])
      expect((await found(search, '&orderby=relevance')).at(-1)).toBe(within);
    const whole = (await found('ερμης σοφος', '&orderby=relevance')).slice(0, 2);
    expect(new Set(whole)).toEqual(new Set([capitals, small]));
  });

  test('a short Greek word', async () => {
    const capitals = await make({ title_raw: 'ΩΣ' });
    const small = await make({ title_raw: 'ως' });
    for (const search of ['ΩΣ', 'ως', 'ωσ'])
      expect([search, await found(search, inOrder)]).toEqual([search, [capitals, small]]);
  });

  test('of users, terms and comments', async () => {
    const { db } = site.deps;
    const rows = {
      users: await makeUser(db, 'author', { name: 'İlknur ΛΟΓΟΣ पुस्तक' }),
      categories: await makeTerm(db, { name: 'İlknur ΛΟΓΟΣ पुस्तक' }),
      comments: await makeComment(db, {
        post: await make({}),
        content_raw: 'İlknur ΛΟΓΟΣ पुस्तक',
      }),
    };
    await make({ author: rows.users.id });
    for (const [list, { id }] of Object.entries(rows))
      for (const search of ['İlknur', 'ilknur', 'λογος', 'ΛΟΓΟΣ', 'पुस्तक'])
        expect([list, search, await found(search, '', list)]).toEqual([list, search, [id]]);
  });
});

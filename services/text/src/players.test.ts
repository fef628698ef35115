/* Galleries and players: what shortcodes become, and that nothing of theirs breaks out. */

import type { FindFiles, ShownFile, WantedFiles } from './players';
import { renderBody } from './render';

const file = (id: number, more: Partial<ShownFile> = {}): ShownFile => ({
  id,
  url: `https://s.test/${id}.jpg`,
  page: `https://s.test/${id}/`,
  mime: 'image/jpeg',
  title: `File ${id}`,
  caption: '',
  alt: '',
  width: 900,
  height: 600,
  sizes: { thumbnail: { url: `https://s.test/${id}-150x150.jpg`, width: 150, height: 150 } },
  ...more,
});

function show(raw: string, files: readonly ShownFile[] = []): { html: string; wanted: WantedFiles[] } {
  const wanted: WantedFiles[] = [];
  const findFiles: FindFiles = (one) => {
    wanted.push(one);
    return files;
  };
  return { html: renderBody(raw, { smilies: false, findFiles }), wanted };
}

const item = (inner: string): string => `<figure class="gallery-item">${inner}</figure>`;
const image = (id: number, alt: string): string =>
  `<img src="https://s.test/${id}-150x150.jpg" width="150" height="150" alt="${alt}" class="size-thumbnail" loading="lazy" decoding="async" />`;

describe('gallery', () => {
  test('of pictures in their order, linked to their pages, a link named by its picture or its title', () => {
    const { html, wanted } = show('a\n[gallery ids="7, 3" exclude="9"]\nb', [
      file(7, { alt: 'a "sea"', caption: 'At <b>sea</b>' }),
      file(3, { title: 'T &#8220;x&#8221; <i>y</i>' }),
    ]);
    expect(wanted).toEqual([{ kind: 'image', ids: [7, 3], exclude: [9] }]);
    expect(html).toBe(
      '<p>a</p>\n<div class="gallery gallery-columns-3 gallery-size-thumbnail">\n' +
        item(
          `<a href="https://s.test/7/">${image(7, 'a &quot;sea&quot;')}</a><figcaption class="wp-caption-text gallery-caption">At <b>sea</b></figcaption>`,
        ) +
        `\n${item(`<a href="https://s.test/3/">${image(3, 'T &#8220;x&#8221; y')}</a>`)}\n</div>\n<p>b</p>\n`,
    );
  });

  test('without links, with columns, from the end', () => {
    const { html } = show('[gallery link="none" columns="2" order="desc"]', [file(1), file(2)]);
    expect(html).toBe(
      `<div class="gallery gallery-columns-2 gallery-size-thumbnail">\n${item(image(2, ''))}\n${item(image(1, ''))}\n</div>\n`,
    );
  });

  test('a size that a picture does not have is the picture; measures that nobody knows are absent', () => {
    const { html } = show('[gallery size="large" link="file"]', [
      file(1, { width: undefined, height: undefined }),
    ]);
    expect(html).toContain(
      '<a href="https://s.test/1.jpg"><img src="https://s.test/1.jpg" alt="File 1" class="size-large"',
    );
  });

  test('of what is attached, when it names nothing; of nothing it is nothing', () => {
    expect(show('a [gallery] b')).toEqual({
      html: '<p>a  b</p>\n',
      wanted: [{ kind: 'image', ids: [], exclude: [] }],
    });
  });
});

describe('players', () => {
  test.each([
    [
      '[audio src="https://x.y/a.mp3" loop="on" preload="none"]',
      '<audio controls class="wp-audio-shortcode" preload="none" loop><source src="https://x.y/a.mp3" type="audio/mpeg" /><a href="https://x.y/a.mp3">https://x.y/a.mp3</a></audio>\n',
    ],
    [
      '[video mp4="/a.mp4?x=1&amp;y=2" webm="https://x.y/a.webm" poster="/p.png" width="640" height="x"]z[/video]',
      '<video controls class="wp-video-shortcode" width="640" poster="/p.png" preload="metadata">' +
        '<source src="/a.mp4?x=1&#038;y=2" type="video/mp4" /><source src="https://x.y/a.webm" type="video/webm" />' +
        '<a href="/a.mp4?x=1&#038;y=2">/a.mp4?x=1&#038;y=2</a></video>\n',
    ],
    [
      '[video src="/a.mp4"]<track kind="captions" src="/a.vtt" srclang="en" onload="x()"><b>[/video]',
      '<video controls class="wp-video-shortcode" preload="metadata"><source src="/a.mp4" type="video/mp4" />' +
        '<track src="/a.vtt" kind="captions" srclang="en" /><a href="/a.mp4">/a.mp4</a></video>\n',
    ],
    ['[audio src="javascript:x"]', '<p>[audio src="javascript:x"]</p>\n'],
    ['[audio src="//evil.test/a.mp3"]', '<p>[audio src="//evil.test/a.mp3"]</p>\n'],
    [
      '[audio src="/a.mp3"] and [audio src="/b.mp3"]c[/audio]',
      '<audio controls class="wp-audio-shortcode" preload="metadata"><source src="/a.mp3" type="audio/mpeg" /><a href="/a.mp3">/a.mp3</a></audio>\n' +
        '<p>and</p>\n' +
        '<audio controls class="wp-audio-shortcode" preload="metadata"><source src="/b.mp3" type="audio/mpeg" /><a href="/b.mp3">/b.mp3</a></audio>\n',
    ],
  ])('%s', (raw, html) => {
    expect(show(raw).html).toBe(html);
  });

  test('of the first file attached, and a list of them', () => {
    const song = file(5, { url: 'https://s.test/5.mp3', mime: 'audio/mpeg', title: 'Song' });
    const player =
      '<audio controls class="wp-audio-shortcode" preload="metadata"><source src="https://s.test/5.mp3" type="audio/mpeg" /><a href="https://s.test/5.mp3">https://s.test/5.mp3</a></audio>';
    expect(show('[audio]', [song]).html).toBe(`${player}\n`);
    expect(show('[playlist ids="5"]', [song])).toEqual({
      html: `<ol class="wp-playlist wp-audio-playlist">\n<li><figure><figcaption>Song</figcaption>${player}</figure></li>\n</ol>\n`,
      wanted: [{ kind: 'audio', ids: [5], exclude: [] }],
    });
    expect(show('[playlist type="video"]').wanted).toEqual([{ kind: 'video', ids: [], exclude: [] }]);
  });
});

describe('a megabyte of them shows a bounded part, the rest is text', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => file(index + 1, { mime: 'audio/mpeg' }));
  const MEGABYTE = 1_000_000;
  const megabyteOf = (one: string): string => one.repeat(MEGABYTE / one.length);
  // Beside the megabyte itself, whose quotes and ends of lines become longer.
  const MOST = 6 * MEGABYTE;

  test.each([
    ['that repeat one id', `[gallery ids="${'5,'.repeat(100)}"]\n`, 1_000],
    ['of a hundred files', `[gallery ids="${hundred.map(({ id }) => id).join()}"]\n`, 10],
    ['that name none, with a hundred attached', '[gallery]\n', 10],
    ['of the first that is attached', '[audio]\n', 10],
    ['lists', '[playlist]\n', 10],
  ])('%s', (_, one, shown) => {
    const asked: WantedFiles[] = [];
    const html = renderBody(megabyteOf(one), {
      smilies: false,
      findFiles: (wanted) => {
        asked.push(wanted);
        return wanted.ids.length === 0 ? hundred : wanted.ids.map((id) => file(id));
      },
    });
    expect(asked).toHaveLength(shown);
    expect(html.length).toBeLessThan(MOST);
    expect(html.slice(-1_000)).toContain(one.slice(0, 6));
  });

  test('players of addresses', () => {
    const { html } = show(megabyteOf('[audio src="/a.mp3"]'));
    expect(html.match(/<audio /g)?.length).toBeGreaterThan(5_000);
    expect(html.length).toBeLessThan(MOST);
  });

  test('embeds of one address, which goes on as a link', () => {
    const embed = `<p>${'x'.repeat(19_993)}</p>`;
    const html = renderBody(megabyteOf('[embed]https://x.y/z[/embed]\n\nhttps://x.y/z\n\n'), {
      smilies: false,
      findEmbed: () => embed,
    });
    expect(html.split('<div class="embed">')).toHaveLength(51);
    expect(html.length).toBeLessThan(MOST);
    expect(html.slice(-200)).toContain('<a href="https://x.y/z">https://x.y/z</a>');
  });

  test('a reader who only asks what it names hears of all that is shown, however much of it is found', () => {
    const raw = megabyteOf('[gallery][audio src="/a.mp3"][gallery ids="1,2,3"]\n');
    const { wanted: named } = show(raw);
    const { wanted: looked } = show(raw, hundred);
    expect(named.slice(0, looked.length)).toEqual(looked);
    expect(named.length).toBeLessThanOrEqual(1_000);
  });
});

test('who has no library leaves galleries as text, and doubled brackets show single ones', () => {
  const html = (raw: string): string => renderBody(raw, { smilies: false });
  expect(html('[gallery ids="1"] [playlist] [audio]')).toBe('<p>[gallery ids="1"] [playlist] [audio]</p>\n');
  expect(html('[[gallery ids="1"]] [[x]] [[caption]<img src="y" />[/caption]]')).toBe(
    '<p>[gallery ids="1"] [x] [caption]<img src="y" />[/caption]</p>\n',
  );
});

/** Addresses as long as they are taken, of what an answer repeats: whoever asks must not make it longer than others read. */
import { type Field, type Kind, READS, ask, get } from '../kind';

/** Signs that stay as they are, and such as are written longer. */
const SIGNS = ['1,', '"', '<', 'x', '%22', '900000000000,', '&a=', '/'];
const MOST = 31_000;

async function long(field: Field): Promise<void> {
  const { dice } = field;
  for (let n = 0; n < 12; n++) {
    const path = dice.pick(READS);
    const sign = dice.pick(SIGNS);
    const name = dice.pick([
      'exclude',
      'include',
      'author_exclude',
      'venue',
      'organizer',
      'tags',
      'search',
      'x',
      '_fields',
    ]);
    const more = `${name}=${sign.repeat(Math.floor(dice.between(500, MOST) / sign.length))}&per_page=1&page=${dice.pick([1, 2])}&n=${n}`;
    const wire = await ask(field, get(`${path}${path.includes('?') ? '&' : '?'}${more}`));
    wire.cut();
  }
}

export const addresses: readonly Kind[] = [{ name: 'addresses: as long as they are taken', strike: long }];

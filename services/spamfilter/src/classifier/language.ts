/*
 * Which script a text is in, and for the common languages in Latin and Cyrillic letters which language, by the small
 * words that nobody writes without. Not a linguist: it only has to notice that a text is not in the language of the place.
 */

const SCRIPTS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['latin', /\p{Script=Latin}/gu],
  ['cyrillic', /\p{Script=Cyrillic}/gu],
  ['han', /\p{Script=Han}/gu],
  ['kana', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['hangul', /\p{Script=Hangul}/gu],
  ['arabic', /\p{Script=Arabic}/gu],
  ['hebrew', /\p{Script=Hebrew}/gu],
  ['greek', /\p{Script=Greek}/gu],
  ['thai', /\p{Script=Thai}/gu],
  ['devanagari', /\p{Script=Devanagari}/gu],
];

const SCRIPT_OF: Readonly<Record<string, readonly string[]>> = {
  ...{ ru: ['cyrillic'], uk: ['cyrillic'], bg: ['cyrillic'], sr: ['cyrillic', 'latin'], mk: ['cyrillic'] },
  ...{ be: ['cyrillic'], zh: ['han'], ja: ['kana', 'han'], ko: ['hangul'], ar: ['arabic'], fa: ['arabic'] },
  ...{ ur: ['arabic'], he: ['hebrew'], el: ['greek'], th: ['thai'], hi: ['devanagari'], mr: ['devanagari'] },
};

// Folded, as all words are.
const SMALL_WORDS: Readonly<Record<string, string>> = {
  en: 'the and of to is you that it for with this have are was not your we',
  de: 'der die und das ist nicht ich ein eine mit auch auf fur wir sie wie bei sehr',
  fr: 'le les des est une pour vous dans que pas avec sur nous je merci tres mais',
  es: 'el los las una por para con que no muy como pero gracias esta hay su',
  it: 'il che di per non una con sono molto grazie anche della come piu gli mi',
  pt: 'os uma para com nao que muito obrigado voce mais por como mas ao isso',
  nl: 'het een van en niet ik dat met voor zijn op ook maar wij bedankt naar',
  pl: 'nie sie jest na do to jak czy ale bardzo dla przez moze prosze dziekuje',
  sv: 'och att det som inte jag for med har till vi tack men mycket ar kan',
  tr: 'bir ve bu icin cok ile daha ama ben gibi var ne olarak tesekkurler',
  id: 'yang dan di untuk dengan ini itu tidak saya anda ada dari bisa kami',
  ru: 'и в не на что с как это по но мы вы для я спасибо очень',
  uk: 'і в не на що з як це та але ми ви для я дякую дуже',
};
const LANGUAGES = Object.entries(SMALL_WORDS).map(
  ([language, words]) => [language, new Set(words.split(' '))] as const,
);
const ENOUGH_LETTERS = 8;
const ENOUGH_SMALL_WORDS = 2;
/** Letters and words of a text's beginning that tell enough of it. */
const LOOKED_AT = 4_000;
const WORDS_LOOKED_AT = 500;

export interface Tongue {
  /** The script most letters are of; '' for too few. */
  readonly script: string;
  /** Two letters; '' where it is not known. */
  readonly language: string;
}

export function tongueOf(text: string, words: readonly string[]): Tongue {
  const start = text.slice(0, LOOKED_AT);
  const counts = SCRIPTS.map(([name, pattern]) => ({ name, count: start.match(pattern)?.length ?? 0 }));
  const first = counts.reduce((most, one) => (one.count > most.count ? one : most));
  if (first.count < ENOUGH_LETTERS) return { script: '', language: '' };
  const some = words.slice(0, WORDS_LOOKED_AT);
  const known = LANGUAGES.map(([language, small]) => ({
    language,
    count: some.filter((word) => small.has(word)).length,
  }));
  const best = known.reduce((most, one) => (one.count > most.count ? one : most));
  return { script: first.name, language: best.count >= ENOUGH_SMALL_WORDS ? best.language : '' };
}

/** Whether a text is surely not in the language of the place, by script or by words; undefined where one is not known. */
export function isForeign(tongue: Tongue, place: string): boolean | undefined {
  const home = place.slice(0, 2).toLowerCase();
  if (home === '' || tongue.script === '') return undefined;
  if (!(SCRIPT_OF[home] ?? ['latin']).includes(tongue.script)) return true;
  if (tongue.language === '' || !(home in SMALL_WORDS)) return undefined;
  return tongue.language !== home;
}

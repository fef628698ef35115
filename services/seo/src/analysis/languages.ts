/** Languages that texts are scored in, and the few words that heads need. A new language is a row. */
import { stemmer as dutchStem } from '@orama/stemmers/dutch';
import { stemmer as englishStem } from '@orama/stemmers/english';
import { stemmer as frenchStem } from '@orama/stemmers/french';
import { stemmer as germanStem } from '@orama/stemmers/german';
import { stemmer as spanishStem } from '@orama/stemmers/spanish';
import * as syllables from './syllables';
import { primaryTag } from './words';

export interface LanguageRules {
  /** Of a word in small letters (Snowball, https://snowballstem.org). */
  readonly stem: (word: string) => string;
  /** Makes a counter that remembers words, for one text. */
  readonly syllables: () => (word: string) => number;
  /** Reading ease from words a sentence and syllables a word. */
  readonly ease: (sentenceLength: number, wordLength: number) => number;
  /** Without their last full stop, in small letters. */
  readonly abbreviations: ReadonlySet<string>;
}

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const RULES: ReadonlyMap<string, LanguageRules> = new Map(
  Object.entries({
    en: {
      stem: englishStem,
      syllables: syllables.english,
      // R. Flesch, «A new readability yardstick», Journal of Applied Psychology 32 (1948) 221.
      ease: (sentence, word) => 206.835 - 1.015 * sentence - 84.6 * word,
      abbreviations: list(
        'mr mrs ms dr prof st jr sr vs etc e.g i.e inc ltd co no vol pp fig approx dept est',
      ),
    },
    de: {
      stem: germanStem,
      syllables: syllables.german,
      // T. Amstad, «Wie verständlich sind unsere Zeitungen?», dissertation, Zürich 1978.
      ease: (sentence, word) => 180 - sentence - 58.5 * word,
      abbreviations: list(
        'dr prof nr str bzw ca usw etc vgl evtl ggf inkl z.b d.h u.a s.o z.t abb bd hr fr st tel',
      ),
    },
    fr: {
      stem: frenchStem,
      syllables: syllables.french,
      // L. Kandel and A. Moles, «Application de l'indice de Flesch à la langue française», Cahiers d'Études de
      // Radio-Télévision 19 (1958) 253.
      ease: (sentence, word) => 207 - 1.015 * sentence - 73.6 * word,
      abbreviations: list('m mm mme dr pr etc cf env ex p.ex st ste tél av bd vol'),
    },
    es: {
      stem: spanishStem,
      syllables: syllables.spanish,
      // F. Szigriszt Pazos, «Sistemas predictivos de legibilidad del mensaje escrito», dissertation, Madrid 1993: the form
      // of J. Fernández Huerta (1959) that says what is divided by what.
      ease: (sentence, word) => 206.835 - sentence - 62.3 * word,
      abbreviations: list('sr sra srta dr dra prof etc p.ej ej ee.uu av avda tel núm pág vol ud uds'),
    },
    nl: {
      stem: dutchStem,
      syllables: syllables.dutch,
      // W. H. Douma, «De leesbaarheid van landbouwbladen», Bulletin 17, Wageningen 1960; he counts syllables of a hundred words.
      ease: (sentence, word) => 206.84 - 0.93 * sentence - 77 * word,
      abbreviations: list(
        'dhr mevr dr prof drs ir mr nr bijv bv enz etc o.a d.w.z m.b.t t.o.v ca st tel blz',
      ),
    },
  }),
);

/** Undefined of a language that has none: its texts are not scored. */
export const rulesOf = (language: string): LanguageRules | undefined => RULES.get(primaryTag(language));

interface Words {
  readonly page: string;
  readonly search: string;
  readonly missing: string;
}

const ENGLISH: Words = { page: 'Page', search: 'Search results', missing: 'Page not found' };

const WORDS: ReadonlyMap<string, Words> = new Map(
  Object.entries({
    de: { page: 'Seite', search: 'Suchergebnisse', missing: 'Seite nicht gefunden' },
    fr: { page: 'Page', search: 'Résultats de recherche', missing: 'Page introuvable' },
    es: { page: 'Página', search: 'Resultados de la búsqueda', missing: 'Página no encontrada' },
    nl: { page: 'Pagina', search: 'Zoekresultaten', missing: 'Pagina niet gevonden' },
  }),
);

export const wordsOf = (language: string): Words => WORDS.get(primaryTag(language)) ?? ENGLISH;

import * as syllables from './syllables';

/** Words as dictionaries divide them (Merriam-Webster, Duden, Robert's phonetics, RAE, Van Dale). */
const WORDS: Readonly<Record<'english' | 'german' | 'french' | 'spanish' | 'dutch', string>> = {
  english:
    'gar-den read-a-ble the time makes ta-ble ta-bles walked want-ed box-es likes beau-ti-ful na-tion i-de-a ra-di-o be-ing ' +
    'qui-et peo-ple state-ment some-times hap-pi-er real-ly sci-ence cre-ate rhythm strength lit-er-a-ture syl-la-ble u-ni-ver-si-ty ' +
    "don't did-n't well-known jour-nal-is-m through e-ven-ing ca-fé",
  german:
    'Gar-ten Häu-ser Le-se-rin Mu-se-um Mu-se-ums Fa-mi-li-e Fe-ri-en Wien Knie Qua-li-tät Bä-cke-rei Mai-baum ' +
    'Re-gie-rung Na-ti-on bee-ren see The-a-ter schön Frau Ty-pus Stra-ße Ver-ständ-lich-keit ge-sund zwölf neu-e',
  french:
    'jar-din mai-son pe-tite table tables eau oi-seau na-ïf cré-er thé-âtre No-ël vo-yage an-née grand rue langue ' +
    "le je fille beau-coup li-si-bi-li-té é-té quelque l'a-mi cœur père tra-vaillent fi-nissent sou-vent mo-ment dif-fé-rent ha-bi-tu-é pi-tié po-é-sie",
  spanish:
    'jar-dín ciu-dad pa-ís le-er rey muy que gue-rra ver-güen-za ha-bí-a viu-da bue-no a-ho-ra te-a-tro ca-mión le-gi-bi-li-dad ' +
    'rí-o a-é-re-o quie-ro yo',
  dutch:
    'tuin lees-baar-heid be-ïn-vloe-den co-ör-di-na-tie the-a-ter mooi eeuw koei-en wij ge-luk-kig kwa-li-teit ' +
    'fa-mi-lie vrouw schrij-ver zee-ën o-pe-ning',
};

describe.each(Object.entries(WORDS))('syllables: %s', (language, words) => {
  it.each(words.split(' '))('counts %s', (divided) => {
    const count = syllables[language as keyof typeof WORDS]();
    const isCompound = divided === 'well-known';
    const word = isCompound ? divided : divided.replaceAll('-', '');
    expect(count(word)).toBe(divided.split('-').length);
  });
});

it('gives every word at least one, whatever it is', () => {
  const count = syllables.german();
  expect(['', '2026', 'BMW', "'", '漢字', '-'.repeat(500)].map(count)).toEqual([1, 1, 1, 1, 1, 1]);
});

/**
 * The hundred-odd words of the beginnings of Article 1 of the Universal Declaration of Human Rights, which is published in all
 * of these languages, divided by hand as the same dictionaries divide: no word of it was chosen by how it is counted.
 */
const ARTICLE: Readonly<Record<'german' | 'french' | 'spanish' | 'dutch', string>> = {
  german:
    'al-le Men-schen sind frei und gleich an Wür-de und Rech-ten ge-bo-ren sie sind mit Ver-nunft und Ge-wis-sen be-gabt und ' +
    'sol-len ein-an-der im Geist der Brü-der-lich-keit be-geg-nen',
  french:
    'tous les êtres hu-mains naissent libres et é-gaux en di-gni-té et en droits ils sont dou-és de rai-son et de con-science et ' +
    'doivent a-gir les uns en-vers les autres dans un es-prit de fra-ter-ni-té',
  spanish:
    'to-dos los se-res hu-ma-nos na-cen li-bres e i-gua-les en dig-ni-dad y de-re-chos y do-ta-dos co-mo es-tán de ra-zón y ' +
    'con-cien-cia de-ben com-por-tar-se fra-ter-nal-men-te los u-nos con los o-tros',
  dutch:
    'al-le men-sen wor-den vrij en ge-lijk in waar-dig-heid en rech-ten ge-bo-ren zij zijn be-gif-tigd met ver-stand en ' +
    'ge-we-ten en be-ho-ren zich je-gens el-kan-der in een geest van broe-der-schap te ge-dra-gen',
};

it.each(Object.entries(ARTICLE))('counts a text in %s that nobody chose, word by word', (language, words) => {
  const count = syllables[language as keyof typeof ARTICLE]();
  const wrong = words
    .split(' ')
    .map((divided) => [divided, count(divided.replaceAll('-', ''))] as const)
    .filter(([divided, counted]) => counted !== divided.split('-').length);
  expect(wrong).toEqual([]);
});

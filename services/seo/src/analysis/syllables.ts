/**
 * Syllables of a word by its spelling: one for each sound of a vowel. The sequences of letters that write one sound are
 * those of each language; what spelling does not show (`Wien`, `Ferien`) is counted wrong in a few words of a hundred,
 * which moves a score by a point or two. Numbers and words without a vowel have one.
 */
import { normalized } from '@sevenfold/text/normalized';

// No word is longer than LONGEST_WORD.
/* eslint-disable regexp/no-super-linear-move */

type Counter = (word: string) => number;

const LONGEST_WORD = 100;

/** A counter that takes any word and remembers what it said, as texts repeat their words. */
function counter(nuclei: Counter): () => Counter {
  return () => {
    const known = new Map<string, number>();
    return (word) => {
      let count = known.get(word);
      if (count === undefined) {
        const parts = normalized(word.slice(0, LONGEST_WORD).toLowerCase(), 'NFC').split(/[‑-]/);
        count = Math.max(
          1,
          parts.reduce((sum, part) => sum + (part === '' ? 0 : nuclei(part)), 0),
        );
        known.set(word, count);
      }
      return count;
    };
  };
}

const matches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

// `qu` is a consonant; behind it the next vowel counts.
const withoutQu = (word: string): string => word.replaceAll('qu', 'q');

const GERMAN = /aa|ah|ai|au|ay|äu|ee|ei|eu|ey|ie|oo|[aeiouyäöüàáâèéêëïóôúû]/g;

/** `eu` and `ie` are two sounds where endings of Latin words begin: Muse-um, Famili-e, Feri-en. */
export const german = counter((word) =>
  matches(
    withoutQu(word)
      .replace(/eum(?=s?$)/, 'e-um')
      .replace(/(?<=[fmnplr]il|[rt]r|[ae]r)ien?$/, 'i-e'),
    GERMAN,
  ),
);

const DUTCH = /aai|ooi|oei|eeu|ieu|aa|ee|oo|uu|ie|oe|eu|ui|ei|ij|au|ou|[aeiouyàáâäèéêëíïóôöúûü]/g;

export const dutch = counter((word) => matches(withoutQu(word), DUTCH));

/** Weak vowels join the strong or accented ones beside them: ciu-dad, pa-ís, le-er (Ortografía de la lengua española, 2010). */
export const spanish = counter((word) => {
  const runs =
    word
      .replace(/qu(?=[eiéí])/g, 'q')
      .replace(/gu(?=[eiéí])/g, 'g')
      .replace(/y$/, 'i')
      .match(/[aeiouáéíóúü]+/g) ?? [];
  return runs.reduce((sum, run) => sum + Math.max(1, matches(run, /[aeoáéíóú]/g)), 0);
});

/**
 * A final `e` or `es` is mute, and the `ent` of verbs where no other word ends so; an accented or marked vowel stands apart from the one before or behind it: cré-er, na-ïf.
 * Between vowels `y` is a consonant. All other neighbours are one sound.
 */
export const french = counter((word) => {
  const spoken = withoutQu(word)
    .replace(/gu(?=[eiéèê])/g, 'g')
    .replace(/(?<=ss|is|iv|èr|ir|ur|ill|gn|ch)ent$/, '')
    .replace(/(?<=[^aeiouy].*[^g]|.*[aeiouyàâéèêîïôùû].*)es?$/, '')
    .replace(/(?<=[aeiou])y(?=[aeiouéè])/g, 'j')
    .replace(/é(?=[aeiouyâô])/g, 'é-')
    .replace(/(?<=[aou])(?=é)/g, '-')
    .replace(/(?<=[aeouéi])(?=[ëïü])/g, '-')
    .replace(/ao(?!û)/g, 'a-o');
  return matches(spoken, /[aeiouyàâäéèêëîïôöœæùûü]+/g);
});

/** The vowels of a run are one sound, but for the endings and pairs named here; most final `e` are mute. */
export const english = counter((word) => {
  const letters = normalized(word.replaceAll('é', 'ey'), 'NFD')
    .replace(/(?<=[^aeiouy])n['’]t$/, 'ent')
    .replace(/[^a-z]/g, '');
  if (letters.length <= 2) return 1;
  const spoken = letters
    .replace(/^mc/, 'mac')
    .replace(/^y/, 'j')
    .replace(/qu/g, 'q')
    .replace(/(?<=[^aeiouyl])le(?=s?$|d$)/, 'el')
    .replace(/(?<=[^aeioutdy])ed$/, 'd')
    .replace(/(?<=[^aeiousczxghy]|th|gh|ph)es$/, 's')
    .replace(/(?<=[aeiouy].*[^aeiouy])e(?=(?:ly|less|ness|ful|fully|ment|ments|some|m[ae]n)?$)/, '')
    .replace(/some(?=[^s]|s.)/, 'som')
    .replace(/(?<=[a-z])ism(?=s?$)/, 'isem');
  const apart = spoken
    .replace(
      /(?<=[^tscgxaeiou])(?<!l(?=i[ao]n))i(?=[ao])|i(?=u[ms]|ety)|(?<=[tc])i(?=at)|(?<=[aeiouy][^aeiouy]+)i(?=e(?:r|st)s?$)/g,
      'i-',
    )
    .replace(/(?<=[aeiouy])ing/g, '-ing')
    .replace(
      /(?<!p|^g)eo(?=[^u])|ua(?=[^rk])|uou|ue(?=nc|nt)|ui(?=t[yo])|oe(?=[tv])/g,
      (pair) => `${pair[0]}-${pair.slice(1)}`,
    )
    .replace(/^sci(?=en)|cre(?=at(?!u))|qi(?=et)|ide(?=a)/, '$&-');
  return matches(apart, /[aeiouy]+/g);
});

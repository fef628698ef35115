/*
 * Smilies as clients know them: those of a fixed list that stand as words of their own become pictures of one character.
 */

const PICTURES: Readonly<Record<string, string>> = {
  '🙂': ':) :-) :smile:',
  '🙁': ':( :-( :sad:',
  '😀': ':D :-D :grin:',
  '😉': ';) ;-) :wink:',
  '😛': ':P :-P :razz:',
  '😮': ':o :-o :eek:',
  '😎': '8-) :cool:',
  '😡': ':x :-x :mad:',
  '😐': ':| :-| :neutral:',
  '😕': ':? :-? :???:',
  '😯': '8O 8-O :shock:',
  '😥': ':cry:',
  '😆': ':lol:',
  '👿': ':evil:',
  '😈': ':twisted:',
  '😳': ':oops:',
  '🙄': ':roll:',
  '💡': ':idea:',
  '➡': ':arrow:',
  '❗': ':!:',
  '❓': ':?:',
};

const pictureOf = new Map(
  Object.entries(PICTURES).flatMap(([picture, written]) =>
    written.split(' ').map((smiley): [string, string] => [smiley, picture]),
  ),
);

// Between white space, or the edge of a tag. What comes before is looked at behind the first character: so that is searched for first,
// and text without any costs next to nothing.
const WORD = /[:;8](?<=(?:^|\s|&nbsp;).)[^\s&]{1,8}(?=\s|&nbsp;|$)/g;

/** Text between two tags, with its smilies as pictures. */
export const smile = (text: string): string => text.replace(WORD, (word) => pictureOf.get(word) ?? word);

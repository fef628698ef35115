/** Words that made-up sites are written with, and ways to string them together. The same numbers give the same text. */
import { type Next, pick } from '@sevenfold/chassis/chance';

export const nouns =
  'harbour lantern meadow orchard compass kettle granite willow saddle copper juniper violin cellar marble ribbon anchor thistle canyon parcel timber falcon pebble garden bridge mirror island ladder valley basil candle market tunnel window cobalt amber clover ocean forest autumn winter letter cotton silver river museum bakery station library workshop theatre festival lighthouse vineyard ferry choir kitchen notebook journey recipe painting'.split(
    ' ',
  );
const adjectives =
  'quiet bright narrow early patient hollow gentle northern wooden crooked golden ordinary distant careful sudden faded honest curious restless shallow steady hidden crisp wandering familiar borrowed unfinished generous'.split(
    ' ',
  );
const verbs =
  'keeps finds carries builds paints follows opens mends gathers remembers borrows crosses measures repairs answers collects describes leaves teaches visits'.split(
    ' ',
  );
export const firstNames =
  'Ada Bruno Carla Dmitri Elif Farah Gustav Hana Ibrahim Júlia Kofi Lena Mateo Noor Olga Pavel Quinn Rosa Søren Tomoko'.split(
    ' ',
  );
export const lastNames =
  'Almeida Brandt Castillo Dubois Eriksen Fontaine García Huang Ivanova Jansen Kowalski Lindqvist Moreau Novák Okafor Petrov Rossi Silva Tanaka Weber'.split(
    ' ',
  );

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const title = (next: Next): string =>
  capital(
    `${pick(next, adjectives)} ${pick(next, nouns)} and the ${pick(next, adjectives)} ${pick(next, nouns)}`,
  );

function sentence(next: Next): string {
  const words = [
    `the ${pick(next, adjectives)} ${pick(next, nouns)}`,
    pick(next, verbs),
    `a ${pick(next, adjectives)} ${pick(next, nouns)}`,
  ];
  if (next() < 0.6) words.push(`near the ${pick(next, nouns)}`);
  if (next() < 0.4)
    words.push(`while the ${pick(next, nouns)} ${pick(next, verbs)} the ${pick(next, nouns)}`);
  return `${capital(words.join(' '))}.`;
}

export const paragraph = (next: Next, sentences: number): string =>
  Array.from({ length: sentences }, () => sentence(next)).join(' ');

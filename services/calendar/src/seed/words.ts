/** Words that made-up events are named with. The same numbers give the same text. */
import { type Next, pick } from '@sevenfold/chassis/chance';

const split = (text: string): readonly string[] => text.split(' ');

const adjectives = split(
  'quiet bright narrow early patient hollow gentle northern wooden golden distant sudden honest restless hidden crisp wandering familiar generous',
);
const kinds = split(
  'concert lecture workshop market exhibition walk screening reading tournament rehearsal tasting picnic parade festival debate',
);
const subjects = split(
  'jazz pottery chess gardens lanterns history poetry bread bicycles astronomy wine robots letters rivers photographs masks bees clocks',
);
const places = split(
  'hall garden cellar theatre library station museum pavilion church arena yard lighthouse',
);
const cities: readonly (readonly [city: string, country: string, zone: string, lat: number, lng: number])[] =
  [
    ['New York', 'United States', 'America/New_York', 40.71, -74.01],
    ['Vienna', 'Austria', 'Europe/Vienna', 48.21, 16.37],
    ['London', 'United Kingdom', 'Europe/London', 51.51, -0.13],
    ['Tokyo', 'Japan', 'Asia/Tokyo', 35.68, 139.69],
    ['Mumbai', 'India', 'Asia/Kolkata', 19.08, 72.88],
    ['Sydney', 'Australia', 'Australia/Sydney', -33.87, 151.21],
  ];

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const eventTitle = (next: Next): string =>
  capital(`${pick(next, adjectives)} ${pick(next, kinds)} of ${pick(next, subjects)}`);
export const paragraph = (next: Next): string =>
  `A ${pick(next, adjectives)} ${pick(next, kinds)} about ${pick(next, subjects)} and ${pick(next, subjects)}. Bring a ${pick(next, adjectives)} friend; the ${pick(next, places)} opens an hour before.`;
export const venueName = (next: Next): string => capital(`${pick(next, adjectives)} ${pick(next, places)}`);
export const organizerName = (next: Next): string =>
  capital(`${pick(next, adjectives)} friends of ${pick(next, subjects)}`);
export const pickCity = (next: Next): (typeof cities)[number] => pick(next, cities);
export const categoryNames = kinds.map((kind) => `${capital(kind)}s`);
export const tagNames = subjects;

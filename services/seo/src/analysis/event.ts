/** An event with its places, organizers and prices, for the graph. */
import { NUMBER, withoutMarks } from '@sevenfold/text/numbers';
import { localDay, localIso } from './dates';
import type { Facts } from './facts';
import { type Node, node, organizerNode, placeNode, reference } from './nodes';
import { wholeAddress } from './page';
import type { EventFacts } from './shape';

/** The event first. */
export function eventNodes(
  { item, name, language }: Facts,
  event: EventFacts,
  description: string,
  image: Node | undefined,
): Node[] {
  const places = event.places.map(placeNode);
  const organizers = event.organizers.map(organizerNode);
  const clock = event.allDay ? localDay : localIso;
  const told = node('Event', `${item.permalink}#event`, {
    name,
    description,
    url: item.permalink,
    inLanguage: language,
    startDate: clock(event.startUtc, event.timezone),
    endDate: clock(event.endUtc, event.timezone),
    eventAttendanceMode: places.length > 0 ? 'https://schema.org/OfflineEventAttendanceMode' : undefined,
    location: places.map(reference),
    organizer: organizers.map(reference),
    image: image && reference(image),
    isAccessibleForFree: isFree(event) ? true : undefined,
    offers: offerOf(event, item.permalink),
    sameAs: wholeAddress(event.website),
    mainEntityOfPage: { '@id': item.permalink },
  });
  // What has no address stands in the event itself.
  return [told, ...[...places, ...organizers].filter((thing) => '@id' in thing)];
}

const NUMBERS = new RegExp(NUMBER, 'gu');
const PRICE = /^\d{1,9}(?:[.,]\d{1,2})?$/;
const LONGEST_COST = 200;

/** Costs are text: one number in it is the price, two are the least and the greatest, anything else is no offer. */
function offerOf(event: EventFacts, url: string): Node | undefined {
  const prices = pricesOf(event);
  if (event.currency === '' || prices.length === 0 || prices.length > 2) return undefined;
  const [low, high] = prices;
  return high === undefined || high === low
    ? node('Offer', '', { price: low, priceCurrency: event.currency, url })
    : node('AggregateOffer', '', { lowPrice: low, highPrice: high, priceCurrency: event.currency, url });
}

const isFree = (event: EventFacts): boolean => {
  const prices = pricesOf(event);
  return prices.length === 1 && prices[0] === 0;
};

function pricesOf({ cost }: EventFacts): number[] {
  const numbers = (cost.slice(0, LONGEST_COST).match(NUMBERS) ?? []).map(withoutMarks);
  // `1.250,00` means one thing here and another there.
  if (!numbers.every((number) => PRICE.test(number))) return [];
  return numbers.map((number) => Number(number.replace(',', '.'))).sort((one, other) => one - other);
}

/*
 * Addresses and the networks around them. Who sends much has many addresses: of IPv6 a customer gets a /64 and more, of
 * IPv4 a /24 is what one provider's machines share.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface Sender {
  /** Canonical text; IPv4 in IPv6, mapped or translated, is IPv4. */
  readonly address: string;
  /** `192.0.2.0/24`, `2001:db8:0:1::/64` */
  readonly network: string;
}

/** Undefined for what is no address. */
export function senderOf(text: string): Sender | undefined {
  const network = networkOf(text, 24, 64);
  return network === undefined ? undefined : { address: (parse(text) as Address).toString(), network };
}

/** The network of so many bits around an address of either kind; undefined for what is no address. */
function networkOf(text: string, bitsOf4: number, bitsOf6: number): string | undefined {
  const address = parse(text);
  if (!address) return undefined;
  const bits = address.kind() === 'ipv4' ? bitsOf4 : bitsOf6;
  return `${masked(address, bits)}/${bits}`;
}

/** What one customer has at least: an address of IPv4, of IPv6 a network of 2^64. Undefined for what is no address. */
export const subscriberOf = (text: string): string | undefined => networkOf(text, 32, 64);

/** What one may have many of these in: by it everybody's connections, bodies and wrong guesses are counted. */
export const neighbourhoodOf = (text: string): string | undefined => networkOf(text, 24, 48);

/** An address or a network in canonical text; undefined for what is neither. */
export function rangeOf(text: string): string | undefined {
  const [name = '', length, ...more] = text.trim().split('/');
  const address = parse(name);
  if (!address || more.length > 0) return undefined;
  const most = address.kind() === 'ipv4' ? 32 : 128;
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return undefined;
  const inside = most === 32 && name.includes(':') ? BITS_BEFORE_IPV4 : 0;
  const bits = length === undefined ? most : Number(length) - inside;
  if (bits > most || bits < 0) return undefined;
  return `${masked(address, bits)}/${bits}`;
}

/** `range` as rangeOf gave it. */
export function isWithin(sender: Sender | undefined, range: string): boolean {
  const address = sender && parse(sender.address);
  const [name = '', bits] = range.split('/');
  const network = parse(name);
  if (!address || !network || address.kind() !== network.kind()) return false;
  return masked(address, Number(bits)) === network.toString();
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Of an address of IPv6 that stands for one of IPv4. */
const BITS_BEFORE_IPV4 = 96;
/** 64:ff9b::/96: who comes with IPv4 to a site that has IPv6 alone (RFC 7755). As one network of 2^64 all of them would be one customer. */
const TRANSLATED = 'rfc6052';

function parse(text: string): Address | undefined {
  const name = text.trim();
  // In full: of `10`, `192.168` and `010.0.0.1` the ways of old C libraries make addresses that nobody means.
  if (name.length > 64 || isIP(name) === 0) return undefined;
  // A zone is a name of the sender's own machine.
  const address = ipaddr.process(name.split('%')[0] as string);
  return address.range() === TRANSLATED ? ipaddr.fromByteArray(address.toByteArray().slice(12)) : address;
}

function masked(address: Address, bits: number): string {
  const bytes = address.toByteArray().map((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - index * 8));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
  return ipaddr.fromByteArray(bytes).toString();
}

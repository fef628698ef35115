/*
 * From counts to weights. Each feature weighs the logarithm of how much more often it was seen in spam than in ham,
 * drawn towards nothing while it was seen seldom (Robinson's estimate); the heaviest ones are added up by group. What
 * comes out is raw: features repeat each other, so their sum exaggerates, and calibration.ts says by how much.
 * Pure, and the same for whoever has the counts: the service, its tests and the benchmark.
 */
import { type Feature, type Group, groups } from './features';

export interface Counts {
  readonly spam: number;
  readonly ham: number;
  /** Of the starting corpus. */
  readonly baseSpam: number;
  readonly baseHam: number;
}

export interface Piece {
  readonly group: Group;
  readonly weight: number;
  /** The heaviest features, heaviest first. */
  readonly labels: readonly string[];
}

export interface Weighed {
  /** Sum of the pieces. */
  readonly raw: number;
  readonly pieces: readonly Piece[];
}

/**
 * What the starting corpus says of a feature counts like so many sightings at most: three or four decisions of the site's
 * own about it weigh more.
 */
const MOST_BASE = 3;
/** How strongly a feature that was seen seldom is held at «says nothing», in sightings. */
const DOUBT = 0.5;
/** A feature nearer to even odds than this is noise. */
const LEAST_WEIGHT = 0.2;
const MOST_FEATURES = 120;
const LABELS = 6;

export function weigh(
  features: readonly Feature[],
  counts: ReadonlyMap<number, Counts>,
  totals: Counts,
): Weighed {
  const weights = features.flatMap((feature) => {
    const seen = counts.get(feature.hash);
    if (!seen) return [];
    const weight = weightOf(seen, totals);
    return Math.abs(weight) < LEAST_WEIGHT ? [] : [{ feature, weight }];
  });
  weights.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight) || a.feature.hash - b.feature.hash);
  const heaviest = weights.slice(0, MOST_FEATURES);
  // Ten words that agree are less than ten times the evidence of one: they come in phrases.
  const damping = 1 / Math.sqrt(Math.max(1, heaviest.length));
  const pieces = groups.flatMap((group) => {
    const own = heaviest.filter(({ feature }) => feature.group === group);
    if (own.length === 0) return [];
    const weight = damping * own.reduce((sum, one) => sum + one.weight, 0);
    return [{ group, weight, labels: own.slice(0, LABELS).map(({ feature }) => feature.label) }];
  });
  return { raw: pieces.reduce((sum, piece) => sum + piece.weight, 0), pieces };
}

/** The corpus first, then the site's own decisions on top of what it says: each draws the other as far as it was seen. */
function weightOf(seen: Counts, totals: Counts): number {
  const base = seen.baseSpam + seen.baseHam;
  const own = seen.spam + seen.ham;
  const inBase = blend(
    0.5,
    DOUBT,
    shareOf(seen.baseSpam, seen.baseHam, totals.baseSpam, totals.baseHam),
    base,
  );
  const doubt = DOUBT + Math.min(base, MOST_BASE);
  const probability = blend(inBase, doubt, shareOf(seen.spam, seen.ham, totals.spam, totals.ham), own);
  return Math.log(probability / (1 - probability));
}

const blend = (expected: number, doubt: number, seen: number, sightings: number): number =>
  (doubt * expected + sightings * seen) / (doubt + sightings);

/** The odds as if there were as much ham as spam; moderators decide far more of one than of the other. */
function shareOf(spam: number, ham: number, spamInAll: number, hamInAll: number): number {
  const spamRate = spam / Math.max(1, spamInAll);
  const hamRate = ham / Math.max(1, hamInAll);
  return spamRate + hamRate === 0 ? 0.5 : spamRate / (spamRate + hamRate);
}

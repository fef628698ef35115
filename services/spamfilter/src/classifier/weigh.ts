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
 * So many of the site's own decisions count as much as the whole starting corpus, which fades as they come: after ten
 * times as many it has a tenth of the say.
 */
const FADES_OVER = 60;
/** How strongly a feature that was seen seldom is held at «says nothing», in sightings. */
const DOUBT = 0.5;
/** A feature nearer to even odds than this is noise. */
const LEAST_WEIGHT = 0.2;
const MOST_FEATURES = 120;
const LABELS = 6;

export const fadeOf = ({ spam, ham }: Counts): number => FADES_OVER / (FADES_OVER + spam + ham);

export function weigh(
  features: readonly Feature[],
  counts: ReadonlyMap<number, Counts>,
  totals: Counts,
): Weighed {
  const fade = fadeOf(totals);
  const spamInAll = Math.max(1, totals.spam + fade * totals.baseSpam);
  const hamInAll = Math.max(1, totals.ham + fade * totals.baseHam);
  const weights = features.flatMap((feature) => {
    const seen = counts.get(feature.hash);
    if (!seen) return [];
    const spam = (seen.spam + fade * seen.baseSpam) / spamInAll;
    const ham = (seen.ham + fade * seen.baseHam) / hamInAll;
    const sightings = seen.spam + seen.ham + fade * (seen.baseSpam + seen.baseHam);
    if (spam + ham === 0) return [];
    const probability = (DOUBT / 2 + (sightings * spam) / (spam + ham)) / (DOUBT + sightings);
    const weight = Math.log(probability / (1 - probability));
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

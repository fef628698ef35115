/*
 * What a raw score is worth: log-odds = slope × raw + offset (Platt). Fitted to the raw scores that
 * messages had before they were taught, of the latest decisions only: a model that has learned since gives other scores.
 * Moderators mostly decide what the filter got wrong, and from those alone it would learn to say the opposite: the line
 * is held near the one measured on the starting corpus, and its slope within bounds.
 */
/** So many of the latest decisions are fitted. */
export const LATEST = 300;
export const BINS = 41;
const WIDTH = 0.5;
const EDGE = (BINS * WIDTH) / 2;

export interface Calibration {
  /** Decisions by bin of the raw score. */
  readonly spam: readonly number[];
  readonly ham: readonly number[];
}

export interface Line {
  readonly slope: number;
  readonly offset: number;
}

/** Of ten folds of the starting corpus: 1.57 and -0.08. */
export const START: Line = { slope: 1.5, offset: 0 };
/** How firmly the line is held there, as precisions of a normal prior. */
const FIRM_SLOPE = 40;
const FIRM_OFFSET = 10;
const LEAST_SLOPE = START.slope / 2;
const MOST_SLOPE = START.slope * 3;
const STEPS = 12;

export const noCalibration = (): { spam: number[]; ham: number[] } => ({
  spam: new Array<number>(BINS).fill(0),
  ham: new Array<number>(BINS).fill(0),
});

export const binOf = (raw: number): number =>
  Math.min(BINS - 1, Math.max(0, Math.floor((raw + EDGE) / WIDTH)));

const middleOf = (bin: number): number => (bin + 0.5) * WIDTH - EDGE;

export const probabilityOf = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/** Newton's method over the bins; a dozen steps over 41 numbers. */
export function fit({ spam, ham }: Calibration): Line {
  let { slope, offset } = START;
  for (let step = 0; step < STEPS; step++) {
    let [gradientSlope, gradientOffset] = [
      FIRM_SLOPE * (slope - START.slope),
      FIRM_OFFSET * (offset - START.offset),
    ];
    let [curveSlope, curveBoth, curveOffset] = [FIRM_SLOPE, 0, FIRM_OFFSET];
    for (let bin = 0; bin < BINS; bin++) {
      const [spams, hams] = [spam[bin] ?? 0, ham[bin] ?? 0];
      if (spams + hams === 0) continue;
      const raw = middleOf(bin);
      const expected = probabilityOf(slope * raw + offset);
      const wrong = (spams + hams) * expected - spams;
      const weight = (spams + hams) * expected * (1 - expected);
      gradientSlope += wrong * raw;
      gradientOffset += wrong;
      curveSlope += weight * raw * raw;
      curveBoth += weight * raw;
      curveOffset += weight;
    }
    const determinant = curveSlope * curveOffset - curveBoth * curveBoth;
    slope -= (curveOffset * gradientSlope - curveBoth * gradientOffset) / determinant;
    offset -= (curveSlope * gradientOffset - curveBoth * gradientSlope) / determinant;
    slope = Math.min(MOST_SLOPE, Math.max(LEAST_SLOPE, slope));
    offset = Math.min(3, Math.max(-3, offset));
  }
  return { slope, offset };
}

import fc from 'fast-check';
import { BINS, START, binOf, fit, noCalibration, probabilityOf } from './calibration';
import { type Feature, groups } from './features';
import { type Counts, weigh } from './weigh';

const feature = (hash: number, group: Feature['group'] = 'words'): Feature => ({
  hash,
  group,
  label: `f${hash}`,
});
const none: Counts = { spam: 0, ham: 0, baseSpam: 0, baseHam: 0 };
const totals: Counts = { spam: 10, ham: 10, baseSpam: 10, baseHam: 10 };
const rawOf = (seen: Partial<Counts>, all: Partial<Counts> = {}): number =>
  weigh([feature(1)], new Map([[1, { ...none, ...seen }]]), { ...totals, ...all }).raw;

describe('weights', () => {
  test('follow what was seen, and more surely the more often', () => {
    expect(rawOf({ spam: 3 })).toBeGreaterThan(rawOf({ spam: 1 }));
    expect(rawOf({ spam: 1 })).toBeGreaterThan(0);
    expect(rawOf({ ham: 2 })).toBeLessThan(0);
    expect(rawOf({ spam: 5, ham: 5 })).toBe(0);
    expect(weigh([feature(2)], new Map(), totals)).toEqual({ raw: 0, pieces: [] });
  });

  test('do not follow from moderators deciding more of one side', () => {
    expect(rawOf({ spam: 5, ham: 50 }, { spam: 10, ham: 100 })).toBe(0);
  });

  test('of the starting corpus give way to a handful of own decisions', () => {
    expect(rawOf({ baseSpam: 9 })).toBeGreaterThan(1);
    expect(rawOf({ baseSpam: 9, ham: 6 })).toBeLessThan(0);
  });

  test('are shown by group, heaviest labels first', () => {
    const counts = new Map([
      [1, { ...none, spam: 1 }],
      [2, { ...none, spam: 8 }],
      [3, { ...none, ham: 8 }],
    ]);
    const { pieces, raw } = weigh([feature(1), feature(2), feature(3, 'shape')], counts, totals);
    expect(pieces.map(({ group, labels }) => [group, labels])).toEqual([
      ['words', ['f2', 'f1']],
      ['shape', ['f3']],
    ]);
    expect(raw).toBeCloseTo(pieces.reduce((sum, { weight }) => sum + weight, 0));
  });

  test('are finite numbers whatever the counts', () => {
    const count = fc.nat({ max: 1_000_000 });
    const counts = fc.record({ spam: count, ham: count, baseSpam: count, baseHam: count });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(counts, fc.constantFrom(...groups)), { maxLength: 200 }),
        counts,
        (seen, all) => {
          const features = seen.map(([, group], hash) => feature(hash, group));
          const { raw } = weigh(features, new Map(seen.map(([one], hash) => [hash, one])), all);
          expect(Number.isFinite(raw)).toBe(true);
        },
      ),
    );
  });
});

describe('calibration', () => {
  const decided = (side: 'spam' | 'ham', raw: number, times: number) => {
    const calibration = noCalibration();
    calibration[side][binOf(raw)] = times;
    return calibration;
  };

  test('is the line of the corpus before anything was decided', () => {
    expect(fit(noCalibration())).toEqual(START);
  });

  test('learns that scores exaggerate, and that they are too shy', () => {
    const sure = { spam: decided('spam', 3, 60).spam, ham: decided('ham', 3, 40).ham };
    expect(probabilityOf(fit(sure).slope * 3 + fit(sure).offset)).toBeLessThan(0.9);
    const shy = { spam: decided('spam', 0.7, 300).spam, ham: decided('ham', -0.7, 300).ham };
    expect(fit(shy).slope).toBeGreaterThan(START.slope);
  });

  test('does not turn round where moderators decided nothing but its faults', () => {
    const faults = { spam: decided('spam', -2, 500).spam, ham: decided('ham', 2, 500).ham };
    expect(fit(faults).slope).toBeGreaterThan(0);
  });

  test('is a line of finite numbers within its bounds, whatever was decided', () => {
    const counts = fc.array(fc.nat({ max: 100_000 }), { minLength: BINS, maxLength: BINS });
    fc.assert(
      fc.property(counts, counts, fc.double({ noNaN: true }), (spam, ham, raw) => {
        const { slope, offset } = fit({ spam, ham });
        expect(slope).toBeGreaterThan(0);
        expect(Math.abs(offset)).toBeLessThanOrEqual(3);
        const probability = probabilityOf(slope * raw + offset);
        expect(probability >= 0 && probability <= 1).toBe(true);
        expect(binOf(raw) >= 0 && binOf(raw) < BINS).toBe(true);
      }),
    );
  });
});

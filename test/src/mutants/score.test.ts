/** A run says no more than it has tried, in its last line and in its code. */
import { type Outcome, type Score, conclude, tell } from './score';

const score = (killed: number, survived = 0, untried = 0): Score => ({ killed, survived, untried });
const outcome = (areas: Record<string, Score>, more: Partial<Outcome> = {}): Outcome => ({
  areas: new Map(Object.entries(areas)),
  named: new Map(),
  broken: [],
  cut: false,
  ...more,
});

test.each<[string, Outcome, number, string]>([
  ['all tried', outcome({ dates: score(9, 1), rights: score(5) }), 0, 'Complete: all 15 faults were tried.'],
  ['a name of nothing', outcome({}), 2, 'Nothing has that name.'],
  [
    'a sample',
    outcome({ dates: score(40, 0, 60) }, { each: 40 }),
    0,
    'Sampled: 40 of 100 faults were tried, at most 40 of each file.',
  ],
  [
    'cut short',
    outcome({ dates: score(3, 0, 7) }, { cut: true }),
    0,
    'Cut short: 3 of 10 faults were tried.',
  ],
  [
    'cut short before an area',
    outcome({ dates: score(3), rights: score(0, 0, 7) }, { cut: true }),
    2,
    'Cut short: 3 of 10 faults were tried; not tried at all: rights.',
  ],
  [
    'cut short before a named one',
    outcome({}, { cut: true, named: new Map([['x', 'not tried']]) }),
    2,
    'Cut short: 0 of 1 faults were tried; not tried at all: named: x.',
  ],
  [
    'too many unseen',
    outcome({ dates: score(8, 1), rights: score(5) }),
    1,
    'Complete: all 14 faults were tried; too many unseen: dates.',
  ],
  [
    'a named one unseen',
    outcome({}, { named: new Map([['x', 'survived']]) }),
    1,
    'Complete: all 1 faults were tried; too many unseen: named: x.',
  ],
  [
    'tests that fail as they are',
    outcome({ dates: score(0, 0, 4) }, { broken: ['dates.ts'] }),
    1,
    'Sampled: 0 of 4 faults were tried; fails without a fault: dates.ts; not tried at all: dates.',
  ],
])('%s', (_what, given, code, line) => {
  expect(conclude(given)).toEqual({ line, code });
});

test('what was not tried has no rate', () => {
  expect(tell(score(0, 0, 7))).toBe('nothing tried, 7 not tried');
  expect(tell(score(9, 1))).toBe('9 killed, 1 survived (90.0 %)');
});

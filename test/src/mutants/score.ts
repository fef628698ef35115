/** What a run has shown, in words and as the code with which it ends: never more than was tried. */
export interface Score {
  killed: number;
  survived: number;
  /** Left out by a sample, or when the time was over. */
  untried: number;
}

export interface Outcome {
  readonly areas: ReadonlyMap<string, Score>;
  /** Names of faults, by what became of them. */
  readonly named: ReadonlyMap<string, 'killed' | 'survived' | 'not tried'>;
  /** Files whose tests fail as they are, so that they say nothing of faults. */
  readonly broken: readonly string[];
  /** No more than so many of each file, if not all. */
  readonly each?: number;
  /** Whether the time was over before all were tried. */
  readonly cut: boolean;
}

const WANTED_RATE = 0.9;

export const noScore = (): Score => ({ killed: 0, survived: 0, untried: 0 });
const tried = ({ killed, survived }: Score): number => killed + survived;

export const tell = (score: Score): string => {
  const left = score.untried > 0 ? `, ${score.untried} not tried` : '';
  if (tried(score) === 0) return `nothing tried${left}`;
  const percent = ((100 * score.killed) / tried(score)).toFixed(1);
  return `${score.killed} killed, ${score.survived} survived (${percent} %)${left}`;
};

/** 0: what was tried was seen; 1: it was not, or cannot be told; 2: as far as it went, but something was not tried at all. */
export function conclude({ areas, named, broken, each, cut }: Outcome): { line: string; code: 0 | 1 | 2 } {
  if (areas.size + named.size === 0) return { line: 'Nothing has that name.', code: 2 };
  const total = noScore();
  for (const score of areas.values())
    for (const kind of ['killed', 'survived', 'untried'] as const) total[kind] += score[kind];
  for (const state of named.values()) total[state === 'not tried' ? 'untried' : state] += 1;
  const missing = [
    ...[...areas].flatMap(([area, score]) => (tried(score) === 0 ? [area] : [])),
    ...[...named].flatMap(([name, state]) => (state === 'not tried' ? [`named: ${name}`] : [])),
  ];
  const poor = [
    ...[...areas].flatMap(([area, score]) => (score.killed < WANTED_RATE * tried(score) ? [area] : [])),
    ...[...named].flatMap(([name, state]) => (state === 'survived' ? [`named: ${name}`] : [])),
  ];
  const all = tried(total) + total.untried;
  const extent = [
    total.untried === 0
      ? `Complete: all ${all} faults were tried`
      : `${cut ? 'Cut short' : 'Sampled'}: ${tried(total)} of ${all} faults were tried`,
    ...(each !== undefined && total.untried > 0 ? [`at most ${each} of each file`] : []),
  ].join(', ');
  const findings: [string, readonly string[]][] = [
    ['too many unseen', poor],
    ['fails without a fault', broken],
    ['not tried at all', missing],
  ];
  const told = findings.flatMap(([what, names]) =>
    names.length > 0 ? [`${what}: ${names.join(', ')}`] : [],
  );
  return {
    line: `${[extent, ...told].join('; ')}.`,
    code: poor.length + broken.length > 0 ? 1 : missing.length > 0 ? 2 : 0,
  };
}

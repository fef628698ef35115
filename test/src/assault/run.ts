/**
 * Lets kinds of assault strike in turn until the time is over, a few at once. Each strike has dice of its own, made of
 * the seed and its number, so that what it sends depends on nothing that happened before.
 */
import { diceOf } from './dice';
import { type Field, type Kind, LONGEST_STRIKE_MS } from './kind';
import { type Wire, openWire } from './wire';

export interface Tally {
  strikes: number;
  sent: number;
  connections: number;
  /** Connections that ended, or were ended, without an answer. */
  unanswered: number;
  readonly answers: Map<number, number>;
  readonly faults: string[];
}

export interface Assault {
  readonly port: number;
  readonly kinds: readonly Kind[];
  readonly seed: number;
  readonly seconds: number;
  readonly atOnce: number;
}

export interface Running {
  readonly tallies: ReadonlyMap<string, Tally>;
  /** What strikes at this moment, for whoever sees a fault now. */
  readonly now: () => string[];
  readonly done: Promise<void>;
}

export function startAssault(assault: Assault): Running {
  const tallies = new Map<string, Tally>(assault.kinds.map(({ name }) => [name, emptyTally()]));
  const striking = new Map<number, string>();
  const until = Date.now() + assault.seconds * 1000;
  const order = shuffled(assault.kinds, assault.seed);
  let next = 0;
  const strikeInTurn = async (): Promise<void> => {
    // Every kind strikes at least once, however slow the machine is.
    while (Date.now() < until || next < order.length) {
      const number = next++;
      const kind = order[number % order.length] as Kind;
      striking.set(number, kind.name);
      await strike(assault, kind, number, tallies.get(kind.name) as Tally);
      striking.delete(number);
    }
  };
  return {
    tallies,
    now: () => [...striking.values()],
    done: Promise.all(Array.from({ length: assault.atOnce }, strikeInTurn)).then(() => undefined),
  };
}

const emptyTally = (): Tally => ({
  strikes: 0,
  sent: 0,
  connections: 0,
  unanswered: 0,
  answers: new Map(),
  faults: [],
});

function shuffled<T>(list: readonly T[], seed: number): T[] {
  const dice = diceOf(seed);
  const order = [...list];
  for (let place = order.length - 1; place > 0; place--) {
    const other = dice.between(0, place);
    [order[place], order[other]] = [order[other] as T, order[place] as T];
  }
  return order;
}

async function strike(assault: Assault, kind: Kind, number: number, tally: Tally): Promise<void> {
  const dice = diceOf(assault.seed + number * 7919);
  const wires: Wire[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const address = (): string =>
    `127.${dice.between(20, 250)}.${dice.between(0, 255)}.${dice.between(1, 254)}`;
  const field: Field = {
    dice,
    address,
    open: async (options = {}) => {
      const wire = await openWire({
        port: assault.port,
        longest: LONGEST_STRIKE_MS,
        ...options,
        from: options.from ?? address(),
      });
      wires.push(wire);
      return wire;
    },
    sent: (count) => void (tally.sent += count),
    pause: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          timers.delete(timer);
          resolve();
        }, ms);
        timers.add(timer);
      }),
  };
  tally.strikes += 1;
  await kind.strike(field).catch((error: Error) => void tally.faults.push(error.message));
  for (const timer of timers) clearTimeout(timer);
  for (const wire of wires) {
    wire.cut();
    count(tally, wire);
  }
}

function count(tally: Tally, wire: Wire): void {
  tally.connections += 1;
  if (wire.statuses.length === 0) tally.unanswered += 1;
  for (const status of wire.statuses) tally.answers.set(status, (tally.answers.get(status) ?? 0) + 1);
}

/** Answers that no client's doing may cause: `kind: status × count`. */
export function wrongAnswers(kinds: readonly Kind[], tallies: ReadonlyMap<string, Tally>): string[] {
  // A service that is declared and not built answers 501.
  const allowed = (kind: Kind, status: number): boolean =>
    status < 500 || status === 501 || (kind.mayGet?.includes(status) ?? false);
  return kinds.flatMap((kind) =>
    [...(tallies.get(kind.name) as Tally).answers]
      .filter(([status]) => !allowed(kind, status))
      .map(([status, times]) => `${kind.name}: ${status} × ${times}`),
  );
}

/** A line for each kind. */
export function reportOf(tallies: ReadonlyMap<string, Tally>): string {
  const lines = [...tallies].map(([name, tally]) => {
    const answers = [...tally.answers]
      .sort(([a], [b]) => a - b)
      .map(([status, times]) => `${status}×${times}`)
      .join(' ');
    const faults = tally.faults.length > 0 ? ` faults ${tally.faults.length} (${tally.faults[0]})` : '';
    return `  ${name.padEnd(48)} strikes ${tally.strikes}, requests ${tally.sent}, connections ${tally.connections}, unanswered ${tally.unanswered}; ${answers}${faults}`;
  });
  return lines.join('\n');
}

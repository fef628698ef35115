/**
 * Somebody who only wants to use the site while it is under assault: asks every namespace again and again, each question
 * from an address of its own, and expects what it was answered when all was quiet.
 */
import http from 'node:http';

export interface Question {
  readonly name: string;
  readonly path: string;
  readonly method?: 'GET' | 'POST';
  readonly signed?: boolean;
  /** Made for each asking. */
  readonly body?: () => object;
  /** Sees each answer that is as it should be. */
  readonly heard?: (body: string) => void;
}

export interface Failure {
  readonly question: string;
  readonly got: string;
  readonly ms: number;
  readonly during: readonly string[];
}

export interface Testimony {
  readonly asked: number;
  readonly failures: readonly Failure[];
  /** Milliseconds, of all answers. */
  readonly median: number;
  readonly worst: number;
  readonly worstOf: string;
}

export interface WitnessOptions {
  readonly url: string;
  readonly authorization: string;
  readonly questions: readonly Question[];
  /** What strikes now. */
  readonly during: () => readonly string[];
}

/** The gateway itself promises an answer within half a minute. */
const GIVES_UP_MS = 60_000;
const PAUSE_MS = 200;

export interface Witness {
  /** What was answered when all was quiet, by question. */
  readonly expected: ReadonlyMap<string, number>;
  start(): void;
  stop(): Promise<Testimony>;
}

/** Asks everything once; that answer is the one to expect from then on. */
export async function callWitness(options: WitnessOptions): Promise<Witness> {
  const expected = new Map<string, number>();
  for (const [place, question] of options.questions.entries()) {
    const { status, body } = await quietly(options, question, place);
    expected.set(question.name, status);
    question.heard?.(body);
  }
  const failures: Failure[] = [];
  const times: number[] = [];
  let slowest = { ms: 0, name: '' };
  let stopped = false;
  let loops: Promise<void>[] = [];

  const askOnce = async (question: Question, place: number): Promise<void> => {
    const started = performance.now();
    const fail = (got: string): void =>
      void failures.push({
        question: question.name,
        got,
        ms: Math.round(performance.now() - started),
        during: [...new Set(options.during())],
      });
    try {
      const { status, body } = await put(options, question, place);
      if (status === expected.get(question.name)) question.heard?.(body);
      else fail(`${status} ${body.slice(0, 200)}`);
    } catch (error) {
      fail((error as Error).message);
    }
    const ms = performance.now() - started;
    times.push(ms);
    if (ms > slowest.ms) slowest = { ms, name: question.name };
  };

  const loop = async (question: Question, place: number): Promise<void> => {
    while (!stopped) {
      await askOnce(question, place);
      if (!stopped) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  return {
    expected,
    start: () => void (loops = options.questions.map(loop)),
    stop: async () => {
      stopped = true;
      await Promise.all(loops);
      times.sort((a, b) => a - b);
      return {
        asked: times.length,
        failures,
        median: Math.round(times[Math.floor(times.length / 2)] ?? 0),
        worst: Math.round(slowest.ms),
        worstOf: slowest.name,
      };
    },
  };
}

/** The answer when all is quiet: a stack that has just begun may still be getting to know itself. */
async function quietly(
  options: WitnessOptions,
  question: Question,
  place: number,
): Promise<{ status: number; body: string }> {
  const until = Date.now() + GIVES_UP_MS;
  for (;;) {
    const answer = await put(options, question, place);
    if (answer.status < 500 || answer.status === 501) return answer;
    if (Date.now() > until)
      throw new Error(
        `${question.name}: ${answer.status} ${answer.body.slice(0, 300)} before anything happened`,
      );
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function put(
  options: WitnessOptions,
  question: Question,
  place: number,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const bytes = question.body ? Buffer.from(JSON.stringify(question.body())) : undefined;
    const request = http.request(
      `${options.url}${question.path}`,
      {
        method: question.method ?? 'GET',
        agent: false,
        // Nobody shares the address, so no limit that others used up is met here.
        localAddress: `127.1.0.${place + 1}`,
        headers: {
          ...(question.signed && { Authorization: options.authorization }),
          ...(bytes && { 'Content-Type': 'application/json', 'Content-Length': bytes.length }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          clearTimeout(timer);
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
        });
      },
    );
    const timer = setTimeout(
      () => request.destroy(new Error(`no answer in ${GIVES_UP_MS / 1000} s`)),
      GIVES_UP_MS,
    );
    request.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    request.end(bytes);
  });
}

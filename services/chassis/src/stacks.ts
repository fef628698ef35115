/**
 * Imported by each program. Where it runs as one file (deploy/build/programs.mjs), stacks of errors tell the lines of our sources. What
 * Node has for it reads and keeps the map of each file in case there is an error: a tenth of a start, and megabytes for good. Here it
 * is read for the first error whose stack is asked for.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

const PROGRAM = 'program.js';

/** Of each piece of the program that is one line of a source: line, column, source, line there. Sorted; a source of -1 is not ours. */
const PIECE = 4;
interface Lines {
  readonly sources: readonly string[];
  readonly begins: readonly number[];
}

const known = new Map<string, Lines | undefined>();

function linesOf(program: string): Lines | undefined {
  if (!known.has(program)) known.set(program, readLines(program.replace(/\.js$/, '.lines.json')));
  return known.get(program);
}

function readLines(file: string): Lines | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Lines;
  } catch {
    return undefined;
  }
}

/** The last piece that begins there or before. Lines count from 1, columns from 0. */
function placeIn({ sources, begins }: Lines, line: number, column: number): string | undefined {
  let [low, high] = [0, begins.length / PIECE];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [atLine = 0, atColumn = 0] = begins.slice(middle * PIECE, middle * PIECE + 2);
    if (atLine < line || (atLine === line && atColumn <= column)) low = middle + 1;
    else high = middle;
  }
  const [, , source = -1, there] = begins.slice((low - 1) * PIECE, low * PIECE);
  return sources[source] && `${sources[source]}:${there}`;
}

function told(frame: NodeJS.CallSite & { toString(): string }): string {
  const text = frame.toString();
  const [file, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()];
  if (!file || !line || !column || path.basename(file) !== PROGRAM) return text;
  const lines = linesOf(file);
  const place = lines && placeIn(lines, line, column - 1);
  return place ? text.replace(`${file}:${line}:${column}`, () => place) : text;
}

function headOf(error: unknown): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return '<error>';
  }
}

if (path.basename(process.argv[1] ?? '') === PROGRAM)
  Error.prepareStackTrace = (error, frames) =>
    [headOf(error), ...frames.map((frame) => `    at ${told(frame)}`)].join('\n');

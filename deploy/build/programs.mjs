/**
 * Makes one file of all modules of a program, ours and those of packages. Node finds, reads and compiles several hundred of them one by
 * one, which is most of what a start costs. Each is run when it is asked for, as before, so what is loaded late stays late. Beside it
 * lies which line of our sources each line is of, for the stacks of errors (services/chassis/src/stacks.ts).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { LINES, PROGRAM, inRoot, isProgram, root } from './sources.mjs';

/**
 * Stay packages of their own: those that bring libraries of the system, and large ones that most processes never load. V8 keeps the
 * text of a program for as long as it runs.
 */
const APART =
  /^(sharp|@node-rs\/argon2|pg-native|bullmq|iconv-lite|@opentelemetry\/(sdk|exporter|resources|semantic).*)$/;

/** Of those of the folders that are programs, from what the compiler made of them. */
export async function makePrograms(folders) {
  const programs = folders.filter(isProgram);
  if (programs.length === 0) return;
  // Only who builds has them.
  const [{ build }, { decode }] = await Promise.all([
    import('esbuild'),
    import('@jridgewell/sourcemap-codec'),
  ]);
  await Promise.all(programs.map((folder) => makeProgram(folder, build, decode)));
}

async function makeProgram(folder, build, decode) {
  const file = inRoot(folder, 'dist', PROGRAM);
  const { outputFiles } = await build({
    entryPoints: [inRoot(folder, 'dist/main.js')],
    outfile: file,
    write: false,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    // Short, as V8 keeps the text; names stay, as stacks tell them, and lines are short enough to be shown.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 200,
    sourcemap: 'external',
    sourcesContent: false,
    // What fails is thrown; what it warns of lies in packages.
    logLevel: 'silent',
    plugins: [apart(file), places(file)],
  });
  const [map, program] = outputFiles.map(({ text }) => text);
  const { sources, mappings } = JSON.parse(map);
  const names = sources.map((source) => path.resolve(path.dirname(file), source));
  writeFileSync(inRoot(folder, 'dist', LINES), JSON.stringify(linesOf(names, decode(mappings))));
  writeFileSync(file, program);
}

/** Asks for them by name, as the module did: where that would find another than the module found, nothing is made. */
const apart = (file) => ({
  name: 'apart',
  setup(build) {
    build.onResolve({ filter: APART }, ({ path: name, importer }) => {
      const [there, here] = [importer, file].map((from) => locate(createRequire(from), name));
      if (there !== here) throw new Error(`${name} is installed for ${importer}, and elsewhere for ${file}.`);
      return { path: name, external: true };
    });
  },
});

function locate(from, name) {
  try {
    return from.resolve(name);
  } catch {
    return undefined;
  }
}

/** Where a module of ours says where it is, it means its own file, not the one that it became a part of. */
const places = (file) => ({
  name: 'places',
  setup(build) {
    const from = (place) =>
      `require("node:path").join(__dirname, ${JSON.stringify(path.relative(path.dirname(file), place))})`;
    build.onLoad({ filter: /\.js$/ }, ({ path: module }) =>
      isOurs(module)
        ? {
            contents: readFileSync(module, 'utf8')
              .replace(/\b__dirname\b/g, () => from(path.dirname(module)))
              .replace(/\b__filename\b/g, () => from(module)),
          }
        : undefined,
    );
  },
});

const isOurs = (file) => !path.relative(root, file).includes('node_modules');

/**
 * Where each line of our sources begins in the program: line, column, which of the sources, line there, one after another in the
 * order of the program; lines count from 1, columns from 0. What is not ours has -1 for the source.
 */
function linesOf(names, lines) {
  const shown = names.map((name) => (isOurs(name) ? path.relative(root, name) : undefined));
  const kept = shown.filter((name) => name !== undefined);
  // Looked for once each: there are some hundred thousand segments.
  const indexes = shown.map((name) => kept.indexOf(name));
  const begins = [];
  let before = '';
  for (const [at, segments] of lines.entries())
    for (const [column, source, line] of segments) {
      const index = indexes[source] ?? -1;
      const place = index < 0 ? [-1, 0] : [index, line + 1];
      if (String(place) === before) continue;
      before = String(place);
      begins.push(at + 1, column, ...place);
    }
  return { sources: kept, begins };
}

/**
 * `npm run build` and the first step of `npm start`: compiles what changed and makes programs of it, shows how far it is, and
 * is over at once where nothing did. With --without-tests only what runs is compiled. Which files a change touches the
 * compiler knows best; here is only decided whether it has to be asked.
 */
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { alone } from './alone.mjs';
import { makePrograms } from './programs.mjs';
import { progress } from './progress.mjs';
import { doubt, inRoot, isCurrent, projectsOf, removeLeftovers, root, sourcesOf, stamp } from './sources.mjs';

const LOCK = inRoot('node_modules/.cache/sevenfold-build');
/** Stands on everything else. */
const TESTS = 'test';

async function main(args) {
  const all = projectsOf(TESTS);
  const roots = args.includes('--without-tests') ? all.get(TESTS) : [TESTS];
  const projects = new Map([...all].filter(([folder]) => folder !== TESTS || roots.includes(TESTS)));
  const find = () => {
    const digests = sourcesOf(projects);
    return {
      digests,
      stale: [...projects.keys()].filter((folder) => !isCurrent(folder, digests.get(folder))),
    };
  };
  if (find().stale.length === 0) return true;
  // Two starts at once must not compile into each other's running site.
  const work = async () => {
    const { digests, stale } = find();
    if (stale.length === 0) return true;
    const began = performance.now();
    const isWell = await compile(roots, stale, digests);
    if (isWell) console.log(`built in ${((performance.now() - began) / 1000).toFixed(1)} s`);
    return isWell;
  };
  return alone(LOCK, work, { onWait: () => console.log('waiting for another build of the same files') });
}

/** Answers whether all of it compiled. */
async function compile(roots, stale, digests) {
  // Before the compiler is loaded, which takes a moment, too.
  const bar = await progress(stale);
  try {
    for (const folder of stale) doubt(folder, digests.get(folder));
    if (!(await compileEach(await builderFor(roots), bar))) return false;
    await makePrograms(stale);
    for (const folder of stale) stamp(folder, digests.get(folder));
    return true;
  } finally {
    bar.stop();
  }
}

async function builderFor(roots) {
  const ts = await compiler();
  const report = (diagnostic) =>
    process.stderr.write(`${ts.formatDiagnosticsWithColorAndContext([diagnostic], shown)}\n`);
  const host = ts.createSolutionBuilderHost(ts.sys, undefined, report);
  return ts.createSolutionBuilder(
    host,
    roots.map((folder) => inRoot(folder)),
    {},
  );
}

async function compileEach(builder, bar) {
  let isWell = true;
  for (let next = builder.getNextInvalidatedProject(); next; next = builder.getNextInvalidatedProject()) {
    const folder = path.relative(root, path.dirname(next.project));
    await bar.step(folder);
    // 0 is the compiler's word for success.
    const done = next.done() === 0;
    isWell &&= done;
    if (done) removeLeftovers(folder);
  }
  await bar.step();
  return isWell;
}

const shown = {
  getCurrentDirectory: () => root,
  getCanonicalFileName: (name) => name,
  getNewLine: () => '\n',
};

async function compiler() {
  try {
    return (await import('typescript')).default;
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error('The compiler is not installed. Run: npm ci (without --omit=dev)', { cause: error });
  }
}

try {
  if (!(await main(process.argv.slice(2)))) process.exitCode = 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

// Generates src/gen from the .proto files with protoc and ts-proto, both from npm. `--check` compares instead of writing.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const bin = path.join(here, '../node_modules/.bin');
const target = path.join(here, 'src/gen');
const options = [
  'outputServices=grpc-js',
  'env=node',
  'esModuleInterop=true',
  'forceLong=number',
  'snakeToCamel=true',
  'useExactTypes=false',
  'outputJsonMethods=false',
  'outputPartialMethods=true',
  'useOptionals=none',
  'oneof=unions-value',
  'outputClientImpl=false',
];

const list = (folder, suffix) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(suffix))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();

const out = mkdtempSync(path.join(tmpdir(), 'proto-'));
try {
  execFileSync(
    path.join(bin, 'protoc'),
    [
      '-I',
      here,
      `--plugin=${path.join(bin, 'protoc-gen-ts_proto')}`,
      `--ts_proto_out=${out}`,
      `--ts_proto_opt=${options.join(',')}`,
      ...list(path.join(here, 'sevenfold'), '.proto').map((file) => `sevenfold/${file}`),
    ],
    { cwd: here, stdio: 'inherit' },
  );
  if (process.argv.includes('--check')) {
    const wanted = list(out, '.ts');
    const found = existsSync(target) ? list(target, '.ts') : [];
    const same =
      wanted.join() === found.join() &&
      wanted.every(
        (file) =>
          readFileSync(path.join(out, file), 'utf8') === readFileSync(path.join(target, file), 'utf8'),
      );
    if (!same) {
      console.error('The generated code does not match the .proto files: run `npm run proto` and commit.');
      process.exitCode = 1;
    }
  } else {
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    cpSync(out, target, { recursive: true });
  }
} finally {
  rmSync(out, { recursive: true, force: true });
}

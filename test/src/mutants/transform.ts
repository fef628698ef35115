/** Jest's transformer for runs with faults: strips types as usual, and puts all faults, or a named one, into one file. */
import { createHash } from 'node:crypto';
import type { Transformer } from '@jest/transform';
import { createTransformer as createSwc } from '@swc/jest';
import { namedFaults } from './named';
import { instrument } from './operators';

type Swc = Transformer<Record<string, unknown>>;

function createTransformer(options: Parameters<typeof createSwc>[0]): Pick<Swc, 'process' | 'getCacheKey'> {
  const swc = createSwc(options) as Required<Pick<Swc, 'process' | 'getCacheKey'>>;
  return {
    process: (source, file, more) => swc.process(withFaults(source, file), file, more),
    getCacheKey: (source, file, more) => {
      const text = withFaults(source, file);
      const key = swc.getCacheKey(source, file, more);
      return text === source ? key : createHash('sha1').update(key).update(text).digest('hex');
    },
  };
}

function withFaults(source: string, file: string): string {
  const { MUTANT_FILE, MUTANT_NAMED } = process.env;
  if (!MUTANT_FILE || !file.endsWith(`/${MUTANT_FILE}`)) return source;
  if (!MUTANT_NAMED) return instrument(file, source).text;
  const fault = namedFaults.find(({ name }) => name === MUTANT_NAMED);
  return fault ? source.replace(fault.find, () => fault.replace) : source;
}

export default { createTransformer };

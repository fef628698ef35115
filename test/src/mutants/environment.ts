/** One failed test is enough to know: what is left of its file is skipped. */
import type { Circus } from '@jest/types';
import { TestEnvironment } from 'jest-environment-node';

export default class FailFast extends TestEnvironment {
  private failed = false;

  readonly handleTestEvent = (event: Circus.Event): void => {
    if (event.name === 'test_fn_failure' || event.name === 'hook_failure') this.failed = true;
    if (event.name === 'test_start' && this.failed) event.test.mode = 'skip';
  };
}

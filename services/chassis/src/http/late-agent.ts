/** An agent of undici, made for its first request. */
import type { Agent, Dispatcher } from 'undici';
import { undiciLibrary } from './undici-library';

export type RequestOptions = Omit<Dispatcher.RequestOptions, 'origin' | 'path' | 'method'> & {
  method?: Dispatcher.HttpMethod;
};

interface LateAgent {
  readonly request: (url: string | URL, options?: RequestOptions) => Promise<Dispatcher.ResponseData>;
  /** Once what is under way has been answered; what is asked later is refused. */
  readonly close: () => Promise<void>;
  /** At once, also what was not read of an answer. */
  readonly destroy: () => Promise<void>;
}

export function lateAgent(options: Agent.Options): LateAgent {
  let agent: Agent | undefined;
  let isOver = false;
  const end = async (how: 'close' | 'destroy'): Promise<void> => {
    isOver = true;
    await agent?.[how]();
  };
  return {
    request: async (url, asked) => {
      const { Agent, request } = undiciLibrary();
      agent ??= new Agent(options);
      // It was ended before it was made.
      if (isOver) await agent.destroy();
      return request(url, { ...asked, dispatcher: agent });
    },
    close: () => end('close'),
    destroy: () => end('destroy'),
  };
}

/**
 * An agent of undici, which is loaded for its first request: most processes never ask anybody that way, and are spared 2 MB.
 */
import type * as library from 'undici';
import type { Agent, Dispatcher } from 'undici';

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
  let undici: Promise<typeof library> | undefined;
  let agent: Agent | undefined;
  let isOver = false;
  const end = async (how: 'close' | 'destroy'): Promise<void> => {
    isOver = true;
    await agent?.[how]();
  };
  return {
    request: async (url, asked) => {
      const { Agent, request } = await (undici ??= import('undici'));
      agent ??= new Agent(options);
      // It was ended while the library was loaded, or before.
      if (isOver) await agent.destroy();
      return request(url, { ...asked, dispatcher: agent });
    },
    close: () => end('close'),
    destroy: () => end('destroy'),
  };
}

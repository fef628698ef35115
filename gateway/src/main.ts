import '@sevenfold/chassis/short-lived';
import '@sevenfold/chassis/stacks';
import { giveBackWhenCalm } from '@sevenfold/chassis/calm';
import { ConfigError, readConfig } from '@sevenfold/chassis/config';
import { beginStart } from '@sevenfold/chassis/outages';
import { stopOnSignal } from '@sevenfold/chassis/stop';
import { variables } from './config';
import { startGateway } from './gateway';

async function main(): Promise<void> {
  beginStart();
  try {
    const gateway = await startGateway(readConfig(variables, process.env));
    giveBackWhenCalm();
    stopOnSignal(() => gateway.stop());
  } catch (error) {
    console.error(`gateway: ${(error as Error).message}`);
    process.exit(error instanceof ConfigError ? 2 : 1);
  }
}

void main();

/** What the processes of an exchange stand on: NATS, a database and a chain. */
import { sharedServer, type SharedServer } from '../../../exchange/e2e/shared-journal.ts';
import { TestChain } from '../../../exchange/e2e/test-chain.ts';
import { NatsServer } from '../../../exchange/src/testing/nats-server.ts';
import { closeEach } from './ended.ts';

export interface Engines {
  readonly nats: NatsServer;
  readonly server: SharedServer;
  readonly chain: TestChain;
}

/** When one of them can not be opened, none is left. */
export async function openEngines(options: { readonly mineEveryMs: number }): Promise<Engines> {
  const opening = [NatsServer.start(), sharedServer(), TestChain.open(options)] as const;
  try {
    const [nats, server, chain] = await Promise.all(opening);
    return { nats, server, chain };
  } catch (error) {
    const [nats, server, chain] = await Promise.allSettled(opening);
    await closeEach([
      () => nats.status === 'fulfilled' && nats.value.kill(),
      () => chain.status === 'fulfilled' && chain.value.close(),
      () => server.status === 'fulfilled' && server.value.stop(),
    ]);
    throw error;
  }
}

export const closeEngines = ({ nats, chain, server }: Engines): Promise<void> =>
  closeEach([() => nats.kill(), () => chain.close(), () => server.stop()]);

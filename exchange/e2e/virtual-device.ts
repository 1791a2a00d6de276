/** A device of Chromium's that keeps passkeys, and opens at once to the person who holds it. */
import type { BrowserContext, Page } from 'playwright-core';

export interface VirtualDevice {
  /** It no longer knows who holds it: what a browser says then is what it says when a person closes its window. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
}

export async function giveDevice(context: BrowserContext, page: Page): Promise<VirtualDevice> {
  const devices = await context.newCDPSession(page);
  await devices.send('WebAuthn.enable');
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const verify = async (isUserVerified: boolean): Promise<void> =>
    void (await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }));
  return { refuse: () => verify(false), accept: () => verify(true) };
}

/** A wallet on a phone. Only offered where a project id is configured; our own page shows the QR code. */
import { walletConnect } from '@wagmi/connectors';
import type { CreateConnectorFn } from '@wagmi/core';
import { useWallet } from './wallet-store.ts';

export function walletConnectConnector(projectId: string): CreateConnectorFn {
  const create = walletConnect({ projectId, showQrModal: false });
  return (config) => {
    config.emitter.on('message', ({ type, data }) => {
      if (type === 'display_uri' && typeof data === 'string') useWallet.setState({ pairingUri: data });
    });
    config.emitter.on('connect', () => useWallet.setState({ pairingUri: undefined }));
    return create(config);
  };
}

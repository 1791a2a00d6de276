/** The menus of a connected wallet: whose it is, and what may be done. Loaded once there is one. */
import { Link } from '@tanstack/react-router';
import { Award, KeyRound, LogOut, MonitorSmartphone, Network, UserRound, Wallet as WalletIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { shortHash } from '../../kit/format/hash.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { disconnectWallet, signOut, useSession } from '../../platform/session/session.ts';
import { Button } from '../../kit/ui/button.tsx';
import { CopyButton } from '../../kit/ui/copy-button.tsx';
import { IconButton } from '../../kit/ui/icon-button.tsx';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../../kit/ui/menu.tsx';
import { BurnerTag } from '../../platform/wallet/burner-tag.tsx';
import { openConnect } from './connect.tsx';
import { useNetwork } from '../../platform/wallet/use-network.ts';
import { useWallet } from '../../platform/wallet/wallet-store.ts';

function Identity(): ReactElement {
  const text = useText();
  const address = useSession((state) => state.address) ?? '';
  const accountId = useSession((state) => state.signedIn?.accountId);
  const wallet = useWallet((state) => state.wallet);
  return (
    <div className="px-2 py-1.5">
      <p className="flex items-center gap-1 font-mono text-md">
        {shortHash(address)} <CopyButton value={address} />
      </p>
      <p className="mt-0.5 flex items-center gap-2 text-sm text-fg2">
        {wallet?.type === 'burner' ? <BurnerTag /> : wallet?.name}
        {accountId !== undefined && <span>{text('wallet.accountId', { id: accountId })}</span>}
      </p>
    </div>
  );
}

function WrongNetwork(): ReactElement | null {
  const text = useText();
  const { isWrong, name, switchNetwork } = useNetwork();
  if (!isWrong) return null;
  return (
    <>
      <MenuItem onSelect={() => void switchNetwork()}>
        <Network size={15} aria-hidden="true" className="text-warn" />
        <span className="flex flex-col">
          <span className="text-warn">{text('wallet.wrongNetwork')}</span>
          <span className="text-sm text-fg2">{text('wallet.switch', { network: name })}</span>
        </span>
      </MenuItem>
      <MenuSeparator />
    </>
  );
}

export function AccountMenu(): ReactElement {
  const text = useText();
  const address = useSession((state) => state.address) ?? '';
  const isBurner = useWallet((state) => state.wallet?.type === 'burner');
  const { isWrong } = useNetwork();
  const trigger = (
    <Button size="small" className="h-8 px-2.5">
      <span className="sr-only">{text('wallet.menu')}</span>
      <span aria-hidden="true" className={isWrong ? 'size-1.5 rounded-full bg-warn' : 'size-1.5 rounded-full bg-ok'} />
      <span className="font-mono text-sm">{shortHash(address)}</span>
      {isBurner && (
        <span className="max-desktop:hidden">
          <BurnerTag />
        </span>
      )}
    </Button>
  );
  return (
    <Menu trigger={trigger}>
      <Identity />
      <MenuSeparator />
      <WrongNetwork />
      <MenuLink>
        <Link to="/account">
          <UserRound size={15} aria-hidden="true" /> {text('account.title')}
        </Link>
      </MenuLink>
      <MenuLink>
        <Link to="/points">
          <Award size={15} aria-hidden="true" /> {text('points.title')}
        </Link>
      </MenuLink>
      <MenuLink>
        <Link to="/account/api">
          <KeyRound size={15} aria-hidden="true" /> {text('wallet.apiKeys')}
        </Link>
      </MenuLink>
      <MenuLink>
        <Link to="/account/login-record">
          <MonitorSmartphone size={15} aria-hidden="true" /> {text('wallet.sessions')}
        </Link>
      </MenuLink>
      <MenuSeparator />
      <MenuItem onSelect={() => void signOut()}>
        <LogOut size={15} aria-hidden="true" /> {text('wallet.signOut')}
      </MenuItem>
    </Menu>
  );
}

/** A wallet is connected and nobody is signed in: it can sign, be changed, or be let go. */
export function UnsignedMenu(): ReactElement {
  const text = useText();
  const phase = useSession((state) => state.phase);
  const address = useSession((state) => state.address);
  const changeWallet = async (): Promise<void> => {
    await disconnectWallet();
    await openConnect();
  };
  const signInButton = (
    <Button size="small" className="h-8 px-3" busy={phase === 'validating'} onClick={() => void openConnect()}>
      {text('wallet.signIn')}
    </Button>
  );
  if (address === undefined) return signInButton;
  const trigger = (
    <IconButton label={text('wallet.unsigned')}>
      <WalletIcon size={16} />
    </IconButton>
  );
  return (
    <>
      {signInButton}
      <Menu trigger={trigger}>
        <Identity />
        <MenuSeparator />
        <MenuItem onSelect={() => void changeWallet()}>
          <WalletIcon size={15} aria-hidden="true" /> {text('wallet.useAnother')}
        </MenuItem>
        <MenuItem onSelect={() => void disconnectWallet()}>
          <LogOut size={15} aria-hidden="true" /> {text('wallet.disconnect')}
        </MenuItem>
      </Menu>
    </>
  );
}

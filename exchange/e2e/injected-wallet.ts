/** A wallet extension: it announces itself in the page (EIP-6963), its key and its owner's decisions stay here. */
import type { BrowserContext, Page } from 'playwright-core';
import { createWalletClient, http, isHex, numberToHex, type Hex, type PrivateKeyAccount } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

export const WALLET_NAME = 'Sundial';
const RDNS = 'example.sundial';
const ETHEREUM = 1;
const USER_REJECTED = 4001;
const UNKNOWN_CHAIN = 4902;
const UNSUPPORTED = 4200;

interface Refusal {
  readonly code: number;
  readonly message: string;
}

type Answer = { readonly result: unknown } | { readonly error: Refusal };

/** What the owner of the wallet is asked about. */
export type Question = 'eth_requestAccounts' | 'personal_sign' | 'eth_signTypedData_v4' | 'eth_sendTransaction' | 'wallet_addEthereumChain';
/** `wait` leaves the question open until the next decision; `approveOnce` leaves the one after it open. */
export type Decision = 'approve' | 'approveOnce' | 'reject' | 'wait';

const refuse = (code: number, message: string): Answer => ({ error: { code, message } });
const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;

export class InjectedWallet {
  /** What the owner was asked, in order. */
  readonly asked: Question[] = [];
  readonly #rpc: string;
  #account: PrivateKeyAccount;
  readonly #chains = new Set([ETHEREUM]);
  #chainId = ETHEREUM;
  #isConnected = false;
  readonly #decisions = new Map<Question, Decision>();
  #wake: (() => void) | undefined;

  constructor(url: string, key: Hex = generatePrivateKey()) {
    this.#rpc = `${url}/rpc`;
    this.#account = privateKeyToAccount(key);
  }

  get account(): PrivateKeyAccount {
    return this.#account;
  }

  get address(): Hex {
    return this.account.address;
  }

  /** Until something is decided about a question, it is approved. */
  decide(question: Question, decision: Decision): void {
    this.#decisions.set(question, decision);
    this.#wake?.();
  }

  /** Puts the wallet into every page of the context. */
  async install(context: BrowserContext): Promise<void> {
    await context.exposeFunction('sundialRequest', (method: string, params: unknown) =>
      this.#answer(method, Array.isArray(params) ? params : []),
    );
    await context.addInitScript(announce, { name: WALLET_NAME, rdns: RDNS });
  }

  /** The owner picks another account, and the wallet notifies the page. */
  async switchAccount(page: Page, key: Hex): Promise<void> {
    this.#account = privateKeyToAccount(key);
    await page.evaluate((accounts) => window.dispatchEvent(new CustomEvent('sundial:accounts', { detail: accounts })), [this.address]);
  }

  async #answer(method: string, params: readonly unknown[]): Promise<Answer> {
    switch (method) {
      case 'eth_chainId':
        return { result: numberToHex(this.#chainId) };
      case 'eth_accounts':
        return { result: this.#isConnected ? [this.address] : [] };
      case 'wallet_requestPermissions':
      case 'wallet_revokePermissions':
        return refuse(UNSUPPORTED, `${method} is not supported`);
      case 'eth_requestAccounts':
      case 'personal_sign':
      case 'eth_signTypedData_v4':
      case 'eth_sendTransaction':
      case 'wallet_addEthereumChain':
        return this.#ask(method, params);
      case 'wallet_switchEthereumChain':
        return this.#switchTo(Number(field(params[0], 'chainId')));
      default:
        return this.#forward(method, params);
    }
  }

  async #ask(method: Question, params: readonly unknown[]): Promise<Answer> {
    this.asked.push(method);
    while (this.#decisions.get(method) === 'wait') await new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#decisions.get(method) === 'approveOnce') this.#decisions.set(method, 'wait');
    if (this.#decisions.get(method) === 'reject') return refuse(USER_REJECTED, 'User rejected the request.');
    return { result: await this.#perform(method, params) };
  }

  async #perform(method: Question, params: readonly unknown[]): Promise<unknown> {
    switch (method) {
      case 'eth_requestAccounts':
        this.#isConnected = true;
        return [this.address];
      case 'personal_sign':
        return this.account.signMessage({ message: { raw: hexOf(params[0]) } });
      case 'eth_signTypedData_v4':
        return this.account.signTypedData(JSON.parse(String(params[1])));
      case 'wallet_addEthereumChain':
        this.#chainId = Number(field(params[0], 'chainId'));
        this.#chains.add(this.#chainId);
        return null;
      case 'eth_sendTransaction':
        return this.#send(params[0]);
    }
  }

  #switchTo(chainId: number): Answer {
    if (!this.#chains.has(chainId)) return refuse(UNKNOWN_CHAIN, `Unrecognized chain ID ${numberToHex(chainId)}`);
    this.#chainId = chainId;
    return { result: null };
  }

  #send(transaction: unknown): Promise<Hex> {
    const chain = {
      id: this.#chainId,
      name: 'chain',
      nativeCurrency: { name: 'SOSO', symbol: 'SOSO', decimals: 18 },
      rpcUrls: { default: { http: [this.#rpc] } },
    };
    const value = field(transaction, 'value');
    return createWalletClient({ account: this.account, chain, transport: http(this.#rpc) }).sendTransaction({
      to: hexOf(field(transaction, 'to')),
      data: hexOf(field(transaction, 'data') ?? '0x'),
      ...(value !== undefined && { value: BigInt(hexOf(value)) }),
    });
  }

  async #forward(method: string, params: readonly unknown[]): Promise<Answer> {
    const response = await fetch(this.#rpc, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result?: unknown; error?: Refusal };
    return error === undefined ? { result } : { error };
  }
}

function hexOf(value: unknown): Hex {
  if (!isHex(value)) throw new Error(`the page gave the wallet ${String(value)} where hex was due`);
  return value;
}

/** Runs in the page, before its own scripts. */
function announce({ name, rdns }: { readonly name: string; readonly rdns: string }): void {
  const { sundialRequest } = window as unknown as { readonly sundialRequest: (method: string, params: unknown) => Promise<Answer> };
  const provider = {
    async request({ method, params }: { readonly method: string; readonly params?: unknown }): Promise<unknown> {
      const answer = await sundialRequest(method, params ?? []);
      if ('error' in answer) throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
      return answer.result;
    },
    on(event: string, listener: (detail: unknown) => void): void {
      if (event === 'accountsChanged')
        window.addEventListener('sundial:accounts', (reported) => reported instanceof CustomEvent && listener(reported.detail));
    },
    removeListener: () => undefined,
  };
  const icon =
    'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="12" fill="goldenrod"/></svg>';
  const detail = Object.freeze({ info: Object.freeze({ uuid: '350670db-19fa-4704-a166-e52e178b59d2', name, rdns, icon }), provider });
  const report = (): boolean => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  window.addEventListener('eip6963:requestProvider', report);
  report();
}

/** The legal texts: short, and true for a test exchange. */
export const legal = {
  'legal.updated': 'In force. Terms, privacy and cookies are accepted together, with one signature.',
  'legal.terms.title': 'Terms of Use',
  'legal.terms.1.title': 'What this is',
  'legal.terms.1':
    'Orrery is a test exchange on a test chain. It exists to try out software. Nothing you see, hold or win here has any value, can be sold, or can be exchanged for money.',
  'legal.terms.2.title': 'What may happen',
  'legal.terms.2':
    'Balances, orders, points and the chain itself may be changed, reset or switched off at any time, without notice. There is no promise that anything works or stays.',
  'legal.terms.3.title': 'What you may do',
  'legal.terms.3':
    'Trade, write programs against the API, measure, and look for faults. Please report what you find. Do not attack the service in ways that keep others from using it, and do not deposit tokens of value: the vault only knows test tokens, and anything else sent to it is lost.',
  'legal.terms.4.title': 'Your wallet',
  'legal.terms.4':
    'Your wallet is your account. You are responsible for its keys. A burner wallet keeps its key in your browser without protection and is for trying things out only.',
  'legal.terms.5.title': 'No warranty',
  'legal.terms.5': 'The service is provided as it is, without warranty of any kind, to the extent the law allows.',
  'legal.privacy.title': 'Privacy Policy',
  'legal.privacy.1.title': 'What is kept',
  'legal.privacy.1':
    'Your wallet address and what you do on the exchange: orders, trades, transfers, deposits, withdrawals, the terms you accepted with their signature, your API keys (their secrets encrypted), and your sessions with browser name and IP address. If you give them: your e-mail address, telephone number and identity documents, encrypted.',
  'legal.privacy.2.title': 'What is public',
  'legal.privacy.2':
    'Everything on the test chain is public: addresses, deposits, withdrawals, faucet claims. The order book and trades are public without names.',
  'legal.privacy.3.title': 'What is not done',
  'legal.privacy.3':
    'No advertising and no third parties: this page loads nothing from anywhere else. Which pages you open is reported only where you have agreed to it, under the cookie policy. Notifications, where you switch them on, are brought by the service of your browser’s maker, which cannot read them.',
  'legal.privacy.4.title': 'How long',
  'legal.privacy.4':
    'Sessions are dropped after they end. History is kept as long as the test runs, because balances are computed from it. When you delete your account on the security page, your names, identity, files, labels and login record go for good.',
  'legal.cookies.title': 'Cookie Policy',
  'legal.cookies.1.title': 'One cookie',
  'legal.cookies.1':
    'When you sign in, one cookie keeps you signed in for at most 30 days. Scripts cannot read it, it is sent to this site only, and logging out removes it. A second, short-lived one ties a signature request to the browser that asked for it.',
  'legal.cookies.4.title': 'One against abuse',
  'legal.cookies.4':
    'After you have agreed to the terms, a random number of this browser is kept in a cookie for at most 400 days, which scripts cannot read. It tells several accounts in one browser from several people, so that nobody collects rewards twice. The server keeps only a keyed hash of it, and of the network you sign in from, for 90 days.',
  'legal.cookies.2.title': 'This device',
  'legal.cookies.2':
    'Your settings, the last market, the last wallet, marks of your sessions and a random mark of this device are kept in this browser’s local storage. No key, token or signature is among them. Where you install the app, open its page or switch notifications on, the browser keeps the files of the terminal as well.',
  'legal.cookies.5.title': 'Use of pages',
  'legal.cookies.5':
    'Where this site has a service for it, accepting these cookies lets pages report which of them you open: with the random mark of this device, the type of your wallet, the link you came by, and a keyed hash in place of your address. You see what is sent, and switch it off, in the settings.',
  'legal.cookies.3.title': 'Nothing else',
  'legal.cookies.3': 'No cookie follows you to other sites, so there is nothing to opt out of.',
} as const;

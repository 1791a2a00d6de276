/** The captcha before a code is sent, or a password or a code is tried again. */
export const captcha = {
  'captcha.notHere': 'This page can not solve the captcha of this exchange. Use a wallet, or open the page over HTTPS.',
  'captcha.closed': 'The captcha was closed before it was solved: nothing was sent.',
  'captcha.title': 'Are you a person?',
  'captcha.lead': 'This exchange asks GeeTest before it sends a code or tries a password. Solve its captcha, and it goes on by itself.',
  'captcha.failed': 'The captcha of GeeTest could not be loaded. A network or an extension may block it.',
  'captcha.wrong': 'GeeTest reported an error. Nothing was sent.',
} as const;

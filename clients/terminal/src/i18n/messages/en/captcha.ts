/** The captcha before a code is sent, or a password or a code is tried again. */
export const captcha = {
  'captcha.notHere': 'This page can not solve the captcha of this exchange. Use a wallet, or open the page over HTTPS.',
} as const;

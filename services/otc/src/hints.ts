/** Whether a message leads elsewhere: a link, an address, a number to call, the name of a messenger. A hint to its reader, never a block. */

const PATTERNS: readonly RegExp[] = [
  /https?:\/\//i,
  /\bwww\./i,
  // A host without a scheme, such as example.com/pay.
  /\b[a-z0-9-]+\.(?:com|net|org|io|me|cn|top|xyz|link|app|info|cc|ru|vip)\b/i,
  /[\w.+-]+@[\w-]+\.[a-z]{2,}/i,
  /\b(?:telegram|whats ?app|wechat|signal|discord|viber|skype|line id|qq|t\.me|wa\.me)\b/i,
  /微信|电报|加我|飞机号/,
  /(?:^|\s)@[a-z0-9_]{4,}/i,
  /(?:\+|\b00)\d[\d ()-]{7,}\d/,
  /\b1[3-9]\d{9}\b/,
];

export const hasHint = (text: string): boolean => PATTERNS.some((pattern) => pattern.test(text.normalize('NFKC')));

/**
 * GeeTest, version 4: a script of its site shows the captcha. Pages run under Trusted Types, and that script names addresses and writes markup as
 * text: the policy called default lets it. Where scripts come from is bound by the content security policy, which allows its hosts on installations
 * with GeeTest alone; markup that is written so runs no script of its own.
 */

/** What it answers when the captcha is solved: four texts. */
type Validated = Readonly<Record<string, string>>;

export interface GeetestCaptcha {
  appendTo(place: HTMLElement): void;
  onReady(done: () => void): void;
  onSuccess(done: () => void): void;
  onError(done: () => void): void;
  getValidate(): Validated | undefined;
  destroy(): void;
}

type Init = (
  options: { readonly captchaId: string; readonly product: string; readonly language: string },
  made: (captcha: GeetestCaptcha) => void,
) => void;

declare global {
  /** Of its script. */
  var initGeetest4: Init | undefined;
}

const FIELDS = ['lot_number', 'captcha_output', 'pass_token', 'gen_time'] as const;

let isAllowed = false;

/** No script of ours is named by text, so that this policy is for those of others. */
function allowText(): void {
  if (isAllowed || globalThis.trustedTypes === undefined) return;
  isAllowed = true;
  globalThis.trustedTypes.createPolicy('default', {
    createScriptURL(url) {
      if (new URL(url, location.href).origin === location.origin) throw new TypeError(`a script of this site, named by text: ${url}`);
      return url;
    },
    createHTML: (markup) => markup,
  });
}

function load(address: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const script = document.createElement('script');
  script.onload = () => resolve();
  script.onerror = () => {
    script.remove();
    reject(new Error(`not loaded: ${address}`));
  };
  script.src = address;
  document.head.append(script);
  return promise;
}

/** The captcha, not shown yet. Rejects when its script can not be loaded; the next try loads it again. */
export async function geetest({ captchaId, script }: { captchaId: string; script: string }): Promise<GeetestCaptcha> {
  allowText();
  if (globalThis.initGeetest4 === undefined) await load(script);
  const init = globalThis.initGeetest4;
  if (init === undefined) throw new Error(`${script} is not the script of GeeTest`);
  return new Promise((resolve) => init({ captchaId, product: 'float', language: 'eng' }, resolve));
}

/** As the exchange takes it; undefined when it is not solved. */
export function answerOf(captcha: GeetestCaptcha): string | undefined {
  const validated = captcha.getValidate();
  return validated === undefined ? undefined : btoa(JSON.stringify(Object.fromEntries(FIELDS.map((field) => [field, validated[field]]))));
}

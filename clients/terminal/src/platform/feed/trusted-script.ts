/**
 * The page runs under Trusted Types: a worker's address must come from a policy, and the content security policy of the
 * exchange allows this one and no other. It lets through what this very site serves.
 */
interface ScriptPolicy {
  /** A TrustedScriptURL, which stands wherever a script's URL is asked for. */
  createScriptURL(url: string): URL;
}

interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (url: string) => string; readonly createHTML?: (markup: string) => string },
  ): ScriptPolicy;
}

declare global {
  /** Absent in browsers that do not know Trusted Types. */
  var trustedTypes: PolicyFactory | undefined;
}

const POLICY = 'orrery-worker';

function ownScript(url: string): string {
  if (new URL(url, location.origin).origin !== location.origin) throw new TypeError(`a script of another site: ${url}`);
  return url;
}

let policy: ScriptPolicy | undefined;

export function trustedScript(url: string): URL | string {
  if (globalThis.trustedTypes === undefined) return ownScript(url);
  policy ??= globalThis.trustedTypes.createPolicy(POLICY, { createScriptURL: ownScript });
  return policy.createScriptURL(url);
}

/** What a child process is given of our environment: enough to run, and nothing secret. */

const PASSED_ON = ['PATH', 'HOME', 'LANG', 'TZ'] as const;

export function childEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
}

/** Takes our settings, keys among them, out of the environment: what is started afterwards inherits none. */
export function forgetSettings(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env)) if (name.startsWith('ORRERY_')) delete env[name];
}

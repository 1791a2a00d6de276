import manifest from '../package.json' with { type: 'json' };

/** Of the program, as `/status` reports it. */
export const version: string = manifest.version;

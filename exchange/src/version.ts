import manifest from '../package.json' with { type: 'json' };

/** Of the program, as `/status` tells it. */
export const version: string = manifest.version;

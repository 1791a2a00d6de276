/** The estimates of zxcvbn, with its common passwords and the layouts of keyboards: a part of its own, loaded when a new password is typed. */
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/** From 0, guessed at once, to 4, not guessed within 10^10 tries. */
export const scoreOf = (password: string): number => estimator.check(password).score;

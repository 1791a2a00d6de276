/** What stands before a try of a code or a password: nothing on most days, a captcha while the alarm of one-time codes is on. */
import { ApiError } from '@orrery/api';
import type { Captcha } from './captcha/captcha.ts';
import type { CodeAlarm } from './code-alarm.ts';

export class CaptchaGate {
  readonly #captcha: Captcha;
  readonly #alarm: CodeAlarm;

  constructor({ captcha, alarm }: { captcha: Captcha; alarm: CodeAlarm }) {
    this.#captcha = captcha;
    this.#alarm = alarm;
  }

  /**
   * Passed before anything else is used up, so that the same call can be sent again with a captcha. An answer that is given is used up.
   * @param network as a keyed hash. @throws ApiError CaptchaNeeded; InvalidCaptcha; Upstream when GeeTest does not answer
   */
  async pass(answer: string | undefined, network: string): Promise<void> {
    if (answer !== undefined) await this.#captcha.check(answer, { action: 'login', network });
    else if (this.#alarm.isOn) throw new ApiError('CaptchaNeeded', { field: 'captcha' });
  }
}

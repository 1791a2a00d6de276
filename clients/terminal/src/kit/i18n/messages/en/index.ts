/** The English catalogue: one file an area, message id to ICU text. A language is added as a folder beside this one. */
import { account } from './account.ts';
import { actions } from './actions.ts';
import { auth } from './auth.ts';
import { captcha } from './captcha.ts';
import { awards } from './awards.ts';
import { assets } from './assets.ts';
import { chart } from './chart.ts';
import { confirm } from './confirm.ts';
import { consoleOtc } from './console-otc.ts';
import { consoleTexts } from './console.ts';
import { contract } from './contract.ts';
import { exports } from './exports.ts';
import { explorer } from './explorer.ts';
import { fund } from './fund.ts';
import { futures } from './futures.ts';
import { getApp } from './get-app.ts';
import { gallery } from './gallery.ts';
import { insurance } from './insurance.ts';
import { leaderboard } from './leaderboard.ts';
import { legal } from './legal.ts';
import { lucky } from './lucky.ts';
import { mailbox } from './mailbox.ts';
import { notifications } from './notifications.ts';
import { onboarding } from './onboarding.ts';
import { orderForm } from './order-form.ts';
import { otc } from './otc.ts';
import { pairs } from './pairs.ts';
import { points } from './points.ts';
import { practice } from './practice.ts';
import { push } from './push.ts';
import { reach } from './reach.ts';
import { records } from './records.ts';
import { refusals } from './refusals.ts';
import { scale } from './scale.ts';
import { settings } from './settings.ts';
import { shell } from './shell.ts';
import { spotForm } from './spot-form.ts';
import { spotOrder } from './spot-order.ts';
import { summary } from './summary.ts';
import { testing } from './testing.ts';
import { trade } from './trade.ts';
import { wallet } from './wallet.ts';
import { why } from './why.ts';

export const en = {
  ...shell,
  ...wallet,
  ...onboarding,
  ...settings,
  ...assets,
  ...account,
  ...exports,
  ...auth,
  ...captcha,
  ...mailbox,
  ...explorer,
  ...legal,
  ...points,
  ...lucky,
  ...leaderboard,
  ...awards,
  ...summary,
  ...trade,
  ...futures,
  ...orderForm,
  ...confirm,
  ...scale,
  ...spotForm,
  ...spotOrder,
  ...why,
  ...records,
  ...contract,
  ...practice,
  ...insurance,
  ...getApp,
  ...push,
  ...fund,
  ...chart,
  ...reach,
  ...refusals,
  ...actions,
  ...notifications,
  ...testing,
  ...consoleTexts,
  ...consoleOtc,
  ...pairs,
  ...otc,
  ...gallery,
} as const;

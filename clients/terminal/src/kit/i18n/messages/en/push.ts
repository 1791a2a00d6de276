/** Texts of notifications on a device. Ids begin with `push.`. */
export const push = {
  'push.title': 'Notifications on this device',
  'push.on': 'Send notifications to this device',
  'push.onHint': 'Also while Orrery is closed, until your session ends: at most five hours after you signed.',
  'push.FILLS': 'Fills of your orders',
  'push.LIQUIDATION': 'Positions close to liquidation',
  'push.DEPOSITS': 'Deposits',
  'push.OTC': 'Steps of OTC orders',
  'push.amounts': 'Show amounts in notifications',
  'push.amountsHint':
    'Coins, prices and amounts, also on a locked screen. Without it a notification says only what kind of thing happened.',
  'push.unsupported':
    'This browser cannot show notifications of a page, or not before the page is installed: on an iPhone or iPad, add Orrery to the home screen first.',
  'push.denied': 'Notifications are blocked for this site. Allow them in the settings of the browser, then come back.',
  'push.none': 'This exchange sends no notifications to devices.',
  'push.visitor': 'Connect a wallet to choose what is sent to this device.',
  'push.refused': 'The browser was not allowed to show notifications.',
  'push.failed': 'Notifications could not be changed. Nothing else is affected: try again.',
} as const;

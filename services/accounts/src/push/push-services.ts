/**
 * The push services that the exchange sends to. A browser says where its messages go, and so could anybody: an address is taken only where it is of a service in the
 * list, so that nobody makes the exchange call hosts of its own network.
 */

/** Origins; `*.` stands for one or more steps of a host name. */
export type PushServices = readonly string[];

export const KNOWN_PUSH_SERVICES: PushServices = [
  'https://fcm.googleapis.com',
  'https://*.push.services.mozilla.com',
  'https://*.push.apple.com',
  'https://*.notify.windows.com',
];

export function isOfPushService(endpoint: string, services: PushServices): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, host, username, password, href } = new URL(endpoint);
  // As it was given, so that what was checked is what is called.
  if (href !== endpoint || username !== '' || password !== '') return false;
  return services.some((service) => {
    const [scheme = '', name = ''] = service.split('//');
    if (protocol !== scheme) return false;
    return name.startsWith('*.') ? host.endsWith(name.slice(1)) && host.length >= name.length : host === name;
  });
}

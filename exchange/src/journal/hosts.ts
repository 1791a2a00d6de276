/** A PostgreSQL URL that names several hosts, as libpq reads it: each is tried, and the one that takes writes is used. */
import { StartError } from '../start-error.ts';

const PARTS = /^(postgres(?:ql)?:\/\/)((?:[^@/?]*@)?)([^/?]*)([^?]*)(?:\?(.*))?$/;
const ATTRIBUTE = 'target_session_attrs';

/** @returns a URL for each host. @throws StartError without the URL: it may have a password */
export function urlsOf(url: string): readonly string[] {
  const [, scheme, user, hosts, database, query] = PARTS.exec(url) ?? [];
  if (scheme === undefined || hosts === undefined) throw new StartError('ORRERY_JOURNAL must be file, or begin with postgres://');
  const parameters = new URLSearchParams(query ?? '');
  const wanted = parameters.get(ATTRIBUTE) ?? 'read-write';
  if (!['read-write', 'primary'].includes(wanted))
    throw new StartError(`ORRERY_JOURNAL must have ${ATTRIBUTE}=read-write, not ${wanted}: a journal is written`);
  parameters.delete(ATTRIBUTE);
  const rest = parameters.size === 0 ? '' : `?${parameters.toString()}`;
  const urls = hosts.split(',').map((host) => `${scheme}${user ?? ''}${host}${database ?? ''}${rest}`);
  const wrong = urls.findIndex((each) => !isUsable(each));
  if (wrong !== -1) throw new StartError(`ORRERY_JOURNAL can not be read: its host ${wrong + 1} is none`);
  return urls;
}

/** A socket in a folder has no host in the URL. */
const isUsable = (url: string): boolean => URL.canParse(url.replace(/^([a-z]+:\/\/(?:[^@/?]*@)?)(?=[/?])/, '$1localhost'));

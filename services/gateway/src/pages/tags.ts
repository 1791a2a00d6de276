/** The sections of the document: calls whose paths begin alike. */
import type { Mounted, Route } from '@orrery/api';

export interface Tag {
  readonly name: string;
  readonly description: string;
}

export const tagOf = ({ path }: Route): string => path.split('/').slice(1, -1).join('/') || 'status';

export function tagsOf(mounted: readonly Mounted[]): readonly Tag[] {
  const names = new Map<string, string[]>();
  for (const { name, route } of mounted) names.set(tagOf(route), [...(names.get(tagOf(route)) ?? []), name]);
  return [...names].map(([name, calls]) => ({ name, description: `The calls below /${name}: ${calls.join(', ')}.` }));
}

/** The pages of the main navigation, in the order of the table of routes: each is named there, at its route. */
import type { AnyRoute, AnyRouter, LinkProps } from '@tanstack/react-router';
import type { MessageId } from '../kit/i18n/catalog.ts';

interface Navigation {
  readonly label: MessageId;
  /** Pages elsewhere that belong to it. */
  readonly also?: readonly string[];
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    readonly navigation?: Navigation;
  }
}

export interface Destination extends Navigation {
  readonly to: NonNullable<LinkProps['to']>;
}

export const destinationsOf = ({ routesById }: Pick<AnyRouter, 'routesById'>): readonly Destination[] =>
  Object.values<AnyRoute>(routesById).flatMap(({ to, options: { staticData } }) =>
    staticData?.navigation === undefined ? [] : [{ ...staticData.navigation, to }],
  );

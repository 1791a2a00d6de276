/** Favourite markets of an account. */
import { Type } from 'typebox';
import { Symbol, strict } from './fields.ts';
import { routes } from './route.ts';

export const COLLECTIONS_MAX = 100;

const symbolBody = strict({ symbol: Symbol });

export const collectionRoutes = routes({
  addCollection: {
    method: 'POST',
    path: '/pro/u/collection/add',
    access: 'session',
    rate: 'manage',
    summary: 'Make a market a favourite; answers all of them.',
    body: symbolBody,
    response: Type.Array(Symbol),
  },
  collections: {
    method: 'GET',
    path: '/pro/u/collection/list',
    access: 'session',
    rate: 'read',
    summary: 'Your favourite markets, in the order in which they were added.',
    response: Type.Array(Symbol),
  },
  cancelCollection: {
    method: 'POST',
    path: '/pro/u/collection/cancel',
    access: 'session',
    rate: 'manage',
    summary: 'Take a market from the favourites; answers the rest.',
    body: symbolBody,
    response: Type.Array(Symbol),
  },
});

/** The identity of a person: real name and document, handed in by the person, approved or sent back by an operator. */
import { Type, type Static } from 'typebox';
import { FileId } from './file.ts';
import { Millis, nullable, strict } from './fields.ts';
import { routes } from './route.ts';

/** Of one account in 24 hours, of each of the two calls. */
export const IDENTITY_TRIES_PER_DAY = 5;
export const IDENTITY_FILES_MAX = 4;

export const DOCUMENT_TYPES = ['PASSPORT', 'ID_CARD', 'DRIVING_LICENCE'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** By its number, which is `idNoStatus`. */
export const IDENTITY_STATES = ['NONE', 'HANDED_IN', 'APPROVED', 'SENT_BACK'] as const;
export type IdentityState = (typeof IDENTITY_STATES)[number];

export const IdNoStatus = Type.Integer({
  minimum: 0,
  maximum: IDENTITY_STATES.length - 1,
  description: '0: no identity document was given; 1: handed in, an operator looks at it; 2: approved; 3: sent back with a reason',
});

const RealName = Type.String({
  minLength: 2,
  maxLength: 100,
  description: 'as in the document: letters of any script, spaces, full stops, apostrophes and hyphens',
});

export const IdentityWish = strict({
  realName: RealName,
  documentType: Type.Enum([...DOCUMENT_TYPES]),
  documentNumber: Type.String({ minLength: 4, maxLength: 32, pattern: '^[0-9A-Za-z][0-9A-Za-z /-]{2,30}[0-9A-Za-z]$' }),
  country: Type.String({ minLength: 2, maxLength: 2, pattern: '^[A-Z]{2}$', description: 'that issued the document, ISO 3166' }),
  fileIds: Type.Array(FileId, {
    minItems: 1,
    maxItems: IDENTITY_FILES_MAX,
    uniqueItems: true,
    description: 'images of the document, among your files',
  }),
});
export type IdentityWish = Static<typeof IdentityWish>;

export const identityRoutes = routes({
  identityAuth: {
    method: 'POST',
    path: '/pro/u/identity/auth',
    access: 'session',
    rate: 'manage',
    sameOrigin: true,
    summary:
      'Hand in your identity: an operator approves it, or sends it back with a reason; then it can be handed in again. At most 5 times in 24 hours. ' +
      'It is encrypted under a key of your own; its files can not be deleted until it is sent back.',
    body: IdentityWish,
    response: Type.Object({ idNoStatus: IdNoStatus, handedInTime: Millis }),
  },
  nameJudge: {
    method: 'POST',
    path: '/pro/u/identity/name-judge',
    access: 'session',
    rate: 'manage',
    sameOrigin: true,
    summary: 'Whether a real name can be handed in, and whether it is the name of your approved identity. At most 5 times in 24 hours.',
    body: strict({ realName: RealName }),
    response: Type.Object({
      usable: Type.Boolean({ description: 'whether it has the form of a name' }),
      matches: nullable(Type.Boolean({ description: 'letter case and repeated spaces do not count; null while no identity is approved' })),
    }),
  },
});

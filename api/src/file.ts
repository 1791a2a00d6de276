/** Files that people hand in, such as images of a document: taken, listed, linked to for a minute, deleted. */
import { Type, type Static } from 'typebox';
import { listed, Millis, strict } from './fields.ts';
import { routes } from './route.ts';

export const FILE_BYTES_MAX = 5 * 1024 * 1024;
export const FILES_MAX = 20;
export const FILES_BYTES_MAX = 50 * 1024 * 1024;
export const FILE_LINK_SECONDS = 60;
export const FILE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const;
export type FileType = (typeof FILE_TYPES)[number];

export const FileId = Type.String({ minLength: 32, maxLength: 32, pattern: '^[0-9a-f]{32}$', description: 'given by the exchange' });

export const StoredFile = Type.Object({
  fileId: FileId,
  type: Type.Enum([...FILE_TYPES]),
  bytes: Type.Integer({ description: 'size as it is kept, after an image is encoded again' }),
  createdTime: Millis,
});
export type StoredFile = Static<typeof StoredFile>;

export const fileRoutes = routes({
  uploadFile: {
    method: 'POST',
    path: '/pro/u/file/upload',
    access: 'session',
    rate: 'upload',
    sameOrigin: true,
    upload: true,
    summary:
      'Hand in a file: the body is the file itself, at most 5 MiB, and its content type is image/jpeg, image/png, image/webp or application/pdf. ' +
      'Images, of at most 25 megapixels and 8,000 pixels a side, are encoded again without their metadata. A PDF with active content, encryption or ' +
      'object streams is refused with the reason. At most 20 files and 50 MiB of an account, and 10 uploads a day.',
    response: StoredFile,
  },
  files: {
    method: 'GET',
    path: '/pro/u/file/list',
    access: 'session',
    rate: 'read',
    summary: 'The files that you handed in, newest first.',
    response: listed(StoredFile),
  },
  linkFile: {
    method: 'POST',
    path: '/pro/u/file/link',
    access: 'session',
    rate: 'manage',
    sameOrigin: true,
    summary: 'A link to one of your files, good for 60 seconds.',
    body: strict({ fileId: FileId }),
    response: Type.Object({ url: Type.String({ description: 'path and query' }), expiresTime: Millis }),
  },
  deleteFile: {
    method: 'POST',
    path: '/pro/u/file/delete',
    access: 'session',
    rate: 'manage',
    sameOrigin: true,
    summary: 'Delete one of your files.',
    body: strict({ fileId: FileId }),
    response: Type.Object({ fileId: FileId }),
  },
  downloadFile: {
    method: 'GET',
    path: '/pro/p/file/download',
    access: 'public',
    rate: 'public',
    download: true,
    summary: 'The file of a link, as an attachment and without an envelope; the link is the permission.',
    query: strict({
      fileId: FileId,
      expires: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'unix milliseconds' }),
      reviewer: Type.Optional(
        Type.String({
          minLength: 22,
          maxLength: 22,
          pattern: '^[0-9A-Za-z_-]{22}$',
          description: 'the operator who looks: written across images',
        }),
      ),
      signature: Type.String({ minLength: 43, maxLength: 43, pattern: '^[0-9A-Za-z_-]{43}$' }),
    }),
    response: Type.String({ description: 'the bytes of the file' }),
  },
});

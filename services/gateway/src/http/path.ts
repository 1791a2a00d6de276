/** The path of a request. */

/** As the caller wrote it, without the query. */
export function rawPath(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** With its escapes decoded; undefined when they are malformed. */
export function decodedPath(url: string): string | undefined {
  try {
    return decodeURIComponent(rawPath(url));
  } catch {
    return undefined;
  }
}

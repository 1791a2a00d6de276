/** Columns: the fields of many records, each field an array of its own, so that no record is ever allocated. */

export function grownInts(column: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(length);
  grown.set(column);
  return grown;
}

export function grownFloats(column: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(length);
  grown.set(column);
  return grown;
}

export { Writer } from './writer.ts';
export { DecodeError, Reader } from './reader.ts';
export { CODEC_VERSION, decodeCommand, decodeEvent, encodeCommand, encodeEvent, readCommand, writeCommand, writeEvent } from './codec.ts';
export * as fields from './field.ts';
export type { Field } from './field.ts';
export { list, record } from './record.ts';
export { assetFields, capsFields, marketFields } from './command-codec.ts';
export { balanceField } from './balance-field.ts';
export { orderField } from './order-field.ts';

export { Writer } from './writer.ts';
export { DecodeError, Reader } from './reader.ts';
export {
  CODEC_VERSION, decodeCommand, decodeEvent, encodeCommand, encodeEvent, readCommand, writeCommand,
} from './codec.ts';

export { createEngine, decodeState, type Engine } from './engine.ts';
export { Book, BOOK_PRICE_MAX, NO_SLOT, type Level, type Slot } from './book/book.ts';

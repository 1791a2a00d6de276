/** Makes a number know what it counts: two brands never mix, although both are plain numbers at run time. */
declare const unit: unique symbol;

export type Brand<Value, Unit extends string> = Value & { readonly [unit]: Unit };

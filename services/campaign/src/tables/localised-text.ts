/** A text for people, in each language it is written in. */
export interface LocalisedText {
  readonly en: string;
}

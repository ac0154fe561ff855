// Every text that a person reads. Pages name texts by key; the key's placeholders are its parameters, checked by the compiler.
import { en } from "./en.ts";

type Catalogue = typeof en;
type TextKey = keyof Catalogue;

type Placeholders<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never;
type TextOf<Key extends TextKey> = Catalogue[Key] extends { readonly other: infer Other } ? Other : Catalogue[Key];
type Parameters<Key extends TextKey> = { readonly [Name in Placeholders<TextOf<Key>>]: string | number };
type Given<Key extends TextKey> = [Placeholders<TextOf<Key>>] extends [never] ? [] : [values: Parameters<Key>];

/** Texts without placeholders, such as labels that are handed around. */
export type LabelKey = { [Key in TextKey]: [Placeholders<TextOf<Key>>] extends [never] ? Key : never }[TextKey];

const plural = new Intl.PluralRules("en");
const numbers = new Intl.NumberFormat("en-US");

/** `text("projects.title")`, `text("projects.count", { count: 3 })`. A text with forms chooses by `count`. */
export function text<Key extends TextKey>(key: Key, ...given: Given<Key>): string {
  const entry: string | { readonly one: string; readonly other: string } = en[key];
  const values = (given[0] ?? {}) as Readonly<Record<string, string | number>>;
  const form =
    typeof entry === "string" ? entry : plural.select(Number(values.count)) === "one" ? entry.one : entry.other;
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === "number" ? numbers.format(value) : value;
  });
}

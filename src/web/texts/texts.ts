// Every text that a person reads. Pages name texts by key; the key's placeholders are its parameters, checked by the compiler.
import { en } from "./en.ts";

type Text = string | { readonly one: string; readonly other: string };

type Placeholders<Form> = Form extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never;
type FormOf<Entry> = Entry extends { readonly other: infer Other } ? Other : Entry;
type Parameters<Entry> = { readonly [Name in Placeholders<FormOf<Entry>>]: string | number };
type Given<Entry> = [Placeholders<FormOf<Entry>>] extends [never] ? [] : [values: Parameters<Entry>];

/** Texts without placeholders, such as labels that are handed around. */
export type LabelKey = {
  [Key in keyof typeof en]: [Placeholders<FormOf<(typeof en)[Key]>>] extends [never] ? Key : never;
}[keyof typeof en];

const plural = new Intl.PluralRules("en");
const numbers = new Intl.NumberFormat("en-US");

/** `text("projects.title")`, `text("projects.count", { count: 3 })`. A text with forms chooses by `count`. */
export const text = textsOf(en);

/** The same for the texts of a part whose script comes late (`*.late-texts.ts`): they come with it, instead of with every page. */
export function textsOf<const Own extends Readonly<Record<string, Text>>>(own: Own) {
  return <Key extends keyof Own>(key: Key, ...given: Given<Own[Key]>): string => {
    const entry: Text = own[key]!;
    const values = (given[0] ?? {}) as Readonly<Record<string, string | number>>;
    const form =
      typeof entry === "string" ? entry : plural.select(Number(values.count)) === "one" ? entry.one : entry.other;
    return form.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name];
      return value === undefined ? whole : typeof value === "number" ? numbers.format(value) : value;
    });
  };
}

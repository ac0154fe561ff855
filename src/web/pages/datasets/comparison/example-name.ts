// What an example is called: the beginning of the first text of its input.
import { isJsonObject, type Json } from "../../../../kernel/json.ts";
import { text } from "../../../texts/texts.ts";
import { readable } from "./readable.ts";

/** Characters of a name: more than a line holds. */
const MOST = 120;

/** Without lines; a word for an example whose input is empty. */
export function exampleName(input: Json | undefined): string {
  const firstText = isJsonObject(input) ? Object.values(input).find((member) => typeof member === "string") : undefined;
  const first = (typeof firstText === "string" && firstText.trim() !== "" ? firstText : readable(input))
    .slice(0, MOST * 4)
    .replaceAll(/\s+/g, " ")
    .trim();
  if (first === "" || first === "{}" || first === "null") return text("datasets.example");
  const characters = [...first];
  return characters.length <= MOST ? first : `${characters.slice(0, MOST).join("")}…`;
}

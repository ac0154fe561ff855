// Lists as parameters and in results. The library would ask every new connection for the types of lists; ours are these two.
import { fail } from "../../kernel/failure.ts";

type Member = string | number | bigint | null;

const SPECIAL = /[\\"]/;
const EVERY_SPECIAL = /[\\"]/g;

/** `{"a",1}`: every text between quotes, so that none is taken for null, a bracket or the end. */
function listText(members: readonly Member[]): string {
  const texts = members.map((member) => {
    if (member === undefined) throw fail("storage.undefined_member", "internal", "A list has an undefined member");
    if (typeof member === "string")
      return SPECIAL.test(member) ? `"${member.replace(EVERY_SPECIAL, "\\$&")}"` : `"${member}"`;
    return member === null ? "null" : String(member);
  });
  return `{${texts.join(",")}}`;
}

const MEMBER = /"((?:[^"\\]|\\.)*)"|([^{},"]+)/gs;

/** The texts in a list of one dimension. */
function listMembers(text: string): (string | null)[] {
  return Array.from(text.matchAll(MEMBER), ([, quoted, plain]) => {
    if (quoted !== undefined) return quoted.replace(/\\(.)/gs, "$1");
    return plain === "NULL" ? null : plain!;
  });
}

/** `text[]` and `bigint[]` by their fixed numbers, in the form that the library takes. */
export const arrayTypes = {
  textList: { to: 1009, from: [1009], serialize: listText, parse: listMembers },
  bigintList: {
    to: 1016,
    from: [1016],
    serialize: listText,
    parse: (text: string) => listMembers(text).map((member) => (member === null ? null : Number(member))),
  },
};

// Filters of a directory: what they mean, invalid ones, and that a name is never more than a value.
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  type DirectoryFilter,
  filterFor,
  hasNamePlaceholder,
  readDirectoryFilter,
} from "../../src/kernel/directory-filter.ts";

function filterOf(text: string): DirectoryFilter {
  const read = readDirectoryFilter(text);
  if (typeof read === "string") throw new Error(read);
  return read;
}

test("every form of a filter is read as it is written", () => {
  const name = { kind: "equal", attribute: "uid", value: "%s" } as const;
  const cases: readonly (readonly [string, DirectoryFilter])[] = [
    ["(uid=%s)", name],
    ["uid=%s", name],
    [
      " (&\n (objectClass=person)\n (uid=%s) ) ",
      { kind: "and", filters: [{ kind: "equal", attribute: "objectClass", value: "person" }, name] },
    ],
    [
      "(|(uid=%s)(!(cn=x)))",
      { kind: "or", filters: [name, { kind: "not", filter: { kind: "equal", attribute: "cn", value: "x" } }] },
    ],
    ["(mail=*)", { kind: "present", attribute: "mail" }],
    ["(cn=a*b*%s)", { kind: "substrings", attribute: "cn", initial: "a", inner: ["b"], final: "%s" }],
    ["(cn=*%s*)", { kind: "substrings", attribute: "cn", initial: "", inner: ["%s"], final: "" }],
    ["(age>=5)", { kind: "at least", attribute: "age", value: "5" }],
    ["(age<=5)", { kind: "at most", attribute: "age", value: "5" }],
    ["(cn~=ada)", { kind: "similar", attribute: "cn", value: "ada" }],
    ["(cn;lang-en=a)", { kind: "equal", attribute: "cn;lang-en", value: "a" }],
    ["(cn=\\28a\\29 \\c3\\a4\\2a)", { kind: "equal", attribute: "cn", value: "(a) ä*" }],
    [
      "(memberOf:1.2.840.113556.1.4.1941:=cn=g,dc=x)",
      {
        kind: "extensible",
        attribute: "memberOf",
        rule: "1.2.840.113556.1.4.1941",
        includesName: false,
        value: "cn=g,dc=x",
      },
    ],
    ["(:dn:2.5.13.2:=x)", { kind: "extensible", attribute: "", rule: "2.5.13.2", includesName: true, value: "x" }],
  ];
  for (const [text, expected] of cases) expect(readDirectoryFilter(text)).toEqual(expected);
});

test("invalid filters are refused", () => {
  const cases = [
    "(uid=%s",
    "(uid=%s))",
    "(uid)",
    "(&)",
    "(!(a=b)(c=d))",
    "()",
    "(=x)",
    "(a=\\2)",
    "(a=\\c3)",
    "(a>=*)",
    "((a=b))",
    "(:=x)",
    "(".repeat(99),
    `${"(!".repeat(60)}(a=b)${")".repeat(60)}`,
  ];
  for (const text of cases) expect(`${text}: ${typeof readDirectoryFilter(text)}`).toBe(`${text}: string`);
});

test("a place for the name is one in a value", () => {
  expect(hasNamePlaceholder(filterOf("(|(a=b)(!(cn=*x%s)))"))).toBeTrue();
  expect(hasNamePlaceholder(filterOf("(a=b)"))).toBeFalse();
});

test("no name changes what a filter asks", () => {
  const names = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom("*", "(", ")", "\\", "\0", "&", "|", "!", "=", "a", "%s", "$&", "$'") }),
  );
  const filter = filterOf("(&(objectClass=person)(|(uid=%s)(cn=x*%s))(!(sn:=%s)))");
  fc.assert(
    fc.property(names, (name) => {
      expect(filterFor(filter, name)).toEqual({
        kind: "and",
        filters: [
          { kind: "equal", attribute: "objectClass", value: "person" },
          {
            kind: "or",
            filters: [
              { kind: "equal", attribute: "uid", value: name },
              { kind: "substrings", attribute: "cn", initial: "x", inner: [], final: name },
            ],
          },
          {
            kind: "not",
            filter: { kind: "extensible", attribute: "sn", rule: "", includesName: false, value: name },
          },
        ],
      });
    }),
  );
});

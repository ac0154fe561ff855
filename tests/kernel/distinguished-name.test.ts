// Names of a directory: which texts are names, and which of them are the same.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { canonicalName, isDistinguishedName } from "../../src/kernel/distinguished-name.ts";

test("names in every spelling of RFC 4514, and the root", () => {
  for (const name of [
    "",
    "dc=com",
    "CN=Ada Lovelace,OU=People,DC=example,DC=com",
    "cn = Ada , ou = People",
    "cn=a+uid=b,dc=x",
    "2.5.4.3=Ada",
    "cn=#0403416461",
    "cn=Lovelace\\, Ada,dc=x",
    "cn=Lovelace\\2C Ada,dc=x",
    'cn=\\"quoted\\"',
    "cn=\\C4\\8Di\\C4\\8Di\\C4\\87",
    "cn=čičić",
    "cn=,dc=x",
  ]) {
    expect(`${name}: ${isDistinguishedName(name)}`).toBe(`${name}: true`);
  }
});

test("what is no name", () => {
  for (const text of [
    "zzz",
    "=x",
    "cn",
    "cn=a,",
    ",cn=a",
    "cn=a,,dc=x",
    "cn=a;dc=x",
    "cn=a<b",
    "cn=\\C4",
    "cn=\\x",
    "c n=a",
    "cn=a\0",
    "EXTERNAL",
    "*",
    "DOMAIN\\user",
  ]) {
    expect(`${text}: ${isDistinguishedName(text)}`).toBe(`${text}: false`);
  }
});

test("spellings of one name are equal", () => {
  const same: readonly (readonly [string, string])[] = [
    ["CN=Admins,OU=Groups,DC=Example,DC=COM", "cn=admins, ou=groups , dc=example,dc=com"],
    ["cn=Lovelace\\, Ada,dc=x", "CN=lovelace\\2C ada,DC=X"],
    ["cn=a+uid=b,dc=x", "UID=b + CN=a,dc=x"],
    ["cn=čičić", "cn=\\C4\\8Di\\C4\\8Di\\C4\\87"],
    ["cn=Ada  ", "cn=ada"],
  ];
  for (const [one, other] of same) expect(canonicalName(one)).toBe(canonicalName(other)!);
});

test("different names are not, whatever they are made of", () => {
  const names = [
    "",
    "cn=a",
    "cn=a,dc=x",
    "cn=a+dc=x",
    "cn=a\\,dc=x",
    "dc=x,cn=a",
    "ou=a",
    "cn=a\\ ",
    "cn=#6161",
    "cn=\\#6161",
    "cn=ä",
  ];
  expect(new Set(names.map(canonicalName)).size).toBe(names.length);
});

test("any text as an escaped value is a name, and two of them are equal only when the texts are", () => {
  const escaped = (text: string) => `cn=${Buffer.from(text).toString("hex").replace(/../g, "\\$&")},dc=x`;
  const texts = fc.string({ unit: "binary", minLength: 1 }).filter((text) => text.isWellFormed());
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const isSame = canonicalName(escaped(one)) === canonicalName(escaped(other));
      expect(isSame).toBe(one.toLowerCase() === other.toLowerCase());
    }),
  );
});

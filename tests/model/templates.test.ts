// Templates of prompts: both syntaxes, what they need, what they refuse, and that no text or value makes them slow or lets them out.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../src/kernel/json.ts";
import { parseJson } from "../../src/kernel/json.ts";
import type { TemplateFormat } from "../../src/model/prompt.ts";
import {
  parseTemplate,
  renderingBudget,
  renderTemplate,
  variablesOfTemplates,
} from "../../src/model/templates/template.ts";

const render = (format: TemplateFormat, source: string, values: JsonObject, characters = 1_000_000) =>
  renderTemplate(parseTemplate(source, format), values, renderingBudget(characters));
const mustache = (source: string, values: JsonObject = {}) => render("MUSTACHE", source, values);
const formatted = (source: string, values: JsonObject = {}) => render("F_STRING", source, values);
const needs = (format: TemplateFormat, source: string) =>
  Object.fromEntries(variablesOfTemplates([parseTemplate(source, format)]));

describe("Mustache", () => {
  test("variables are not escaped, whatever the braces", () => {
    expect(mustache("{{a}} {{{a}}} {{& a }}", { a: "<b>&" })).toBe("<b>& <b>& <b>&");
  });

  test("texts stay, null is empty, other values are JSON", () => {
    const values = parseJson('{"a":{"b":1.0},"c":[1,2],"d":true,"e":null,"f":0}') as JsonObject;
    expect(mustache("{{a}}|{{c}}|{{d}}|{{e}}|{{f}}", values)).toBe('{"b":1.0}|[1,2]|true||0');
  });

  test("sections repeat for lists and show once for other values, with members from the inside out", () => {
    const values: JsonObject = { xs: [{ n: 1 }, { n: 2 }], name: "N", on: true, off: false, text: "t", empty: [] };
    expect(mustache("{{#xs}}{{n}}{{name}},{{/xs}}", values)).toBe("1N,2N,");
    expect(mustache("{{#on}}yes{{/on}}{{#off}}no{{/off}}{{#empty}}no{{/empty}}{{^empty}}none{{/empty}}", values)).toBe(
      "yesnone",
    );
    expect(mustache("{{#text}}<{{.}}>{{/text}}", values)).toBe("<t>");
    expect(mustache("{{#xs}}{{missing}}{{a.b}}{{/xs}}", values)).toBe("");
    expect(mustache("{{xs.1.n}}", values)).toBe("2");
  });

  test("comments, partials and other delimiters", () => {
    expect(mustache("a{{! no }}b{{> partial }}c", {})).toBe("abc");
    expect(mustache("{{=<% %>=}}<% a %>{{a}}<%={{ }}=%>{{a}}", { a: "x" })).toBe("x{{a}}x");
  });

  test("a line with nothing but a section tag does not show", () => {
    expect(mustache("a\n  {{#on}}\nb\n{{/on}}\nc", { on: true })).toBe("a\nb\nc");
    expect(mustache("a\r\n{{^on}}\r\nb\r\n{{/on}}\r\nc", {})).toBe("a\r\nb\r\nc");
  });

  test("an open variable is text; an open section is refused with its position", () => {
    expect(mustache("{{a", { a: 1 })).toBe("{{a");
    expect(() => mustache("ab{{#a}}x")).toThrow('the section "a" is never closed at character 3');
    expect(() => mustache("{{/a}}")).toThrow("was not opened");
    expect(() => mustache("{{#a}}{{/b}}")).toThrow('"a" is closed as "b"');
    expect(() => mustache("{{=a=}}")).toThrow("delimiters");
  });

  test("names that have to be given stand outside of sections; used as a section or with members, any value will do", () => {
    expect(needs("MUSTACHE", "{{a}}{{b.c}}{{#d}}{{e}}{{/d}}{{^f}}{{/f}}{{a}}{{d}}{{=| |=}}|g|")).toEqual({
      a: "text",
      b: "any",
      d: "any",
      f: "any",
      g: "text",
    });
  });
});

describe("format strings", () => {
  test("fields, members and positions", () => {
    const values: JsonObject = { a: { b: "c", "x y": 2 }, list: [{ n: 3 }] };
    expect(formatted("{a.b} {list[0].n} {a[x y]} {{a}} }", values)).toBe("c 3 2 {a} }");
    expect(formatted("{a}|{list}", { a: null, list: true })).toBe("|true");
    expect(formatted("{a}", { a: { k: 1 } })).toBe('{"k":1}');
  });

  test("conversions and specifications", () => {
    const values: JsonObject = { a: "x", n: 3.25148, i: 1234567, q: "it's\n" };
    expect(formatted("[{a:>5}] [{a:*^5}] [{a:<3}] [{a:.0}]", values)).toBe("[    x] [**x**] [x  ] []");
    expect(formatted("{n:.2f} {n:8.3f} {i:,} {i:010d} {i:x} {n:+.1e} {n:.3g} {n:.0%}", values)).toBe(
      "3.25    3.251 1,234,567 0001234567 12d687 +3.3e+00 3.25 325%",
    );
    expect(formatted("{a!r} {q!r} {i!s:>9}", values)).toBe(`'x' "it's\\n"   1234567`);
  });

  test.each([
    ["{a", "is never closed"],
    ["{}", "without a name"],
    ["{0}", "without a name"],
    ["{a!z}", "unknown conversion"],
    ["{a:{b}}", "a field inside a field"],
    ["{a.__class__}", "Access to attribute '__class__' is not permitted in templates"],
    ["{a.b}", 'nothing is at "a.b"'],
    ["{a:>999999999}", "wider than"],
    ["{a:5.2f}", "is for numbers"],
    ["{a:hello}", "is not a format specification"],
  ])("%s is refused", (source, message) => {
    expect(() => formatted(source, { a: "x" })).toThrow(message);
  });
});

describe("hostile templates", () => {
  const names = ["constructor", "__proto__", "toString", "rawJSON", "length", "hasOwnProperty"];
  test.each(names)("%s is a name like any other", (name) => {
    expect(mustache(`{{x.${name}}}{{#x}}{{${name}}}{{/x}}{{text.${name}}}`, { x: { a: 1 }, text: "t" })).toBe("");
    expect(() => formatted(`{x[${name}]}`, { x: { a: 1 } })).toThrow("nothing is at");
    expect(needs("MUSTACHE", `{{${name}}}`)).toEqual(Object.fromEntries([[name, "text"]]));
  });

  test("values are never templates", () => {
    expect(mustache("{{a}}", { a: "{{b}}", b: "secret" })).toBe("{{b}}");
    expect(formatted("{a}", { a: "{b}", b: "secret" })).toBe("{b}");
  });

  test("lists in lists in lists end with an error", () => {
    const hundred = Array.from({ length: 100 }, (_, position) => position);
    const nested = "{{#x}}{{#x}}{{#x}}{{#x}}{{/x}}{{/x}}{{/x}}{{/x}}";
    expect(() => mustache(nested, { x: hundred })).toThrow("sections repeat too often");
    expect(() => render("MUSTACHE", "{{#x}}{{y}}{{/x}}", { x: hundred, y: "abc" }, 299)).toThrow(
      "more than 299 characters",
    );
    expect(() => mustache("{{#x}}".repeat(60), {})).toThrow("nested too deeply");
  });

  // In quadratic time this would take hours.
  test("a megabyte of braces is read", () => {
    for (const piece of ["{{a}}", "{{#a}}{{/a}}", "{{", "{{{", "{{!", "  {{! a }}  ", "{{=a b=}}"]) {
      const source = piece.repeat(1_000_000 / piece.length);
      try {
        mustache(source, { a: "" });
      } catch {
        // Refused, which is as good.
      }
      try {
        formatted(source, { a: "" });
      } catch {
        // The same.
      }
    }
  }, 60_000);
});

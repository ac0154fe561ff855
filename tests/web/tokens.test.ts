// The colours of the tokens against each other, in both themes: WCAG 2.2 AA.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { ROOT } from "../architecture/imports.ts";

const css = await Bun.file(join(ROOT, "src/web/kit/tokens.css")).text();

function colorsOf(block: string): Record<string, string> {
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map(([, name, color]) => [name, color]),
  );
}

const light = colorsOf(/:root \{([\s\S]*?)\n\}/.exec(css)![1]!);
const themes = { light, dark: { ...light, ...colorsOf(/\[data-theme="dark"\] \{([\s\S]*?)\n\}/.exec(css)![1]!) } };

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

const grounds = ["ground", "surface", "raised", "sunken"];
/** Text, and what it stands on. */
const texts: readonly (readonly [string, readonly string[]])[] = [
  ["ink", [...grounds, "accent-wash", "error-wash", "ok-wash"]],
  ["ink-2", [...grounds, "accent-wash"]],
  ["ink-3", [...grounds, "accent-wash"]],
  ["accent-ink", [...grounds, "accent-wash"]],
  ["link", grounds],
  ["error", [...grounds, "error-wash", "accent-wash"]],
  ["ok", [...grounds, "ok-wash"]],
  ["warn", [...grounds, "accent-wash"]],
  ["ink-on-accent", ["accent"]],
];
const kinds = Object.keys(light).filter((name) => name.startsWith("kind-"));
const series = Object.keys(light).filter((name) => name.startsWith("series-"));

for (const [theme, colors] of Object.entries(themes)) {
  describe(`tokens (${theme})`, () => {
    test("every text is readable on every ground it stands on: 4.5 to 1", () => {
      const weak = texts.flatMap(([text, places]) =>
        places
          .map((place) => ({ text, place, ratio: contrast(colors[text]!, colors[place]!) }))
          .filter(({ ratio }) => ratio < 4.5),
      );
      expect(weak).toEqual([]);
    });

    test("marks and the focus ring stand out from the ground: 3 to 1", () => {
      const marks = ["focus", "error", "ok", ...kinds, ...series];
      const weak = marks.flatMap((mark) =>
        ["ground", "surface"].map((place) => ({ mark, place, ratio: contrast(colors[mark]!, colors[place]!) })),
      );
      expect(weak.filter(({ ratio }) => ratio < 3)).toEqual([]);
    });
  });
}

test("both themes set the same inks and grounds", () => {
  const own = colorsOf(/\[data-theme="dark"\] \{([\s\S]*?)\n\}/.exec(css)![1]!);
  const shared = Object.keys(light).filter((name) => !/^(kind|series)-/.test(name));
  expect(shared.filter((name) => !(name in own))).toEqual([]);
});

test("text with fixed letters shows every letter that was written: no ligatures", async () => {
  const files = await Array.fromAsync(new Bun.Glob("src/web/**/*.css").scan(ROOT));
  const sheets = await Promise.all(
    files.map(async (path) => ({
      path,
      rules: (await Bun.file(join(ROOT, path)).text()).match(/[^{}]*\{[^{}]*\}/g) ?? [],
    })),
  );
  const joined = sheets.flatMap(({ path, rules }) =>
    rules
      .filter(
        (rule) => /font(?:-family)?:[^;]*var\(--mono\)/.test(rule) && !rule.includes("font-variant-ligatures: none"),
      )
      .map((rule) => `${path}: ${rule.trim().split(" {")[0]}`),
  );
  expect(joined).toEqual([]);
});

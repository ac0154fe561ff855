// Variables of a prompt as parameters of a function, in names that TypeScript and Python both take.

/** Words of either language, and the names that the exported code uses itself. */
const TAKEN: ReadonlySet<string> = new Set(
  `and arguments as assert async await break case catch class client const continue debugger def default del delete do elif else
  enum eval except export extends finally for from function getPrompt global if implements import in interface is jsonSchema lambda
  let match new nonlocal not null or package pass private prompt prompts protected public raise request return roles static super
  switch this throw tool toSDK true try type typeof undefined var variables void while with yield None True False false dict list str
  generateText openai anthropic provider Output system messages parameters process`.split(/\s+/),
);

/** The name of each variable's parameter: its own where it is a name, else one that is made of it. */
export function parameterNames(variables: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const used = new Set<string>();
  for (const variable of variables) {
    const name = freeName(wordOf(variable), used);
    used.add(name);
    names.set(variable, name);
  }
  return names;
}

/** As a name of both languages is written. */
export function wordOf(text: string): string {
  const word = text.replaceAll(/[^A-Za-z0-9_]+/g, "_").replaceAll(/^_+|_+$/g, "");
  if (word === "") return "value";
  if (/^\d/.test(word)) return `_${word}`;
  return TAKEN.has(word) ? `${word}_` : word;
}

function freeName(word: string, used: ReadonlySet<string>): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? word : `${word}_${count}`;
    if (!used.has(name)) return name;
  }
}

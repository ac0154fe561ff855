// Whether a text is worth the Markdown reader, told without loading it.

const SIGNS =
  /(^|\n) {0,3}(#{1,6} |[-*+] +\S|\d{1,4}[.)] +\S|> ?\S|```|~~~|\|.+\|)|\*\*\S|__\S|`[^`\n]+`|\]\(|<https?:/;

export function looksLikeMarkdown(value: string): boolean {
  return SIGNS.test(value);
}

// Whether a text looks like Markdown, so that the reader is loaded only if needed.

const SIGNS =
  /(^|\n) {0,3}(#{1,6} |[-*+] +\S|\d{1,4}[.)] +\S|> ?\S|```|~~~|\|.+\|)|\*\*\S|__\S|`[^`\n]+`|\]\(|<https?:/;

export function looksLikeMarkdown(value: string): boolean {
  return SIGNS.test(value);
}

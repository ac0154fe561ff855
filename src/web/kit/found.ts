// Words that a search looks for, marked wherever they stand in a part of the page. The marks are the browser's own highlights: what is
// drawn is not touched by them.

import { createContext, useContext, useEffect, useRef, useState } from "react";
import { searchedWords } from "../../modules/tracing/spans/search/search.rules.ts";

const NAME = "found";
/** Marks of one part of the page; more would slow the page down and help no reader. */
const MOST_MARKS = 1000;

export const FoundWords = createContext("");

/** Empty without a search. */
export function useFoundWords(): string {
  return useContext(FoundWords);
}

export function holdsFound(value: string, words: string): boolean {
  if (words === "") return false;
  const folded = value.toLowerCase();
  return searchedWords(words).some((word) => folded.includes(word.toLowerCase()));
}

/** Marks the words inside the element that gets the `ref`, now and whenever it changes. The first mark is scrolled to once for each
 *  `reveal`; null scrolls to none. */
export function useFoundMarks(words: string, reveal: string | null): (element: HTMLElement | null) => void {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const revealed = useRef<string | null>(null);
  useEffect(() => {
    // Older browsers find without marks.
    if (element === null || words === "" || !("highlights" in CSS)) return;
    // One for all parts of the page: each adds and takes away its own.
    const all = CSS.highlights.get(NAME) ?? new Highlight();
    CSS.highlights.set(NAME, all);
    let own: Range[] = [];
    const clear = () => {
      for (const range of own) all.delete(range);
    };
    const mark = () => {
      clear();
      own = rangesOf(element, words);
      for (const range of own) all.add(range);
      const wanted = reveal === null ? null : `${reveal} ${words}`;
      if (own.length === 0 || revealed.current === wanted) return;
      revealed.current = wanted;
      if (wanted !== null) own[0]!.startContainer.parentElement?.scrollIntoView({ block: "nearest" });
    };
    let frame = requestAnimationFrame(mark);
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(mark);
    });
    observer.observe(element, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      clear();
    };
  }, [element, words, reveal]);
  return setElement;
}

function rangesOf(element: HTMLElement, words: string): Range[] {
  const wanted = searchedWords(words).map((word) => word.toLowerCase());
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const ranges: Range[] = [];
  for (let node = walker.nextNode(); node !== null && ranges.length < MOST_MARKS; node = walker.nextNode()) {
    const value = node.textContent?.toLowerCase() ?? "";
    // Another length in small letters would shift the places.
    if (value.length !== node.textContent?.length) continue;
    for (const word of wanted) {
      for (let at = value.indexOf(word); at >= 0; at = value.indexOf(word, at + word.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        ranges.push(range);
      }
    }
  }
  return ranges;
}

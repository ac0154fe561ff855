// An author: a person by the first letters of the name, or the sort of program.
import { Bot, Code, UserRound } from "lucide-react";
import { Avatar } from "../../kit/Avatar.tsx";
import { text } from "../../texts/texts.ts";
import type { Annotation } from "./verdicts.ts";

export function Who({ annotation: { user, annotatorKind } }: { readonly annotation: Annotation }) {
  if (annotatorKind === "HUMAN" && user !== null) return <Avatar name={user.username} />;
  const icons = { LLM: <Bot />, CODE: <Code />, HUMAN: <UserRound /> };
  return <Avatar name={text(`review.program.${annotatorKind}`)} icon={icons[annotatorKind]} />;
}

// The texts of uploads, which come with their script.
import { textsOf } from "../../../texts/texts.ts";
import { uploadTexts } from "./upload.late-texts.ts";

export const uploadText = textsOf(uploadTexts);

import type { Image, ImagePart } from "./types.js";

/** Returns a photo as a part of a message. */
export async function imagePart(image: Image): Promise<ImagePart> {
  return { type: "image_url", image_url: { url: await imageUrl(image) } };
}

/** Returns the URL of a photo: its own, or a data URL of its bytes. */
export async function imageUrl(image: Image): Promise<string> {
  if (typeof image === "string" && /^(https?:\/\/|data:)/.test(image)) return image;
  const bytes = await bytesOf(image);
  return `data:${mediaType(bytes)};base64,${base64(bytes)}`;
}

async function bytesOf(image: Image): Promise<Uint8Array> {
  if (typeof image === "string") {
    // Bundlers for browsers must not look for the module, hence the name in a variable.
    const files = "node:fs/promises";
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ files);
    return readFile(image);
  }
  if (image instanceof Blob) return new Uint8Array(await image.arrayBuffer());
  return image instanceof Uint8Array ? image : new Uint8Array(image);
}

function mediaType(bytes: Uint8Array): string {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  if (start.startsWith("\x89PNG")) return "image/png";
  return start.endsWith("WEBP") ? "image/webp" : "image/jpeg";
}

function base64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  // A function call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) {
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  }
  return btoa(pieces.join(""));
}

/**
 * The shapes of requests and responses.
 *
 * Responses are plain objects, exactly as the API sends them. Fields that a newer server adds are there too.
 */

/** Something that an estimate shows only on request. */
export type Include =
  | "source"
  | "grams"
  | "range"
  | "tier"
  | "alternatives"
  | "nutrients"
  | "recipe"
  | "unresolved"
  | "language";

/** A photo: its bytes, the URL of an uploaded photo, or (not in browsers) a path. JPEG, PNG or WebP. */
export type Image = string | Blob | Uint8Array | ArrayBuffer;

// What is sent.

/** Words. */
export interface TextPart {
  type: "text";
  text: string;
}

/** A photo; `imagePart` makes one. */
export interface ImagePart {
  type: "image_url";
  image_url: { url: string };
}

/** A food, or a recipe of the account, by its id. */
export interface FoodPart {
  type: "food";
  food_id: string;
  quantity?: number;
  unit?: string;
}

/** A correction of one item of the conversation so far, counted from 1. */
export interface CorrectionPart {
  type: "correction";
  item: number;
  food_id?: string;
  quantity?: number;
  unit?: string;
}

export type ContentPart = TextPart | ImagePart | FoodPart | CorrectionPart;

/** A message in the common chat format; only those of the user are estimated. */
export interface Message {
  role: "user" | "assistant" | "system";
  content: string | readonly ContentPart[];
}

/** A meal: a text, or a conversation. */
export type Meal = string | readonly Message[];

/** The options of every call. */
export interface CallOptions {
  /** Cancels the call. */
  signal?: AbortSignal;
}

/** The options of an estimate. */
export interface EstimateOptions extends CallOptions {
  /** A photo of the meal. Of a conversation, it belongs to the last message. */
  image?: Image;
  /** Fields to add to the response. */
  include?: readonly Include[];
  /** The language of the text, such as `de` or `pt-BR`; by default it is detected. */
  language?: string;
}

/** One meal of a batch. The id, by default its number from 1, is returned with the result. */
export type BatchInput = { id?: string; text: string } | { id?: string; messages: readonly Message[] };

/** The options of a batch. */
export interface BatchOptions extends CallOptions {
  /** Fields to add to the results. */
  include?: readonly Include[];
  /** The language of all texts; by default it is detected for each. */
  language?: string;
}

/** The options of a search for foods. */
export interface SearchOptions extends CallOptions {
  limit?: number;
  source?: string;
  language?: string;
}

/** Changes of a recipe: fields that are absent stay as they are. The numbers are per serving. */
export interface RecipeChanges {
  name?: string;
  calories?: number;
  protein?: number;
  carbs?: number;
  fat?: number;
  serving_description?: string | null;
  aliases?: readonly string[] | null;
}

/** A recipe to create. */
export interface NewRecipe extends RecipeChanges {
  name: string;
}

// What is returned.

/** Calories in kcal; protein, carbs and fat in grams. */
export interface Macros {
  calories: number;
  protein: number;
  carbs: number;
  fat: number;
}

/** A rectangle of an upright photo, in shares of its width and height, from 0 to 1. */
export interface Region {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Where the numbers of an item come from. */
export interface Source {
  food_id: string;
  source: string;
  origin: string;
  name: string;
  attribution?: string;
  /** How and where the food was recognized in a photo. */
  photo?: { image: number; by: string; confidence: number; note?: string; region?: Region };
}

/** The ends of a range. */
export interface Bounds {
  low: number;
  high: number;
}

/** A food of a meal. The optional fields are those of `include`. */
export interface Item extends Macros {
  name: string;
  quantity: number;
  unit: string;
  source?: Source;
  grams?: { grams: number; how: "mass" | "portion" | "density" | "usual"; portion?: string };
  range?: Record<keyof Macros, Bounds>;
  tier?: "recipe" | "measured" | "derived" | "estimated";
  alternatives?: { food_id: string; name: string; calories: number }[];
  nutrients?: Record<string, number>;
  recipe?: { id: string; matched: string; servings: number };
}

/** An estimated meal. */
export interface Estimate {
  items: Item[];
  totals: Macros;
  unresolved?: string[];
  language?: string;
}

/** An event of a stream. The last one, `done`, has the whole estimate. */
export type EstimateEvent =
  | { type: "start"; sequence: number; id: string; engine_version: string }
  | { type: "item"; sequence: number; index: number; item: Item }
  | { type: "totals"; sequence: number; totals: Macros }
  | ({ type: "done"; sequence: number } & Estimate);

/** A result of a batch; `"error" in result` tells them apart. */
export type BatchResult =
  | ({ id: string; status: number } & Estimate)
  | { id: string; status: number; error: { error: string; code: string; param?: string } };

/** A food of the catalog; the numbers are per serving. */
export interface Food extends Macros {
  id: string;
  source: string;
  name: string;
  brand: string | null;
  fiber: number;
  serving_description: string;
  serving_grams: number;
}

/** A food with all its portions and nutrients. */
export interface FoodDetail extends Food {
  origin: string;
  description: string | null;
  category: string | null;
  gtin: string | null;
  portions: { description: string; grams: number }[];
  nutrients_per_100g: Record<string, number>;
  attribution?: string;
  country?: string;
  local_names?: Record<string, string[]>;
}

/** A saved recipe; the numbers are per serving. */
export interface Recipe extends Macros {
  id: string;
  name: string;
  serving_description: string | null;
  aliases: string[];
  created_at: string;
  updated_at: string;
}

/** A recipe that was just created. */
export interface CreatedRecipe {
  id: string;
  name: string;
  message: string;
}

/** The address of an uploaded photo, and when it is removed. */
export interface Upload {
  url: string;
  expires_at: string;
}

/** The account's rate limit, as the last response showed it. */
export interface RateLimit {
  /** Requests per window. */
  limit: number;
  /** Requests left in this window. */
  remaining: number;
  /** The start of the next window, in Unix time. */
  reset: number;
}

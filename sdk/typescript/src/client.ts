import { EventReader } from "./events.js";
import { imagePart, imageUrl } from "./image.js";
import { Transport, type ClientOptions } from "./transport.js";
import type {
  BatchInput,
  BatchOptions,
  BatchResult,
  CallOptions,
  CreatedRecipe,
  Estimate,
  EstimateEvent,
  EstimateOptions,
  Food,
  FoodDetail,
  Image,
  Meal,
  Message,
  NewRecipe,
  RateLimit,
  Recipe,
  RecipeChanges,
  SearchOptions,
  Upload,
} from "./types.js";

/** A client. */
export class Morsel {
  /** The foods of the catalog. */
  readonly foods: Foods;
  /** The recipes of the account. */
  readonly recipes: Recipes;
  readonly #transport: Transport;

  constructor(options: ClientOptions = {}) {
    this.#transport = new Transport(options);
    this.foods = new Foods(this.#transport);
    this.recipes = new Recipes(this.#transport);
  }

  get baseUrl(): string {
    return this.#transport.baseUrl;
  }

  /** The rate limit of the last response; `undefined` until a key was accepted. */
  get rateLimit(): RateLimit | undefined {
    return this.#transport.rateLimit;
  }

  /** Estimates a meal: a text, a photo (with an empty text), both, or a conversation. */
  async estimate(meal: Meal, options: EstimateOptions = {}): Promise<Estimate> {
    const body = await estimateBody(meal, options);
    return this.#transport.json({ method: "POST", path: "/v1/estimate/sync", body, signal: options.signal });
  }

  /** Estimates a meal and yields each item as soon as it is known. The last event, `done`, has the whole estimate. */
  async *estimateStream(meal: Meal, options: EstimateOptions = {}): AsyncGenerator<EstimateEvent> {
    const body = await estimateBody(meal, options);
    const reader = new EventReader();
    const call = { method: "POST", path: "/v1/estimate", body, signal: options.signal } as const;
    for await (const text of this.#transport.text(call)) yield* reader.feed(text);
    reader.finish();
  }

  /** Estimates up to 100 meals. The results are in the order of the inputs. */
  async estimateBatch(
    inputs: readonly (string | BatchInput)[],
    { include = [], language, signal }: BatchOptions = {},
  ): Promise<BatchResult[]> {
    const rows = inputs.map((input) => (typeof input === "string" ? { text: input } : input));
    const { results } = await this.#transport.json<{ results: BatchResult[] }>({
      method: "POST",
      path: "/v1/estimate/batch",
      body: { inputs: rows, include, language },
      signal,
    });
    return results;
  }

  /** Uploads a photo. Its URL can be used as `image` until it expires. */
  async upload(image: Image, { signal }: CallOptions = {}): Promise<Upload> {
    const body = { image: await imageUrl(image), include: ["expires_at"] };
    return this.#transport.json({ method: "POST", path: "/v1/upload/base64", body, signal });
  }
}

/** The foods of the catalog. */
export class Foods {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns the foods with this name, the most likely first. */
  async search(query: string, { signal, ...options }: SearchOptions = {}): Promise<Food[]> {
    const call = { method: "GET", path: "/v1/foods", query: { q: query, ...options }, signal } as const;
    return (await this.#transport.json<{ foods: Food[] }>(call)).foods;
  }

  /** Returns a food with all its portions and nutrients. */
  async get(id: string, { signal }: CallOptions = {}): Promise<FoodDetail> {
    return this.#transport.json({ method: "GET", path: `/v1/foods/${encodeURIComponent(id)}`, signal });
  }

  /** Returns the product with this barcode. */
  async barcode(gtin: string, { signal }: CallOptions = {}): Promise<FoodDetail> {
    return this.#transport.json({ method: "GET", path: `/v1/foods/barcode/${encodeURIComponent(gtin)}`, signal });
  }
}

/** The recipes of the account. */
export class Recipes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns all recipes, newest first. */
  async list({ signal }: CallOptions = {}): Promise<Recipe[]> {
    return (await this.#transport.json<{ recipes: Recipe[] }>({ method: "GET", path: "/v1/recipes", signal })).recipes;
  }

  /** Returns a recipe. */
  async get(id: string, { signal }: CallOptions = {}): Promise<Recipe> {
    return this.#transport.json({ method: "GET", path: recipePath(id), signal });
  }

  /** Saves a recipe. Its numbers are per serving. */
  async create(recipe: NewRecipe, { signal }: CallOptions = {}): Promise<CreatedRecipe> {
    return this.#transport.json({ method: "POST", path: "/v1/recipes", body: recipe, signal });
  }

  /** Changes the given fields of a recipe. */
  async update(id: string, changes: RecipeChanges, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.json({ method: "PUT", path: recipePath(id), body: changes, signal });
  }

  /** Deletes a recipe. */
  async delete(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.json({ method: "DELETE", path: recipePath(id), signal });
  }
}

function recipePath(id: string): string {
  return `/v1/recipes/${encodeURIComponent(id)}`;
}

async function estimateBody(meal: Meal, { image, include = [], language }: EstimateOptions): Promise<unknown> {
  const messages: Message[] = typeof meal === "string" ? [{ role: "user", content: meal }] : [...meal];
  const last = messages.pop();
  if (last) messages.push(image === undefined ? last : await withImage(last, image));
  return { messages, include, language };
}

async function withImage({ role, content }: Message, image: Image): Promise<Message> {
  const parts = typeof content === "string" ? (content ? [{ type: "text", text: content } as const] : []) : content;
  return { role, content: [await imagePart(image), ...parts] };
}

/** The client of Morsel, the self-hosted nutrition API. */

export { Morsel, type Foods, type Recipes } from "./client.js";
export { MorselError } from "./error.js";
export { imagePart } from "./image.js";
export type { ClientOptions } from "./transport.js";
export type * from "./types.js";

/** The samples of the documentation, run as they are shown. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { promisify } from "node:util";

import { Morsel } from "morsel-client";

import { PHOTO, URL_OF_SERVER } from "./server.js";

const SHOWN_URL = "http://127.0.0.1:8080";
const SHOWN_RECIPE = "rcp_i946uhP4tcPKhoS6MTkoE5";

test("the samples of the documentation run", async (test) => {
  const client = new Morsel();
  const recipe = (await client.recipes.create({ name: "Mom's Lasagna", calories: 620 })).id;
  const source = await readFile("samples.js", "utf8");
  // Inside of the package, so that its name is known.
  const folder = await mkdtemp(join(process.cwd(), "samples-"));
  test.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "samples.js"), source.replaceAll(SHOWN_URL, URL_OF_SERVER).replaceAll(SHOWN_RECIPE, recipe));
  await copyFile(PHOTO, join(folder, "dinner.jpg"));
  const { stdout } = await promisify(execFile)(process.execPath, ["samples.js"], { cwd: folder });

  const left = (await client.recipes.list()).filter((saved) => saved.name === "Mom's Lasagna");
  for (const { id } of left) {
    assert.notEqual(id, recipe, "the samples delete it");
    await client.recipes.delete(id);
  }
  const lines = stdout.trimEnd().split("\n");
  assert.equal(lines[0], String((await client.estimate("two eggs and a slice of toast")).totals.calories));
  assert.match(stdout, /^total \d/m);
  assert.match(stdout, /^400 query_too_short/m);
  assert.ok(lines.includes("Oat biscuits Grunau"));
  assert.equal(lines.at(-1), "Mom's Lasagna 620");
});

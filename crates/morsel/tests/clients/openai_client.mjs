// OpenAI's library for JavaScript against Morsel.

import assert from "node:assert/strict";
import OpenAI from "openai";

const client = new OpenAI({ baseURL: `${process.env.MORSEL_URL}/v1`, apiKey: process.env.MORSEL_API_KEY, maxRetries: 0 });
const messages = [{ role: "user", content: "two eggs and 250 ml of milk" }];
const parameters = {
    type: "object",
    properties: {
        items: {
            type: "array",
            items: {
                type: "object",
                properties: { food: { type: "string" }, amount: { type: "number" }, unit: { type: "string", enum: ["g", "ml"] }, kcal: { type: "number" } },
                required: ["food", "amount", "unit", "kcal"],
                additionalProperties: false,
            },
        },
    },
    required: ["items"],
    additionalProperties: false,
};

function checkMeal({ items }) {
    assert.equal(items.length, 2);
    assert.deepEqual([items[0].amount, items[0].unit], [100, "g"]);
    assert.deepEqual([items[1].amount, items[1].unit], [250, "ml"]);
    assert.ok(items.every((item) => item.kcal > 50 && item.food.length > 2));
}

const models = [];
for await (const model of client.models.list()) models.push(model.id);
assert.deepEqual(models, ["morsel"]);

const tools = [{ type: "function", function: { name: "log_meal", parameters, strict: true } }];
const called = await client.chat.completions.create({ model: "morsel", messages, tools, tool_choice: "required" });
checkMeal(JSON.parse(called.choices[0].message.tool_calls[0].function.arguments));

const response_format = { type: "json_schema", json_schema: { name: "meal", strict: true, schema: parameters } };
const formatted = await client.chat.completions.create({ model: "morsel", messages, response_format });
checkMeal(JSON.parse(formatted.choices[0].message.content));

const stream = client.chat.completions.stream({ model: "morsel", messages, response_format });
let pieces = 0;
for await (const piece of stream) pieces += piece.choices.length;
assert.ok(pieces > 2);
checkMeal(JSON.parse((await stream.finalChatCompletion()).choices[0].message.content));

await assert.rejects(client.chat.completions.create({ model: "morsel", messages: [] }), (error) => {
    assert.ok(error instanceof OpenAI.BadRequestError);
    assert.equal(error.param, "messages");
    return true;
});
console.log("openai for JavaScript … ok");

// The playground: sends the conversation, shows each food as its event arrives, and keeps the conversation so that it can
// be corrected in words, corrected in place, or undone. Also shows the request as code.
(() => {
  "use strict";

  const $ = (id) => document.getElementById(id);
  const root = $("playground");
  const form = $("meal-form");
  const text = $("text");
  const here = form.getAttribute("action");
  /** What precedes the paths of the service, if it shares its host with others. */
  const basePath = here.slice(0, -"/playground".length);
  const languageNames = new Intl.DisplayNames(["en"], { type: "language" });
  const include = ["source", "grams", "range", "tier", "alternatives", "recipe", "unresolved", "language"];
  const maxPhotoBytes = 10_000_000;
  /** The conversation: {text, photo} each, where photo is the URL of an uploaded photo; or {text, correction}, where
   * correction is a content part and text says what it does. */
  let messages = [];
  let answer = null;
  let events = "";
  let photo = null;
  let shownCode = "curl";
  let isBusy = false;

  const element = (name, content, className) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (typeof content === "string") made.textContent = content;
    else if (content) made.append(...content);
    return made;
  };
  const number = (value) => String(Math.round(value * 100) / 100);

  // The request.

  const content = ({ text, photo, correction }) => {
    if (correction) return [correction];
    if (!photo) return text;
    return [{ type: "image_url", image_url: { url: photo } }, ...(text ? [{ type: "text", text }] : [])];
  };
  const message = (said) => ({ role: "user", content: content(said) });
  const body = (conversation) => ({ messages: conversation.map(message), include });

  const problem = async (response) => {
    let sentence = `The server returned an error (${response.status}).`;
    try { sentence = (await response.json()).error ?? sentence; } catch { /* not JSON: only the status is known */ }
    return new Error(sentence);
  };

  /** Sends a conversation, calls onEvent for every event, and returns the last one. */
  const request = async (conversation, onEvent) => {
    const response = await fetch(`${here}/estimate`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
      body: JSON.stringify(body(conversation)),
    });
    if (!response.ok) throw await problem(response);
    let raw = "";
    let rest = "";
    let last = null;
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      raw += piece;
      const all = (rest + piece).split("\n\n");
      rest = all.pop();
      for (const event of all) {
        const data = event.split("\n").find((line) => line.startsWith("data: "));
        if (!data) continue;
        last = JSON.parse(data.slice("data: ".length));
        if (last.type === "error") throw new Error(last.error);
        onEvent(last, raw);
      }
    }
    if (last?.type !== "done") throw new Error("The response was cut off. Try again.");
    return { answer: last, raw };
  };

  // The result.

  const weightSource = { mass: "as stated", density: "from its density" };
  const tiers = {
    recipe: ["your recipe", "The values of your own recipe."],
    measured: ["measured", "The food and its weight were given."],
    derived: ["known portion", "The weight follows from a known portion of the food."],
    estimated: ["typical portion", "The amount or the food is a guess."],
  };

  const tierBadge = (tier) => {
    const [label, tip] = tiers[tier] ?? [tier, ""];
    const badge = element("span", label, `badge ${tier}`);
    badge.title = tip;
    return badge;
  };
  const weight = ({ grams, how }) => [`${number(grams)} g`, weightSource[how]].filter(Boolean).join(", ");

  const card = (item, index) => {
    const head = element("div", [element("h2", item.name), element("strong", `${number(item.calories)} kcal`, "kcal")], "item-head");
    const amount = element("input");
    amount.type = "number";
    amount.min = "0";
    amount.step = "any";
    amount.value = number(item.quantity);
    amount.setAttribute("aria-label", `Amount of ${item.name}, in ${item.unit}`);
    amount.addEventListener("change", () => change(index, amount.value));
    const line = element("p", null, "facts-line");
    if (item.tier) line.append(tierBadge(item.tier));
    if (item.grams) line.append(element("span", weight(item.grams)));
    if (item.range) line.append(element("span", `${item.range.calories.low} to ${item.range.calories.high} kcal`));
    // A food read from a label has no page of its own.
    if (item.source && item.source.photo?.by !== "label") {
      const link = element("a", item.source.name);
      link.href = `${basePath}/foods/${encodeURIComponent(item.source.food_id)}`;
      line.append(link);
    }
    if (item.source?.photo) {
      const { by, confidence } = item.source.photo;
      line.append(element("span", `from the photo (${by}, ${Math.round(confidence * 100)}% confidence)`));
    }
    if (item.recipe) {
      const link = element("a", `your recipe, ${number(item.recipe.servings)} ${item.recipe.servings === 1 ? "serving" : "servings"}`);
      link.href = `${basePath}/recipes/${encodeURIComponent(item.recipe.id)}`;
      line.append(link);
    }
    const made = element("li", [
      head,
      element("div", [
        element("p", [amount, element("span", item.unit)], "amount"),
        element("p", `${number(item.protein)} g protein · ${number(item.carbs)} g carbs · ${number(item.fat)} g fat`, "macros"),
      ], "line"),
      line,
    ], "item");
    const others = (item.alternatives ?? []).filter((other) => other.name !== item.name);
    if (others.length > 0) {
      const row = element("p", [element("span", "Did you mean", "muted")], "others");
      for (const other of others) {
        const button = element("button", `${other.name} · ${number(other.calories)} kcal`, "quiet small");
        button.type = "button";
        button.addEventListener("click", () => choose(index, other));
        row.append(button);
      }
      made.append(row);
    }
    return made;
  };

  const showSums = (totals) => {
    for (const sum of document.querySelectorAll("[data-sum]")) {
      const name = sum.dataset.sum;
      sum.textContent = name === "calories" ? number(totals[name]) : `${number(totals[name])} g`;
    }
    // A gram of protein or carbs has 4 kcal, a gram of fat 9.
    const shares = [["protein", totals.protein * 4], ["carbs", totals.carbs * 4], ["fat", totals.fat * 9]];
    const all = shares.reduce((sum, [, share]) => sum + share, 0) || 1;
    let from = 0;
    for (const [name, share] of shares) {
      const bar = document.querySelector(`.shares .${name}`);
      bar.setAttribute("x", String(from));
      bar.setAttribute("width", String(share / all * 100));
      from += share / all * 100;
    }
  };

  const showConversation = () => {
    $("conversation").replaceChildren(...messages.map(({ text, photo }) =>
      element("li", photo ? `📷 ${text || "photo"}` : text)));
    form.classList.toggle("later", messages.length > 0);
    text.rows = messages.length > 0 ? 1 : 2;
    $("undo").hidden = messages.length === 0;
    $("new-meal").hidden = messages.length === 0;
    $("text-label").textContent = messages.length === 0 ? "What did you eat?" : "Correct it or add something";
    text.placeholder = messages.length === 0 ? "two scrambled eggs and a large latte" : "no butter, and the latte was small";
    $("send").textContent = messages.length === 0 ? "Estimate" : "Send";
    if ($("meals")) $("meals").hidden = messages.length > 0;
    $("result").hidden = messages.length === 0;
    $("code").hidden = messages.length === 0;
  };

  const showAnswer = () => {
    $("items").replaceChildren(...answer.items.map(card));
    finish();
  };

  const finish = () => {
    showSums(answer.totals);
    $("nothing").hidden = answer.items.length > 0;
    const unresolved = answer.unresolved ?? [];
    $("unresolved").hidden = unresolved.length === 0;
    $("unresolved").querySelector("span").textContent = unresolved.join(", ");
    const language = answer.language ?? "en";
    $("understood").hidden = language === "en";
    $("understood").querySelector("span").textContent = languageNames.of(language);
    $("news").textContent = `${answer.items.length} ${answer.items.length === 1 ? "food" : "foods"}, ${number(answer.totals.calories)} kilocalories`;
    showCode();
  };

  const showError = (message) => {
    $("text-error").textContent = message;
    text.closest(".field").classList.toggle("wrong", message !== "");
  };

  // The request as code.

  const python = (value) => JSON.stringify(value, null, 4)
    .replace(/\btrue\b/g, "True").replace(/\bnull\b/g, "None");
  const code = {
    curl: (json) => `curl ${root.dataset.base}/v1/estimate/sync -H "Authorization: Bearer $KEY" \\\n  -d '${JSON.stringify(json, null, 2).replaceAll("'", "'\\''")}'`,
    python: ({ messages, include }) => `from morsel_client import Morsel\n\nclient = Morsel("${root.dataset.base}")  # the key is in MORSEL_API_KEY\nmeal = client.estimate(\n    ${python(messages).replaceAll("\n", "\n    ")},\n    include=${JSON.stringify(include)},\n)\nprint(meal)`,
    script: ({ messages, include }) => `import { Morsel } from "morsel-client";\n\nconst client = new Morsel({ baseUrl: "${root.dataset.base}" }); // the key is in MORSEL_API_KEY\nconst messages = ${JSON.stringify(messages, null, 2)};\nconsole.log(await client.estimate(messages, { include: ${JSON.stringify(include)} }));`,
    events: () => events,
  };
  const showCode = () => {
    $("request").textContent = code[shownCode](body(messages));
    for (const button of document.querySelectorAll("[data-shows]")) {
      button.setAttribute("aria-pressed", String(button.dataset.shows === shownCode));
    }
  };
  for (const button of document.querySelectorAll("[data-shows]")) {
    button.addEventListener("click", () => {
      shownCode = button.dataset.shows;
      showCode();
    });
  }

  // Actions.

  const exclusively = async (work) => {
    if (isBusy) return;
    isBusy = true;
    $("send").disabled = true;
    showError("");
    try {
      await work();
    } catch (error) {
      showError(error instanceof TypeError ? "Cannot reach the server. Is it running?" : error.message);
    } finally {
      isBusy = false;
      $("send").disabled = false;
    }
  };

  /** Sends a conversation and shows the result as it arrives. */
  const send = async (next) => {
    const result = await request(next, (event, raw) => {
      events = raw;
      if (event.type === "start") {
        messages = next;
        showConversation();
        $("items").replaceChildren();
        $("nothing").hidden = true;
        $("unresolved").hidden = true;
        $("understood").hidden = true;
      }
      if (event.type === "item") $("items").append(card(event.item, event.index));
      if (event.type === "totals") showSums(event.totals);
    });
    answer = result.answer;
    events = result.raw;
    finish();
  };

  /** Corrects an item; `says` is what the conversation shows. */
  const correct = (index, changes, says) => exclusively(async () => {
    const correction = { type: "correction", item: index + 1, ...changes };
    try {
      const next = [...messages, { text: says, correction }];
      const result = await request(next, () => {});
      messages = next;
      answer = result.answer;
      events = result.raw;
    } finally {
      showConversation();
      showAnswer();
    }
  });

  const change = (index, typed) => {
    const { name, unit } = answer.items[index];
    const quantity = Number(typed);
    if (typed.trim() === "" || !(quantity >= 0 && quantity <= 100_000)) {
      showAnswer();
      showError("Enter a number from 0 to 100,000. 0 removes the food.");
      return;
    }
    correct(index, { quantity }, quantity === 0 ? `Removed: ${name}` : `${name}: ${number(quantity)} ${unit}`);
  };

  const choose = (index, other) =>
    correct(index, { food_id: other.food_id }, `${answer.items[index].name} → ${other.name}`);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    exclusively(async () => {
      const typed = text.value.trim();
      if (!typed && !photo) {
        text.focus();
        throw new Error("Describe what you ate.");
      }
      const url = photo ? await upload(photo) : null;
      await send([...messages, { text: typed, photo: url }]);
      text.value = "";
      setPhoto(null);
      text.focus();
    });
  });
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  $("undo").addEventListener("click", () => exclusively(async () => {
    const next = messages.slice(0, -1);
    const last = messages.at(-1);
    text.value = last && !last.correction ? last.text : "";
    if (next.length > 0) return send(next);
    clear();
  }));
  const clear = () => {
    messages = [];
    answer = null;
    showError("");
    showConversation();
    text.focus();
  };
  $("new-meal").addEventListener("click", () => {
    text.value = "";
    setPhoto(null);
    clear();
  });
  for (const meal of document.querySelectorAll("#meals a")) {
    meal.addEventListener("click", (event) => {
      event.preventDefault();
      text.value = meal.textContent;
      form.requestSubmit();
    });
  }

  // Photos.

  const upload = async (file) => {
    const response = await fetch(`${here}/photo`, { method: "POST", headers: { "Content-Type": file.type }, body: file });
    if (!response.ok) throw await problem(response);
    return (await response.json()).url;
  };

  const setPhoto = (file) => {
    photo = file;
    $("photo").value = "";
    $("photo-shown").hidden = !file;
  };

  const takePhoto = (file) => exclusively(async () => {
    if (!["image/jpeg", "image/png", "image/webp"].includes(file.type)) throw new Error("Use a JPEG, PNG or WebP photo.");
    if (file.size > maxPhotoBytes) throw new Error("The photo is larger than 10 MB. Choose a smaller one.");
    let picture;
    try { picture = await createImageBitmap(file); } catch { throw new Error("This image cannot be read."); }
    const canvas = $("photo-canvas");
    const scale = Math.max(canvas.width / picture.width, canvas.height / picture.height);
    canvas.getContext("2d").drawImage(picture,
      (canvas.width - picture.width * scale) / 2, (canvas.height - picture.height * scale) / 2,
      picture.width * scale, picture.height * scale);
    picture.close();
    setPhoto(file);
    text.focus();
  });

  $("photo-row").hidden = false;
  $("photo").addEventListener("change", () => {
    if ($("photo").files.length > 0) takePhoto($("photo").files[0]);
  });
  $("photo-away").addEventListener("click", () => setPhoto(null));
  addEventListener("paste", (event) => {
    const file = [...event.clipboardData?.files ?? []][0];
    if (!file) return;
    event.preventDefault();
    takePhoto(file);
  });
  form.addEventListener("dragover", (event) => {
    event.preventDefault();
    form.classList.add("over");
  });
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    if (event.dataTransfer.files.length > 0) takePhoto(event.dataTransfer.files[0]);
  });

  // Continues a conversation that began without scripts, or the meal of a link.
  messages = [...form.querySelectorAll("input[name=messages]")].map((input) => ({ text: input.value, photo: null }));
  for (const input of form.querySelectorAll("input[name=messages]")) input.remove();
  if (messages.length > 0) exclusively(() => send(messages));
  else if (text.value.trim()) form.requestSubmit();
})();

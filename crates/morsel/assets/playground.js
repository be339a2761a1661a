// The playground: sends what was said as a stream, shows each food as it comes, keeps the conversation so that it can be
// corrected in words, in place, or undone, and shows the same request as a program would send it.
(() => {
  "use strict";

  const $ = (id) => document.getElementById(id);
  const root = $("playground");
  const form = $("say");
  const text = $("text");
  const include = ["source", "grams", "range", "tier", "alternatives", "recipe", "unresolved"];
  const largest = 10_000_000;
  /** What was said: {text, photo}, where a photo is the address of one that was sent. */
  let said = [];
  let answer = null;
  let events = "";
  let photo = null;
  let shows = "curl";
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

  const message = ({ text, photo }) => ({
    role: "user",
    content: photo
      ? [{ type: "image_url", image_url: { url: photo } }, ...(text ? [{ type: "text", text }] : [])]
      : text,
  });
  const body = (messages) => ({ messages: messages.map(message), include });

  const problem = async (response) => {
    let sentence = `The server answered ${response.status}.`;
    try { sentence = (await response.json()).error ?? sentence; } catch { /* no JSON: the status must do */ }
    return new Error(sentence);
  };

  /** Sends a conversation; calls back for every event; gives the last one. */
  const ask = async (messages, hear) => {
    const response = await fetch("/playground/estimate", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
      body: JSON.stringify(body(messages)),
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
        hear(last, raw);
      }
    }
    if (last?.type !== "done") throw new Error("The answer broke off. Try again.");
    return { answer: last, raw };
  };

  // What is shown.

  const word = { mass: "as said", portion: "by a known portion", density: "by its density", usual: "a usual amount" };

  const card = (item, index) => {
    const head = element("div", [element("h2", item.name), element("strong", `${number(item.calories)} kcal`, "kcal")], "item-head");
    const amount = element("input");
    amount.type = "number";
    amount.min = "0";
    amount.step = "any";
    amount.value = number(item.quantity);
    amount.setAttribute("aria-label", `Amount of ${item.name}, in ${item.unit}`);
    amount.addEventListener("change", () => change(index, Number(amount.value)));
    const line = element("p", null, "facts-line");
    if (item.tier) line.append(element("span", item.tier, `badge ${item.tier}`));
    if (item.grams) line.append(element("span", `${number(item.grams.grams)} g, ${word[item.grams.how] ?? item.grams.how}`));
    if (item.range) line.append(element("span", `${item.range.calories.low} to ${item.range.calories.high} kcal`));
    // What was read from a label is in no catalog.
    if (item.source && item.source.photo?.by !== "label") {
      const link = element("a", item.source.name);
      link.href = `/foods/${encodeURIComponent(item.source.food_id)}`;
      line.append(link);
    }
    if (item.source?.photo) {
      const { by, confidence } = item.source.photo;
      line.append(element("span", `seen in the photo: ${by}, ${Math.round(confidence * 100)} % sure`));
    }
    if (item.recipe) {
      const link = element("a", `your recipe, ${number(item.recipe.servings)} × one serving`);
      link.href = `/recipes/${encodeURIComponent(item.recipe.id)}`;
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
      const row = element("p", [element("span", "Or was it", "muted")], "others");
      for (const other of others) {
        const button = element("button", `${other.name} · ${number(other.calories)} kcal`, "quiet small");
        button.type = "button";
        button.addEventListener("click", () => choose(index, other.name));
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
    // Of the calories, 4 in a gram of protein and of carbs, 9 in one of fat.
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

  const showSaid = () => {
    $("said").replaceChildren(...said.map(({ text, photo }) =>
      element("li", photo ? `📷 ${text || "a photo"}` : text)));
    form.classList.toggle("later", said.length > 0);
    text.rows = said.length > 0 ? 1 : 2;
    $("undo").hidden = said.length === 0;
    $("afresh").hidden = said.length === 0;
    $("text-label").textContent = said.length === 0 ? "What did you eat?" : "Correct it, or add to it";
    text.placeholder = said.length === 0 ? "two scrambled eggs and a large latte" : "no butter, and the latte was small";
    $("send").textContent = said.length === 0 ? "Estimate" : "Send";
    if ($("meals")) $("meals").hidden = said.length > 0;
    $("result").hidden = said.length === 0;
    $("code").hidden = said.length === 0;
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
    $("news").textContent = `${answer.items.length} foods, ${number(answer.totals.calories)} kilocalories`;
    showCode();
  };

  const complain = (sentence) => {
    $("text-error").textContent = sentence;
    text.closest(".field").classList.toggle("wrong", sentence !== "");
  };

  // The same request in other words.

  const python = (value) => JSON.stringify(value, null, 4)
    .replace(/\btrue\b/g, "True").replace(/\bnull\b/g, "None");
  const code = {
    curl: (json) => `curl ${root.dataset.base}/v1/estimate/sync -H "Authorization: Bearer $KEY" \\\n  -d '${JSON.stringify(json, null, 2).replaceAll("'", "'\\''")}'`,
    python: (json) => `import os, requests\n\nanswer = requests.post(\n    "${root.dataset.base}/v1/estimate/sync",\n    headers={"Authorization": f"Bearer {os.environ['KEY']}"},\n    json=${python(json).replaceAll("\n", "\n    ")},\n)\nanswer.raise_for_status()\nprint(answer.json())`,
    script: (json) => `const answer = await fetch("${root.dataset.base}/v1/estimate/sync", {\n  method: "POST",\n  headers: { Authorization: \`Bearer \${process.env.KEY}\` },\n  body: JSON.stringify(${JSON.stringify(json, null, 2).replaceAll("\n", "\n  ")}),\n});\nconsole.log(await answer.json());`,
    events: () => events,
  };
  const showCode = () => {
    $("request").textContent = code[shows](body(said));
    for (const button of document.querySelectorAll("[data-shows]")) {
      button.setAttribute("aria-pressed", String(button.dataset.shows === shows));
    }
  };
  for (const button of document.querySelectorAll("[data-shows]")) {
    button.addEventListener("click", () => {
      shows = button.dataset.shows;
      showCode();
    });
  }

  // What a person does.

  const busily = async (work) => {
    if (isBusy) return;
    isBusy = true;
    $("send").disabled = true;
    complain("");
    try {
      await work();
    } catch (error) {
      complain(error instanceof TypeError ? "The server cannot be reached. Is it running?" : error.message);
    } finally {
      isBusy = false;
      $("send").disabled = false;
    }
  };

  /** Sends a conversation and shows it as it comes. */
  const tell = async (messages) => {
    const told = await ask(messages, (event, raw) => {
      events = raw;
      if (event.type === "start") {
        said = messages;
        showSaid();
        $("items").replaceChildren();
        $("nothing").hidden = true;
        $("unresolved").hidden = true;
      }
      if (event.type === "item") $("items").append(card(event.item, event.index));
      if (event.type === "totals") showSums(event.totals);
    });
    answer = told.answer;
    events = told.raw;
    finish();
  };

  /** The first of some corrections after which the answer is as it should be. */
  const amend = async (corrections, isRight) => {
    for (const correction of corrections) {
      const messages = [...said, { text: correction, photo: null }];
      const told = await ask(messages, () => {});
      if (told.answer.items.length === answer.items.length && isRight(told.answer.items)) {
        said = messages;
        answer = told.answer;
        events = told.raw;
        showSaid();
        showAnswer();
        return true;
      }
    }
    return false;
  };

  /** What a food is called in a sentence: of “White bread, toasted” the bread. */
  const noun = (name) => name.split(/[,(]/)[0].trim().split(" ").pop().toLowerCase();

  /** A unit as one says it of several; sizes and abbreviations stay as they are. */
  const units = (unit, quantity) =>
    quantity === 1 || unit.length < 4 || /s$|^(small|medium|large|tbsp|extra)/.test(unit) ? unit : `${unit}s`;

  const change = (index, quantity) => busily(async () => {
    const item = answer.items[index];
    if (!(quantity > 0) || quantity > 100_000) {
      showAnswer();
      throw new Error("The amount must be more than nothing. To take a food away, say “no …”.");
    }
    const called = noun(item.name);
    const amount = noun(item.unit) === called ? number(quantity) : `${number(quantity)} ${units(item.unit, quantity)}`;
    const isRight = (items) => Math.abs(items[index].quantity - quantity) < 0.01;
    const corrections = [`the ${called} was ${amount}`, `the ${called} was ${number(quantity)}`, `make it ${amount} of ${called}`];
    if (await amend(corrections, isRight)) return;
    showAnswer();
    throw new Error(`That could not be said in words. Write it yourself: “the ${called} was ${amount}”.`);
  });

  const choose = (index, name) => busily(async () => {
    const called = noun(answer.items[index].name);
    const plain = name.replace(/[,()]/g, "");
    const isRight = (items) => items[index].name === name;
    if (await amend([`the ${called} was ${plain}`, `${plain} instead of ${called}`], isRight)) return;
    throw new Error(`In words, “${name}” cannot be told from “${answer.items[index].name}”. Name it in the meal itself.`);
  });

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    busily(async () => {
      const typed = text.value.trim();
      if (!typed && !photo) {
        text.focus();
        throw new Error("Say what was eaten.");
      }
      const url = photo ? await upload(photo) : null;
      await tell([...said, { text: typed, photo: url }]);
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
  $("undo").addEventListener("click", () => busily(async () => {
    const messages = said.slice(0, -1);
    text.value = said.at(-1)?.text ?? "";
    if (messages.length > 0) return tell(messages);
    afresh();
  }));
  const afresh = () => {
    said = [];
    answer = null;
    complain("");
    showSaid();
    text.focus();
  };
  $("afresh").addEventListener("click", () => {
    text.value = "";
    setPhoto(null);
    afresh();
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
    const response = await fetch("/playground/photo", { method: "POST", headers: { "Content-Type": file.type }, body: file });
    if (!response.ok) throw await problem(response);
    return (await response.json()).url;
  };

  const setPhoto = (file) => {
    photo = file;
    $("photo").value = "";
    $("photo-shown").hidden = !file;
  };

  const takePhoto = (file) => busily(async () => {
    if (!["image/jpeg", "image/png", "image/webp"].includes(file.type)) throw new Error("A photo must be a JPEG, PNG or WebP.");
    if (file.size > largest) throw new Error("The photo has more than 10 MB. Send a smaller one.");
    let picture;
    try { picture = await createImageBitmap(file); } catch { throw new Error("This file is not a picture that can be read."); }
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

  // A page that was answered without script, or a link with a meal, goes on with script.
  said = [...form.querySelectorAll("input[name=said]")].map((input) => ({ text: input.value, photo: null }));
  for (const input of form.querySelectorAll("input[name=said]")) input.remove();
  if (said.length > 0) busily(() => tell(said));
  else if (text.value.trim()) form.requestSubmit();
})();

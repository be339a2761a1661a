// The ingredients of a recipe follow what is typed: every button but the one that saves, and every change of an amount, sends
// the form in the background and replaces the ingredients by those of the response.
(() => {
  "use strict";

  const form = document.getElementById("recipe");
  const names = ["calories", "protein", "carbs", "fat"];
  let pending = null;

  const builder = () => document.getElementById("builder");
  const prepare = () => {
    for (const button of form.querySelectorAll("[data-without-script]")) button.hidden = true;
    for (const name of names) form.elements[name].placeholder = builder().dataset[name] ?? "0";
  };

  const send = async (name, value, focus) => {
    pending?.abort();
    pending = new AbortController();
    const fields = new URLSearchParams(new FormData(form));
    fields.set(name, value);
    try {
      const response = await fetch(form.action, { method: "POST", body: fields, signal: pending.signal, headers: { Accept: "text/html" } });
      if (!response.ok || response.redirected) return form.requestSubmit(form.querySelector(`[name="${name}"]`));
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      builder().replaceWith(page.getElementById("builder"));
      prepare();
      document.querySelector(focus)?.focus();
    } catch (error) {
      // A newer change replaced this one, or the server is unreachable: the button still works.
      if (error.name !== "AbortError") console.warn(error.message);
    }
  };

  form.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!button || button.value === "save") return;
    event.preventDefault();
    send(button.name, button.value, button.value === "find" ? ".found-foods button" : button.value === "add" ? "#pasted" : "#find");
  });
  form.addEventListener("change", (event) => {
    const field = event.target;
    if (!["amount", "unit", "servings", "basis"].includes(field.name)) return;
    const row = [...form.querySelectorAll(`[name="${field.name}"]`)].indexOf(field);
    setTimeout(() => {
      // The focus may have gone to the next field by then; it stays there.
      const active = document.activeElement;
      const at = [...form.querySelectorAll(`[name="${active.name}"]`)].indexOf(active);
      pending?.abort();
      send("do", "refresh").then(() => {
        if (active.name && at >= 0) form.querySelectorAll(`[name="${active.name}"]`)[at]?.focus();
        else form.querySelectorAll(`[name="${field.name}"]`)[row]?.focus();
      });
    });
  });
  // Enter in the search field searches; in an amount it refreshes.
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
    const action = { find: "find", amount: "refresh", servings: "refresh" }[event.target.name] ?? "save";
    event.preventDefault();
    if (action === "save") form.requestSubmit(form.querySelector("[value=save]"));
    else send("do", action, action === "find" ? ".found-foods button" : `#${event.target.id || "find"}`);
  });
  prepare();
})();

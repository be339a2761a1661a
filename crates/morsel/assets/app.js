// Conveniences for every page. Nothing here is required: all pages work without scripts.
(() => {
  "use strict";

  // A flash message is shown once: a reload should not show it again.
  const here = new URL(location.href);
  if (here.searchParams.has("flash")) {
    here.searchParams.delete("flash");
    history.replaceState(null, "", here);
  }

  // Times on the page are UTC; the tooltip shows the local time.
  for (const time of document.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (!Number.isNaN(at.getTime())) time.title = at.toLocaleString();
  }

  // The theme switch: the form works without scripts; with them the page need not load again.
  for (const form of document.querySelectorAll("form.theme")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const theme = event.submitter.value;
      if (theme === "auto") delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = theme;
      document.querySelector("meta[name=color-scheme]").content = theme === "auto" ? "light dark" : theme;
      for (const button of document.querySelectorAll("form.theme button")) {
        button.setAttribute("aria-pressed", String(button.value === theme));
      }
      fetch(form.getAttribute("action"), { method: "POST", body: new URLSearchParams({ theme }) });
    });
  }

  // The menu on phones closes with Esc and with a tap elsewhere.
  const menu = document.querySelector(".small-menu");
  document.addEventListener("click", (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });

  // <button data-copy="id of the element to copy">: hidden unless this script runs.
  for (const button of document.querySelectorAll("button[data-copy]")) {
    const source = document.getElementById(button.dataset.copy);
    if (!source) continue;
    button.hidden = false;
    const label = button.textContent;
    button.addEventListener("click", async () => {
      const text = "value" in source ? source.value : source.textContent;
      let copied = true;
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        // The clipboard needs https or localhost; elsewhere the text is selected so that Ctrl+C works.
        const range = document.createRange();
        range.selectNodeContents(source);
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        copied = document.execCommand("copy");
      }
      button.textContent = copied ? "Copied" : "Press Ctrl+C";
      setTimeout(() => { button.textContent = label; }, 2000);
    });
  }

  // <form data-submit-on-change>: filters apply immediately, so the button is not needed.
  for (const form of document.querySelectorAll("form[data-submit-on-change]")) {
    form.addEventListener("change", () => form.requestSubmit());
    for (const button of form.querySelectorAll("button[data-without-script]")) button.hidden = true;
  }

  // <input data-chooses="id">: typing here selects the option it belongs to.
  for (const input of document.querySelectorAll("[data-chooses]")) {
    input.addEventListener("input", () => {
      const choice = document.getElementById(input.dataset.chooses);
      if (choice) choice.checked = true;
    });
  }

  // Prevents a second submission by a double click. Forms with data-live have scripts of their own.
  for (const form of document.querySelectorAll("form[method=post]:not([data-live])")) {
    form.addEventListener("submit", (event) => {
      if (form.dataset.sent) event.preventDefault();
      form.dataset.sent = "yes";
      setTimeout(() => { delete form.dataset.sent; }, 3000);
    });
  }
})();

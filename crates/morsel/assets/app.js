// What every page can do beyond HTML. Nothing here is needed: without script all pages work.
(() => {
  "use strict";

  // The sentence after something was done is for once: a reload should not say it again.
  const here = new URL(location.href);
  if (here.searchParams.has("done")) {
    here.searchParams.delete("done");
    history.replaceState(null, "", here);
  }

  // Times are UTC in the page; the tip shows them where the reader is.
  for (const time of document.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (!Number.isNaN(at.getTime())) time.title = at.toLocaleString();
  }

  // <button data-copy="id of what to copy">: hidden until there is a script to make it work.
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
        // Only https and localhost have a clipboard; elsewhere the text is selected, ready for the keyboard.
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

  // <form data-submit-on-change>: filters apply as soon as they are chosen; the button is for those without script.
  for (const form of document.querySelectorAll("form[data-submit-on-change]")) {
    form.addEventListener("change", () => form.requestSubmit());
    for (const button of form.querySelectorAll("button[data-without-script]")) button.hidden = true;
  }

  // <input data-chooses="id">: typing here ticks the choice that it belongs to.
  for (const input of document.querySelectorAll("[data-chooses]")) {
    input.addEventListener("input", () => {
      const choice = document.getElementById(input.dataset.chooses);
      if (choice) choice.checked = true;
    });
  }

  // A form that is on its way is not sent twice by an impatient click. Forms with data-live are sent by scripts of their own.
  for (const form of document.querySelectorAll("form[method=post]:not([data-live])")) {
    form.addEventListener("submit", (event) => {
      if (form.dataset.sent) event.preventDefault();
      form.dataset.sent = "yes";
      setTimeout(() => { delete form.dataset.sent; }, 3000);
    });
  }
})();

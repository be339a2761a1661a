// The demo on the home page: asks for the page with the result and shows that part of it. The form works without scripts, too.
(() => {
  "use strict";

  const form = document.getElementById("demo");
  const text = document.getElementById("text");
  let isBusy = false;

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    if (event.submitter?.name === "example") text.value = event.submitter.value;
    const shown = document.getElementById("demo-result");
    shown.setAttribute("aria-busy", "true");
    try {
      const body = new URLSearchParams({ text: text.value });
      const response = await fetch(form.getAttribute("action"), { method: "POST", headers: { Accept: "text/html" }, body });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const result = page.getElementById("demo-result");
      if (!result) throw new Error("no result");
      shown.replaceWith(result);
      window.showSamples(result);
      const summary = result.querySelector(".meal")?.dataset.summary;
      document.getElementById("news").textContent = summary ?? "";
    } catch {
      form.submit();
    } finally {
      shown.removeAttribute("aria-busy");
      isBusy = false;
    }
  });
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
})();

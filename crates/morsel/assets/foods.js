// Search as you type: after a short pause the page is fetched again and its results replace the old ones. The arrow keys
// move between the search field and the results.
(() => {
  "use strict";

  const form = document.getElementById("search");
  const field = document.getElementById("q");
  const here = form.getAttribute("action");
  const pause = 150;
  let timer = 0;
  let pending = null;
  let shown = location.search;

  const search = async () => {
    const query = new URLSearchParams(new FormData(form)).toString();
    if (`?${query}` === shown) return;
    pending?.abort();
    pending = new AbortController();
    try {
      const response = await fetch(`${here}?${query}`, { signal: pending.signal, headers: { Accept: "text/html" } });
      if (!response.ok || response.redirected) return form.submit();
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      document.getElementById("results").replaceWith(page.getElementById("results"));
      shown = `?${query}`;
      history.replaceState(null, "", `${here}?${query}`);
    } catch (error) {
      // A newer search replaced this one, or the server is unreachable: the button still works.
      if (error.name !== "AbortError") console.warn(error.message);
    }
  };

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, pause);
  });
  document.getElementById("source").addEventListener("change", search);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    search();
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const places = [field, ...document.querySelectorAll("#results a")];
    const here = places.indexOf(document.activeElement);
    if (here < 0) return;
    const next = places[here + (event.key === "ArrowDown" ? 1 : -1)];
    if (next) {
      event.preventDefault();
      next.focus();
    }
  });
})();

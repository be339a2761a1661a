// Live pages: when there is news, the page is fetched again and its live parts are replaced. Without this script the
// pages are as old as their last reload.
//
// <div id="…" data-live data-path="URL of events">: replaced whenever an event arrives.
// <div id="…" data-live data-every="5">: replaced every 5 seconds while the page is visible.
// data-page="/": the page to fetch, where it is not the address of this one, such as that of a form.
(() => {
  "use strict";

  const live = [...document.querySelectorAll("[data-live][id]")];
  const parts = live.map((part) => part.id);
  const source = live.find((part) => part.dataset.page)?.dataset.page ?? location.href;
  const pause = 2000;
  let busy = false;
  let again = false;

  const holdsFocus = (part) => part.contains(document.activeElement) || (!getSelection().isCollapsed && part.contains(getSelection().anchorNode));

  const show = () => {
    for (const mark of document.querySelectorAll(".live")) mark.hidden = false;
  };

  const refresh = async () => {
    if (document.hidden) return;
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    try {
      const response = await fetch(source, { headers: { Accept: "text/html" } });
      if (response.redirected) return location.reload();
      if (response.ok) {
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
        for (const id of parts) {
          const [old, fresh] = [document.getElementById(id), page.getElementById(id)];
          if (old && fresh && !holdsFocus(old)) old.replaceWith(fresh);
        }
        show();
      }
    } catch (error) {
      // The server is unreachable: the next event tries again.
      console.warn(error.message);
    }
    setTimeout(() => {
      busy = false;
      if (again) {
        again = false;
        refresh();
      }
    }, pause);
  };

  let events = null;
  const connect = () => {
    const part = document.querySelector("[data-live][data-path]");
    if (!part || events) return;
    events = new EventSource(part.dataset.path);
    events.addEventListener("open", show);
    events.addEventListener("change", refresh);
  };

  // A hidden page needs no connection; one that is seen again catches up.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      events?.close();
      events = null;
    } else {
      refresh();
      connect();
    }
  });
  connect();

  const every = document.querySelector("[data-live][data-every]");
  if (every) setInterval(refresh, Number(every.dataset.every) * 1000);
})();

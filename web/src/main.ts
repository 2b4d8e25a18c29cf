import { mount } from "svelte";

import App from "./App.svelte";
import "./app.css";
import "./fonts.css";
import "./pictures/pictures.css";

const RELOADED = "zashiki.reloaded";

// A new page has been built since this one was loaded: its parts are gone, and it is loaded anew, once.
addEventListener("vite:preloadError", (event) => {
  if (sessionStorage.getItem(RELOADED) !== null) return;
  event.preventDefault();
  sessionStorage.setItem(RELOADED, "1");
  location.reload();
});
addEventListener("load", () => setTimeout(() => sessionStorage.removeItem(RELOADED), 10_000));

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no place for the table");
mount(App, { target });

// Only where the page comes from a server: while it is being written it must not be kept.
if (import.meta.env.PROD && "serviceWorker" in navigator) void navigator.serviceWorker.register("/worker.js").catch(() => undefined);

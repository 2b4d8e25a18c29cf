import { mount } from "svelte";

import App from "./App.svelte";
import "./app.css";
import "./fonts.css";
import "./pictures/pictures.css";

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no place for the table");
mount(App, { target });

/** Dragging a card to a place, by mouse, pen or finger. Whatever can be dragged can also be tapped and reached by keys. */

import type { Attachment } from "svelte/attachments";

const FAR_ENOUGH_PX = 8;

export interface Drag {
  /** Whether it may be dragged now. */
  enabled: boolean;
  /** It was let go over the element with this `data-drop`. */
  ondrop: (drop: string) => void;
}

/** Attaches dragging to an element. Places say what they are with `data-drop`. */
export function draggable(drag: () => Drag): Attachment<HTMLElement> {
  return (element) => {
    let start: PointerEvent | null = null;
    let dragged = false;

    function move(event: PointerEvent): void {
      if (start === null || event.pointerId !== start.pointerId) return;
      const [x, y] = [event.clientX - start.clientX, event.clientY - start.clientY];
      if (!dragged && Math.hypot(x, y) < FAR_ENOUGH_PX) return;
      if (!dragged) begin(event);
      element.style.transform = `translate(${x}px, ${y}px)`;
      const over = under(event);
      for (const place of document.querySelectorAll("[data-drop].drop-over")) if (place !== over) place.classList.remove("drop-over");
      over?.classList.add("drop-over");
    }

    function begin(event: PointerEvent): void {
      dragged = true;
      element.setPointerCapture(event.pointerId);
      element.classList.add("dragged");
    }

    function under(event: PointerEvent): Element | null {
      const found = document.elementsFromPoint(event.clientX, event.clientY);
      return found.map((each) => each.closest("[data-drop]")).find((place) => place !== null && !element.contains(place)) ?? null;
    }

    function end(event: PointerEvent): void {
      if (start === null || event.pointerId !== start.pointerId) return;
      const place = dragged && event.type === "pointerup" ? under(event) : null;
      for (const each of document.querySelectorAll("[data-drop].drop-over")) each.classList.remove("drop-over");
      element.style.transform = "";
      element.classList.remove("dragged");
      start = null;
      removeEventListener("pointermove", move);
      if (dragged) addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
      if (place instanceof HTMLElement) drag().ondrop(place.dataset["drop"] ?? "");
    }

    function swallow(event: Event): void {
      event.stopPropagation();
      event.preventDefault();
    }

    function down(event: PointerEvent): void {
      if (!drag().enabled || event.button !== 0) return;
      start = event;
      dragged = false;
      addEventListener("pointermove", move);
    }

    // Else the browser takes a finger's movement for scrolling and the drag is over; beside the cards the page still scrolls.
    element.style.touchAction = drag().enabled ? "none" : "";
    element.addEventListener("pointerdown", down);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
    return () => {
      for (const each of document.querySelectorAll("[data-drop].drop-over")) each.classList.remove("drop-over");
      element.removeEventListener("pointerdown", down);
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
    };
  };
}

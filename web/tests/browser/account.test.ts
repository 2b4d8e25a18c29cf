/** A guest becomes somebody: with a password or a passkey, from one browser to the next, and back to nobody. */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { House } from "./house";

const house = new House();
beforeAll(() => house.open());
afterAll(() => house.close());

/** The sheet under this heading. */
function sheet(page: Page, title: string) {
  return page.locator("section.sheet").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
}

/** A visitor whose device keeps passkeys. */
async function withDevice(): Promise<Page> {
  const page = await house.visitor();
  const developer = await page.context().newCDPSession(page);
  await developer.send("WebAuthn.enable");
  await developer.send("WebAuthn.addVirtualAuthenticator", {
    options: { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  });
  return page;
}

test("a name kept with a password is signed in to from another browser, with a recovery code too, and erased", async () => {
  const page = await house.visitor();
  await page.goto("/me");
  await sheet(page, "Your name").getByLabel("Name").fill("Hanako");
  await sheet(page, "Your name").getByRole("button", { name: "Change name" }).click();
  await page.getByText("Done.").waitFor();
  await sheet(page, "Keep this name").getByLabel("Password").fill("a long enough word");
  await sheet(page, "Keep this name").getByRole("button", { name: "Keep this name", exact: true }).click();
  await sheet(page, "Signed in").getByText("this browser").waitFor();
  await page.getByRole("button", { name: "Make new recovery codes" }).click();
  const code = (await page.locator(".codes li").first().textContent()) ?? "";
  await page.getByLabel("Name of a new program").fill("Hanako no te");
  await page.getByRole("button", { name: "Add the program" }).click();
  await page.getByRole("button", { name: "New token" }).click();
  expect(await page.getByLabel("The token, shown once").inputValue()).toMatch(/\w{20}/);

  const elsewhere = await house.visitor({ phone: true });
  await elsewhere.goto("/me");
  const signing = sheet(elsewhere, "Sign in");
  await signing.getByLabel("Name").fill("Hanako");
  await signing.getByLabel("Password").fill("the wrong word");
  await signing.getByRole("button", { name: "Sign in", exact: true }).click();
  await elsewhere.getByText("Name and password do not match.").waitFor();
  await signing.getByLabel("Password").fill("a long enough word");
  await signing.getByRole("button", { name: "Sign in", exact: true }).click();
  await elsewhere.getByRole("heading", { name: "Take a seat." }).waitFor();

  await page.reload();
  await sheet(page, "Signed in").getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByText("Done.").waitFor();
  await elsewhere.goto("/me");
  await sheet(elsewhere, "Sign in").getByText("Password forgotten?").click();
  await sheet(elsewhere, "Sign in").getByLabel("Name").fill("Hanako");
  await sheet(elsewhere, "Sign in").getByLabel("Recovery code").fill(code);
  await sheet(elsewhere, "Sign in").getByRole("button", { name: "Sign in with the code" }).click();
  await elsewhere.getByRole("heading", { name: "Take a seat." }).waitFor();

  await elsewhere.goto("/me");
  await elsewhere.getByRole("button", { name: "Erase my account" }).click();
  await elsewhere.getByRole("button", { name: "Erase my account" }).click();
  await elsewhere.getByRole("heading", { name: "Take a seat." }).waitFor();
  await elsewhere.goto("/me");
  await sheet(elsewhere, "Keep this name").waitFor();
  expect(house.faults).toEqual([]);
});

test("a name kept with a passkey is signed in to without a word", async () => {
  const page = await withDevice();
  await page.goto("/me");
  await sheet(page, "Your name").getByLabel("Name").fill("Kaede");
  await page.getByRole("button", { name: "Keep this name with a passkey" }).click();
  await sheet(page, "Signed in").getByText("this browser").waitFor();
  await page.getByRole("button", { name: "Sign out here" }).click();
  await page.getByRole("heading", { name: "Take a seat." }).waitFor();
  await page.goto("/me");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByRole("heading", { name: "Take a seat." }).waitFor();
  await page.getByText("Kaede").waitFor();
  expect(house.faults).toEqual([]);
});

test("a push tells whose turn it is in the language of the page", async () => {
  const page = await house.visitor({ language: "de" });
  await page.context().grantPermissions(["notifications"], { origin: house.address });
  await page.goto("/");
  await page.evaluate(() => navigator.serviceWorker.ready);
  const developer = await page.context().newCDPSession(page);
  const registered = new Promise<string>((done) =>
    developer.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const ours = registrations.find(({ scopeURL, isDeleted }) => !isDeleted && scopeURL.startsWith(house.address));
      if (ours) done(ours.registrationId);
    }),
  );
  await developer.send("ServiceWorker.enable");
  await expect.poll(() => page.evaluate(() => caches.match("/your-turn").then((kept) => kept?.text()))).toBe("Du bist am Zug.");
  // A browser without a screen shows nothing: we look at what it was asked to show.
  const worker = page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent("serviceworker"));
  await worker.evaluate(() => {
    const told: unknown[] = [];
    const here = self as unknown as { told: unknown[]; registration: { showNotification(title: string, options: { body: string }): Promise<void> } };
    here.told = told;
    here.registration.showNotification = async (title, { body }) => void told.push({ title, body });
  });
  const data = JSON.stringify({ game: "kimono", table: "abcdefghijklmnop" });
  await developer.send("ServiceWorker.deliverPushMessage", { origin: house.address, registrationId: await registered, data });
  await expect.poll(() => worker.evaluate(() => (self as unknown as { told: unknown[] }).told)).toEqual([{ title: "Kimono", body: "Du bist am Zug." }]);
});
